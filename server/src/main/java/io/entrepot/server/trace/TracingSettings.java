package io.entrepot.server.trace;

import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Kind;
import io.entrepot.config.Mistake;
import io.entrepot.config.Origin;
import io.entrepot.config.Secret;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Source;
import io.entrepot.config.Values;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table {@code [server.tracing]}, and the variables that all programs have for the same ({@code OTEL_…}). */
public final class TracingSettings {
    private static final Setting<Boolean> ENABLED = Setting.of("enabled", Kind.truth(),
            "Off, nothing is traced although there is an endpoint. Also `OTEL_SDK_DISABLED`, which says the opposite.")
            .or(true).reloadable();
    private static final Setting<Optional<URI>> ENDPOINT = Setting.of("endpoint", Kind.text().as(
            "an address, as http://127.0.0.1:4318/v1/traces", TracingSettings::address, URI::toString),
            "Where spans are sent, by OTLP over HTTP, as JSON: collectors listen on port 4318 for it. Not set: nothing is traced. Also"
                    + " `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `OTEL_EXPORTER_OTLP_ENDPOINT` without `/v1/traces`.")
            .optional().reloadable();
    private static final Setting<Optional<List<Secret>>> HEADERS = Setting.of("headers", Kind.listOf(Kind.secret()),
            "Sent along, each as `name=value`: a key, say. Also `OTEL_EXPORTER_OTLP_HEADERS`,"
                    + " `OTEL_EXPORTER_OTLP_TRACES_HEADERS`.")
            .optional().reloadable();
    private static final Setting<String> NAME = Setting.of("service-name", Kind.text(),
            "What this server is called there. Also `OTEL_SERVICE_NAME`.").or("entrepot").reloadable();
    private static final Setting<List<String>> ATTRIBUTES = Setting.of("attributes", Kind.listOf(Kind.text()),
            "What else is known of this server, each as `name=value`. Also `OTEL_RESOURCE_ATTRIBUTES`.").or(List.of())
            .reloadable();
    private static final Setting<Double> SAMPLE = Setting.of("sample", Kind.fraction(),
            "The share of the traces begun here that is recorded. Also `OTEL_TRACES_SAMPLER` and"
                    + " `OTEL_TRACES_SAMPLER_ARG`.")
            .or(1.0).tooLarge("much is sent and kept that nobody looks at.").reloadable();
    private static final Setting<Boolean> FOLLOW = Setting.of("follow-caller", Kind.truth(),
            "Whether a trace that a caller has begun (`traceparent`) is recorded is the caller's decision. Off, it is decided"
                    + " by `sample`: for callers that are not trusted.")
            .or(true).reloadable();
    private static final Setting<Duration> EVERY = Setting.of("send-every",
            Kind.duration(Duration.ofMillis(10), Duration.ofMinutes(10)),
            "How long spans are gathered before they are sent. Also `OTEL_BSP_SCHEDULE_DELAY`.")
            .or(Duration.ofSeconds(5)).reloadable();
    private static final Setting<Duration> TIMEOUT = Setting.of("timeout",
            Kind.duration(Duration.ofMillis(10), Duration.ofMinutes(10)),
            "How long sending may take. Also `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_EXPORTER_OTLP_TRACES_TIMEOUT`.")
            .or(Duration.ofSeconds(10)).reloadable();

    public static final Section<TracingConfig> SECTION = new Section<>("tracing",
            "Requests as spans of OpenTelemetry, if an endpoint is named.",
            List.of(ENABLED, ENDPOINT, HEADERS, NAME, ATTRIBUTES, SAMPLE, FOLLOW, EVERY, TIMEOUT),
            TracingSettings::read);

    private static final String KEY = "server.tracing.";
    private static final String TRACES_ENDPOINT = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    private static final String ANY_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String SAMPLER = "OTEL_TRACES_SAMPLER";
    private static final String SAMPLERS = "known are always_on, always_off, traceidratio, and these after parentbased_";

    private TracingSettings() {}

    private static TracingConfig read(Values values) {
        return new TracingConfig(values.get(ENABLED), values.get(ENDPOINT), values.get(HEADERS).orElse(List.of()),
                values.get(NAME),
                values.get(ATTRIBUTES), values.get(SAMPLE), values.get(FOLLOW), values.get(EVERY),
                values.get(TIMEOUT));
    }

    private static URI address(String text) {
        URI address = URI.create(text);
        if (address.getHost() == null || !("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                || address.getRawUserInfo() != null) {
            throw new IllegalArgumentException("http or https, a host and a path are wanted");
        }
        return address;
    }

    /**
     * What the variables of OpenTelemetry say, each as a source of its own. Without an endpoint among them they are hints for
     * other programs as well, so what is not known here is a mistake only with one.
     *
     * @throws ConfigurationException if something is asked for that there is not
     */
    public static List<Source> standard(Map<String, String> environment) {
        return new Standard(environment).sources();
    }

    /** Reads them. For one thread. */
    private static final class Standard {
        private final Map<String, String> environment;
        private final List<Source> sources = new ArrayList<>();

        Standard(Map<String, String> environment) {
            this.environment = environment;
        }

        List<Source> sources() {
            requireHttp("OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL");
            boolean other = !find("OTEL_TRACES_EXPORTER").orElse("otlp").equals("otlp");
            if (other || find("OTEL_SDK_DISABLED").filter("true"::equalsIgnoreCase).isPresent()) {
                add(other ? "OTEL_TRACES_EXPORTER" : "OTEL_SDK_DISABLED", "enabled", false);
            }
            find(ANY_ENDPOINT).ifPresent(text -> add(ANY_ENDPOINT, "endpoint", text.replaceFirst("/+$", "")
                    + "/v1/traces"));
            find(TRACES_ENDPOINT).ifPresent(text -> add(TRACES_ENDPOINT, "endpoint", text));
            for (String name : List.of("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS")) {
                find(name).ifPresent(text -> add(name, "headers", pairs(text)));
            }
            find("OTEL_RESOURCE_ATTRIBUTES").ifPresent(text -> add("OTEL_RESOURCE_ATTRIBUTES", "attributes",
                    pairs(text)));
            find("OTEL_SERVICE_NAME").ifPresent(text -> add("OTEL_SERVICE_NAME", "service-name", text));
            for (String name : List.of("OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT")) {
                find(name).ifPresent(text -> add(name, "timeout", text + "ms"));
            }
            find("OTEL_BSP_SCHEDULE_DELAY").ifPresent(text -> add("OTEL_BSP_SCHEDULE_DELAY", "send-every", text
                    + "ms"));
            find(SAMPLER).ifPresent(this::sampler);
            return sources;
        }

        private void sampler(String text) {
            String name = text.replaceFirst("^parentbased_", "");
            Optional<Object> share = switch (name) {
                case "always_on" -> Optional.of(1.0);
                case "always_off" -> Optional.of(0.0);
                case "traceidratio" -> Optional.of(share());
                default -> Optional.empty();
            };
            if (share.isEmpty()) {
                refuse(SAMPLER, "sample", "\"" + text + "\" is not known", SAMPLERS);
                return;
            }
            add(SAMPLER, "sample", share.get());
            add(SAMPLER, "follow-caller", !name.equals(text));
        }

        /** A text that is no number is told as the mistake it is when it is read. */
        private Object share() {
            String text = find("OTEL_TRACES_SAMPLER_ARG").orElse("1");
            try {
                return Double.parseDouble(text);
            } catch (NumberFormatException e) {
                return text;
            }
        }

        /** Whoever listens for one of the two takes the other too. */
        private void requireHttp(String general, String own) {
            String name = find(own).isPresent() ? own : general;
            find(name).filter(text -> !text.startsWith("http/")).ifPresent(text -> refuse(name, "endpoint",
                    "\"" + text + "\" is not spoken", "http/json is"));
        }

        private void refuse(String variable, String setting, String problem, String suggestion) {
            if (find(ANY_ENDPOINT).isPresent() || find(TRACES_ENDPOINT).isPresent()) {
                throw new ConfigurationException(List.of(new Mistake(new Origin.Given(variable), KEY + setting, problem,
                        suggestion)));
            }
        }

        private void add(String variable, String setting, Object value) {
            sources.add(new Source(variable, Map.of(KEY + setting, value)));
        }

        /** An empty variable is one that is not set: so says OpenTelemetry. */
        private Optional<String> find(String name) {
            return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
        }

        /** {@code a=1,b=2}, with values encoded as in a URL. */
        private static List<String> pairs(String text) {
            return Arrays.stream(text.split(",", -1)).map(String::strip).filter(pair -> !pair.isEmpty())
                    .map(pair -> URLDecoder.decode(pair.replace("+", "%2B"), StandardCharsets.UTF_8)).toList();
        }
    }
}

package io.entrepot.server.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.config.Configuration;
import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Secret;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.ServerSettings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TracingSettingsTest {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String AT = "http://127.0.0.1:4318";

    private static Configuration<ServerConfig> read(Map<String, String> environment) {
        return ServerSettings.read(Optional.empty(), environment, List.of());
    }

    private static TracingConfig config(Map<String, String> environment) {
        return read(environment).value().tracing();
    }

    @Test
    void tracing_isOffUnlessAnEndpointIsNamed() {
        assertThat(config(Map.of()).isOn()).isFalse();
        assertThat(config(Map.of("OTEL_SERVICE_NAME", "x", "OTEL_TRACES_SAMPLER", "xray",
                "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")).isOn()).as("hints for others").isFalse();
        assertThat(config(Map.of(ENDPOINT, "")).isOn()).isFalse();
    }

    @Test
    void standardVariables_areTaken() {
        Configuration<ServerConfig> read = read(Map.of(ENDPOINT, AT + "/", "OTEL_SERVICE_NAME", "files",
                "OTEL_EXPORTER_OTLP_HEADERS", "key=a%20b, other=c", "OTEL_RESOURCE_ATTRIBUTES", "zone=eu",
                "OTEL_TRACES_SAMPLER", "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG", "0.25",
                "OTEL_BSP_SCHEDULE_DELAY", "100", "OTEL_EXPORTER_OTLP_TIMEOUT", "2000"));
        assertThat(read.value().tracing()).isEqualTo(new TracingConfig(true, Optional.of(URI.create(AT
                + "/v1/traces")), List.of(new Secret("key=a b"), new Secret("other=c")), "files", List.of("zone=eu"),
                0.25, true, Duration.ofMillis(100), Duration.ofSeconds(2)));
        assertThat(read.print()).contains("service-name = \"files\"  # given by OTEL_SERVICE_NAME; reload")
                .contains("sample = 0.25").doesNotContain("a b");
        assertThat(read(Map.of()).print()).contains("# headers is not set");
    }

    @Test
    void standardVariables_theMoreExactGoesOver_andOursOverAll(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("e.toml"), """
                                                                   [server.tracing]
                                                                   service-name = "file"
                                                                   endpoint = "http://file/v1/traces"
                                                                   sample = 1
                                                                   """);
        TracingConfig config = ServerSettings.read(Optional.of(file), Map.of(ENDPOINT, AT,
                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://exact:1/x", "OTEL_SERVICE_NAME", "otel",
                "ENTREPOT_SERVER_TRACING_SERVICE_NAME", "ours", "ENTREPOT_SERVER_TRACING_SAMPLE", "0.5"), List.of())
                .value().tracing();
        assertThat(config.endpoint()).contains(URI.create("http://exact:1/x"));
        assertThat(config.serviceName()).isEqualTo("ours");
        assertThat(config.sample()).isEqualTo(0.5);
    }

    @Test
    void standardVariables_switchItOff() {
        assertThat(config(Map.of(ENDPOINT, AT, "OTEL_SDK_DISABLED", "true")).isOn()).isFalse();
        assertThat(config(Map.of(ENDPOINT, AT, "OTEL_TRACES_EXPORTER", "none")).isOn()).isFalse();
        assertThat(config(Map.of(ENDPOINT, AT, "OTEL_TRACES_EXPORTER", "otlp")).isOn()).isTrue();
        TracingConfig never = config(Map.of(ENDPOINT, AT, "OTEL_TRACES_SAMPLER", "always_off"));
        assertThat(never.sample()).isZero();
        assertThat(never.followCaller()).isFalse();
    }

    @Test
    void standardVariables_whenTheyAskForWhatThereIsNot_areMistakes() {
        assertThatThrownBy(() -> read(Map.of(ENDPOINT, AT, "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("OTEL_EXPORTER_OTLP_PROTOCOL");
        assertThatThrownBy(() -> read(Map.of(ENDPOINT, AT, "OTEL_TRACES_SAMPLER", "xray")))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("always_on");
        assertThatThrownBy(() -> read(Map.of(ENDPOINT, "nowhere"))).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(ENDPOINT);
        assertThatThrownBy(() -> read(Map.of(ENDPOINT, AT, "OTEL_TRACES_SAMPLER", "traceidratio",
                "OTEL_TRACES_SAMPLER_ARG", "2"))).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> read(Map.of("OTEL_EXPORTER_OTLP_HEADERS", "host=hush")))
                .isInstanceOf(ConfigurationException.class).hasMessageContaining("host")
                .hasMessageNotContaining("hush");
    }
}

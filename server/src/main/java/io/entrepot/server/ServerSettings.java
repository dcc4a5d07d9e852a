package io.entrepot.server;

import io.entrepot.config.Configuration;
import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Environment;
import io.entrepot.config.Kind;
import io.entrepot.config.Secret;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Source;
import io.entrepot.config.Values;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.settings.PoolSettings;
import io.entrepot.server.ServerConfig.LogFormat;
import io.entrepot.server.ServerConfig.LogLevel;
import io.entrepot.server.ServerConfig.Tls;
import io.entrepot.server.trace.TracingSettings;
import io.entrepot.server.webhook.WebhookSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration file of a server: a pool's, with the table {@code [server]} beside. Each setting can also be given by an
 * environment variable, {@code ENTREPOT_SERVER_PORT}, which goes over the file; flags go over both.
 * {@code docs/configuration.md} is made from this.
 */
public final class ServerSettings {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Setting<String> HOST = Setting.of("host", Kind.text(),
            "The address to listen on: `0.0.0.0` for all. Loopback is reached from this machine alone.")
            .or("127.0.0.1");
    private static final Setting<Integer> PORT = Setting.of("port", Kind.whole(0, 65_535),
            "The port; 0 for any that is free.").or(8420);
    private static final Setting<Long> MAX_UPLOAD = Setting.of("max-upload", Kind.bytes(1, 1L << 60),
            "How large a file may be that is sent.").or(1L << 40).reloadable();
    private static final Setting<Long> MAX_HEADER = Setting.of("max-header", Kind.bytes(1 << 10, 1 << 20),
            "How large the head of a request may be, with its query.").or(16L << 10)
            .tooSmall("long names and keys are refused.").tooLarge("each connection may hold so much memory.")
            .reloadable();
    private static final Setting<Long> MIN_RATE = Setting.of("min-upload-rate", Kind.bytes(0, 1L << 30),
            "How many bytes of a body must come in a second, on average over the idle timeout; 0 for any pace.")
            .or(128L)
            .tooSmall("clients that send a byte now and then keep what they have begun.")
            .tooLarge("clients on bad lines are cut off.").reloadable();
    private static final Setting<Duration> HEAD = Setting.of("head-timeout",
            Kind.duration(Duration.ofMillis(100), DAY),
            "How long the head of a request may take, from its first byte, and the handshake of TLS.")
            .or(Duration.ofSeconds(30)).tooLarge("clients that send a byte now and then keep their connections.")
            .reloadable();
    private static final Setting<Duration> IDLE = Setting.of("idle-timeout",
            Kind.duration(Duration.ofMillis(100), DAY),
            "How long a connection may be silent, also in the middle of an upload or download.")
            .or(Duration.ofSeconds(30)).tooSmall("clients on bad lines are cut off.")
            .tooLarge("clients that have gone keep their connection and what they have begun.").reloadable();
    private static final Setting<Duration> MAX_WAIT = Setting.of("max-wait", Kind.duration(Duration.ZERO, DAY),
            "How long a claim, or a look at a job, may wait for something to happen.").or(Duration.ofSeconds(60))
            .tooLarge("proxies in between cut the connection.").reloadable();
    private static final Setting<Integer> MAX_STREAMS = Setting.of("max-event-streams", Kind.whole(1, 100_000),
            "How many may follow the events at a time.").or(200)
            .tooLarge("each has two threads and reads the database.").reloadable();
    private static final Setting<Duration> DRAIN = Setting.of("drain-time", Kind.duration(Duration.ZERO, DAY),
            "How long a stop waits for requests that are under way; what is not done by then is abandoned safely.")
            .or(Duration.ofSeconds(20)).tooSmall("uploads are broken off, and sent again.")
            .tooLarge("a stop takes so long.").reloadable();
    private static final Setting<Integer> RATE = Setting.of("requests-per-second", Kind.whole(0, 1_000_000),
            "How many requests a key may make; 0 for no limit. Twice as many are taken at once.").or(0).reloadable();
    private static final Setting<Integer> FAILURES = Setting.of("failures-per-minute", Kind.whole(0, 100_000),
            "How many requests without a valid key are answered for an address, before it is told to wait; 0 for no"
                    + " limit.")
            .or(60).reloadable();
    private static final Setting<List<String>> CORS = Setting.of("cors-origins", Kind.listOf(Kind.text()),
            "Web pages of these origins, as `https://example.org`, may call the API from a browser.").or(List.of())
            .reloadable();
    private static final Setting<Optional<Path>> BACKUPS = Setting.of("backup-directory", Kind.path(),
            "Where backups are written that are asked for over HTTP by a name. Not set: `backups` in the pool's own"
                    + " directory.")
            .optional().reloadable();
    private static final Setting<Duration> AUDIT = Setting.of("audit-retention",
            Kind.duration(DAY, Duration.ofDays(36_500)),
            "How long it is known what administrators have done.").or(Duration.ofDays(365)).reloadable();
    private static final Setting<Boolean> LOG_REQUESTS = Setting.of("log-requests", Kind.truth(),
            "A line in the log for each request; if not, only for those that fail by our fault.").or(false)
            .reloadable();
    private static final Setting<LogFormat> LOG_FORMAT = Setting.of("log-format", Kind.choice(LogFormat.class),
            "Log lines for people, or a JSON object each.").or(LogFormat.TEXT).reloadable();

    private static final Setting<LogLevel> LOG_LEVEL = Setting.of("log-level", Kind.choice(LogLevel.class),
            "How much of what the server does is told in the log; `--debug` goes over it.").or(LogLevel.INFO)
            .reloadable();

    private static final Setting<Optional<Path>> CERTIFICATE = Setting.of("certificate", Kind.path(),
            "A PEM file with the certificate and those it was signed with.").optional().reloadable();
    private static final Setting<Optional<Path>> KEY = Setting.of("key", Kind.path(),
            "A PEM file with its private key, as PKCS#8, without a password.").optional().reloadable();
    private static final Setting<Optional<Path>> KEYSTORE = Setting.of("keystore", Kind.path(),
            "A PKCS#12 or JKS file with both, instead of the two.").optional().reloadable();
    private static final Setting<Optional<Secret>> PASSWORD = Setting.of("keystore-password", Kind.secret(),
            "The password of the keystore.").optional().reloadable();

    private static final Section<Optional<Tls>> TLS = new Section<>("tls",
            "HTTPS instead of HTTP, if a certificate is named. A reload takes a renewed certificate, also from the same files; from HTTP to"
                    + " HTTPS and back it is a restart.",
            List.of(CERTIFICATE, KEY, KEYSTORE, PASSWORD),
            ServerSettings::tls);
    private static final Section<ServerConfig> SERVER = new Section<>("server",
            "The HTTP server of `entrepot serve`. Each setting of this file, but those of lists of tables, can also be given by an"
                    + " environment variable: `server.idle-timeout` is `ENTREPOT_SERVER_IDLE_TIMEOUT`."
                    + " A reload is `entrepot config reload`, SIGHUP or `POST /v1/config/reload`.",
            List.of(HOST, PORT, MAX_UPLOAD, MIN_RATE, MAX_HEADER, HEAD, IDLE, MAX_WAIT, MAX_STREAMS, DRAIN, RATE,
                    FAILURES, CORS, BACKUPS, AUDIT, LOG_REQUESTS, LOG_FORMAT, LOG_LEVEL, TLS, WebhookSettings.SECTION,
                    TracingSettings.SECTION),
            ServerSettings::server);

    /** The whole file. */
    public static final Section<ServerConfig> ROOT = PoolSettings.with(List.of(SERVER),
            (pool, values) -> values.get(SERVER).withPool(pool));

    private ServerSettings() {}

    /**
     * A file, if there is one, under the environment and under what goes over that. Of the variables that all programs have for
     * OpenTelemetry, those that are about tracing count too, under our own.
     *
     * @throws ConfigurationException with all mistakes
     */
    public static Configuration<ServerConfig> read(Optional<Path> file, Map<String, String> environment,
            List<Source> over) {
        List<Source> sources = new ArrayList<>(TracingSettings.standard(environment));
        sources.addAll(Environment.sources(ROOT, "ENTREPOT", environment));
        sources.addAll(over);
        return Configuration.read(ROOT, file, Path.of(""), sources);
    }

    static ServerConfig defaults() {
        return Configuration.of(ROOT, Path.of(""), Map.of()).value();
    }

    private static Optional<Tls> tls(Values values) {
        Optional<Path> certificate = values.get(CERTIFICATE);
        Optional<Path> key = values.get(KEY);
        Optional<Path> keystore = values.get(KEYSTORE);
        if (certificate.isPresent() != key.isPresent() || (certificate.isPresent() && keystore.isPresent())
                || keystore.isPresent() != values.get(PASSWORD).isPresent()) {
            throw new IllegalArgumentException("name a certificate and its key, or a keystore and its password");
        }
        return keystore.<Tls>map(file -> new Tls.Keystore(file, values.get(PASSWORD).orElseThrow()))
                .or(() -> certificate.map(file -> new Tls.Pem(file, key.orElseThrow())));
    }

    private static ServerConfig server(Values values) {
        return new ServerConfig(PoolConfig.in(Path.of("")), values.get(HOST), values.get(PORT), values.get(TLS),
                values.get(MAX_UPLOAD), values.get(MIN_RATE), Math.toIntExact(values.get(MAX_HEADER)), values.get(HEAD),
                values.get(IDLE),
                values.get(MAX_WAIT), values.get(MAX_STREAMS), values.get(DRAIN), values.get(RATE),
                values.get(FAILURES), values.get(CORS), values.get(BACKUPS), values.get(AUDIT),
                values.get(LOG_REQUESTS), values.get(LOG_FORMAT), values.get(LOG_LEVEL),
                values.get(WebhookSettings.SECTION), values.get(TracingSettings.SECTION));
    }
}

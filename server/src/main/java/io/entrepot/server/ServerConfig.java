package io.entrepot.server;

import io.entrepot.pool.PoolConfig;
import io.entrepot.server.trace.TracingConfig;
import io.entrepot.server.webhook.WebhookConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a server is run. What each of these is for is told in {@link ServerSettings}.
 *
 * @param port             0 for any that is free
 * @param requestsPerSecond of each key; 0 for no limit
 * @param backups          where backups are written; empty for a directory beside the data
 */
public record ServerConfig(PoolConfig pool, String host, int port, Optional<Tls> tls, long maxUpload,
        long minUploadRate,
        int maxHeader, Duration headTimeout, Duration idleTimeout, Duration maxWait, int maxStreams, Duration drainTime,
        int requestsPerSecond,
        int failuresPerMinute, List<String> corsOrigins, Optional<Path> backups, Duration auditRetention,
        boolean logRequests, LogFormat logFormat, LogLevel logLevel, WebhookConfig webhooks, TracingConfig tracing) {

    /** How log lines are written. */
    public enum LogFormat {
        TEXT, JSON
    }

    /** What is told in the log. */
    public enum LogLevel {
        ERROR, WARN, INFO, DEBUG
    }

    /** Where the certificate and its key are. */
    public sealed interface Tls {
        /** Two PEM files: a chain of certificates, and a private key as PKCS#8 without a password. */
        record Pem(Path certificate, Path key) implements Tls {}

        record Keystore(Path file, io.entrepot.config.Secret password) implements Tls {}
    }

    public ServerConfig {
        corsOrigins = List.copyOf(corsOrigins);
    }

    /** The defaults, with everything in one directory. */
    public static ServerConfig in(Path directory) {
        return of(PoolConfig.in(directory));
    }

    public static ServerConfig of(PoolConfig pool) {
        return ServerSettings.defaults().withPool(pool);
    }

    public ServerConfig withPool(PoolConfig value) {
        return new ServerConfig(value, host, port, tls, maxUpload, minUploadRate, maxHeader, headTimeout, idleTimeout,
                maxWait, maxStreams,
                drainTime, requestsPerSecond, failuresPerMinute, corsOrigins, backups, auditRetention, logRequests,
                logFormat, logLevel, webhooks, tracing);
    }

    public ServerConfig withPort(int value) {
        return new ServerConfig(pool, host, value, tls, maxUpload, minUploadRate, maxHeader, headTimeout, idleTimeout,
                maxWait, maxStreams,
                drainTime, requestsPerSecond, failuresPerMinute, corsOrigins, backups, auditRetention, logRequests,
                logFormat, logLevel, webhooks, tracing);
    }

    /** Where backups are written. */
    public Path backupDirectory() {
        return backups.orElseGet(() -> pool.directory().resolve("backups"));
    }
}

package io.entrepot.spring;

import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.PoolException;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the server can be reached, takes the key, and can work. By a client of its own that tries once and not for long, so that
 * health is told within seconds although calls of the application wait for a server that restarts. Safe for use by many threads.
 */
final class ServerHealthIndicator extends AbstractHealthIndicator implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ClientConfig config;
    private final EntrepotClient client;
    private final FileHandlers handlers;

    ServerHealthIndicator(ClientConfig config, FileHandlers handlers) {
        super("the health of the server could not be told");
        this.config = config;
        this.handlers = handlers;
        this.client = EntrepotClient.connect(config.withDeadline(Duration.ZERO)
                .withConnectTimeout(shorter(config.connectTimeout())).withIdleTimeout(shorter(config.idleTimeout())));
    }

    private static Duration shorter(Duration time) {
        return time.compareTo(PATIENCE) < 0 ? time : PATIENCE;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.withDetail("server", config.server().toString());
        try {
            client.call("GET", "/health/ready", Optional.empty());
            client.call("GET", "/v1/me", Optional.empty());
            health.up();
        } catch (PoolException e) {
            health.down().withDetail("code", e.code()).withDetail("why", String.valueOf(e.getMessage()));
        }
        HandlerDetails.tell(health, handlers);
    }

    @Override
    public void close() {
        client.close();
    }
}

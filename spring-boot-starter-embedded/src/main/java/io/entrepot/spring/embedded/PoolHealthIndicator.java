package io.entrepot.spring.embedded;

import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeState;
import io.entrepot.spring.FileHandlers;
import io.entrepot.spring.HandlerDetails;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Whether the database can be read and some volume takes files; volumes that do not work are told. Safe for use by many threads.
 */
final class PoolHealthIndicator extends AbstractHealthIndicator {
    private final Pool pool;
    private final FileHandlers handlers;

    PoolHealthIndicator(Pool pool, FileHandlers handlers) {
        super("the health of the pool could not be told");
        this.pool = pool;
        this.handlers = handlers;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        try {
            List<VolumeInfo> volumes = pool.volumes().list();
            boolean some = volumes.stream().anyMatch(volume -> volume.health() == VolumeHealth.HEALTHY
                    && (volume.state() == VolumeState.ACTIVE || volume.state() == VolumeState.SPARE));
            health.status(some
                    ? Status.UP
                    : Status.DOWN);
            volumes.forEach(volume -> health.withDetail("volume." + volume.name(),
                    volume.problem().orElseGet(() -> volume.health().name())));
        } catch (PoolException e) {
            health.down().withDetail("code", e.code()).withDetail("why", String.valueOf(e.getMessage()));
        }
        HandlerDetails.tell(health, handlers);
    }
}

package io.entrepot.pool.metrics;

import io.entrepot.pool.Backlog;
import io.entrepot.pool.Pool;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Schedule;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How a pool is at one moment. What is asked for is kept by the pool, so a reading costs the same for ten files and ten
 * million; it grows with tenants and volumes.
 *
 * @param tenants by tag, summed up
 * @param jobs    those with a schedule; others come and go
 */
record Reading(Map<String, Share> tenants, Map<String, VolumeInfo> volumes, Map<String, JobStatus> jobs,
        Backlog backlog) {

    /** @param oldest since when the file waits that is next */
    record Share(TenantUsage usage, Optional<Instant> oldest) {

        Share and(Share other) {
            TenantUsage a = usage;
            TenantUsage b = other.usage;
            return new Share(new TenantUsage(a.files() + b.files(), a.bytes() + b.bytes(), a.pending() + b.pending(),
                    a.processing() + b.processing(), a.delayed() + b.delayed(), a.completed() + b.completed(),
                    a.failed() + b.failed(), a.held() + b.held()),
                    oldest.isEmpty() || (other.oldest.isPresent() && other.oldest.get().isBefore(oldest.get()))
                            ? other.oldest
                            : oldest);
        }
    }

    static Reading of(Pool pool, TenantTags tags) {
        Map<String, Share> tenants = new HashMap<>();
        List<Tenant> all = pool.tenants().list();
        for (Tenant tenant : all) {
            Share share = new Share(pool.tenants().usage(tenant.id()), pool.tenants().oldestPending(tenant.id()));
            tenants.merge(tags.of(tenant.id()), share, Share::and);
        }
        return new Reading(tenants,
                pool.volumes().list().stream().collect(Collectors.toMap(VolumeInfo::name, Function.identity())),
                pool.jobs().list().stream().filter(job -> job.schedule() instanceof Schedule.Every)
                        .collect(Collectors.toMap(job -> job.name().name(), Function.identity())),
                pool.backlog());
    }
}

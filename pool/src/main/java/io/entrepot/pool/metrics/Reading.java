package io.entrepot.pool.metrics;

import io.entrepot.pool.Backlog;
import io.entrepot.pool.Pool;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.job.JobStatus;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.watch.ImportBacklog;
import io.entrepot.store.Room;
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
 * @param room    on the disk of the database, where that is known
 */
record Reading(Map<String, Share> tenants, Map<Limited, Use> quotas, Map<String, VolumeInfo> volumes,
        Map<String, JobStatus> jobs, Map<String, ImportBacklog> imports, Backlog backlog, Optional<Room> room) {

    /** @param of what is limited: files or bytes */
    record Limited(String tenant, String of) {}

    /** @param share the largest of those that are summed up */
    record Use(double used, double limit, double share) {

        static Use of(long used, long limit) {
            return new Use(used, limit, limit == 0 ? 1 : (double) used / limit);
        }

        Use and(Use other) {
            return new Use(used + other.used, limit + other.limit, Math.max(share, other.share));
        }
    }

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

    static Reading of(Pool pool, NameTags ofTenants, NameTags ofWatchers) {
        Map<String, Share> tenants = new HashMap<>();
        Map<Limited, Use> quotas = new HashMap<>();
        List<Tenant> all = pool.tenants().list();
        for (Tenant tenant : all) {
            Share share = new Share(pool.tenants().usage(tenant.id()), pool.tenants().oldestPending(tenant.id()));
            String tag = ofTenants.of(tenant.id().name());
            tenants.merge(tag, share, Share::and);
            tenant.limits().files().ifPresent(most -> quotas.merge(new Limited(tag, "files"),
                    Use.of(share.usage().files(), most), Use::and));
            tenant.limits().bytes().ifPresent(most -> quotas.merge(new Limited(tag, "bytes"),
                    Use.of(share.usage().bytes(), most), Use::and));
        }
        Map<String, ImportBacklog> imports = new HashMap<>();
        pool.watchers().backlog().forEach((id, backlog) -> imports.merge(ofWatchers.of(id.name()), backlog,
                (a, b) -> new ImportBacklog(a.retrying() + b.retrying(), a.parked() + b.parked())));
        return new Reading(tenants, quotas,
                pool.volumes().list().stream().collect(Collectors.toMap(VolumeInfo::name, Function.identity())),
                pool.jobs().list().stream().filter(job -> job.schedule() instanceof Schedule.Every)
                        .collect(Collectors.toMap(job -> job.name().name(), Function.identity())),
                imports, pool.backlog(), pool.room());
    }
}

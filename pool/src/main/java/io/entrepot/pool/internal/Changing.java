package io.entrepot.pool.internal;

import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.Schedule;
import java.util.Map;

/**
 * Takes over, while the pool is open, what can be changed then. What may fail is done first; the rest is in memory and cannot, so
 * it is all taken or nothing is. Safe for use by many threads: one change at a time.
 */
final class Changing {
    static final JobName PROBE = new JobName("probe-volumes");

    private final Parts parts;
    private final CleanupDesk cleanup;

    Changing(Parts parts, CleanupDesk cleanup) {
        this.parts = parts;
        this.cleanup = cleanup;
    }

    synchronized void to(PoolConfig wanted) {
        PoolConfig before = parts.config();
        PoolConfig after = merged(before, wanted);
        Map<JobName, Schedule> schedules = cleanup.schedules(before.cleanup(), after.cleanup());
        if (!after.probeEvery().equals(before.probeEvery())) {
            schedules.put(PROBE, Schedule.every(after.probeEvery()));
        }
        parts.now().set(after);
        parts.volumes().use(after.placement(), after.spareBelow());
        schedules.forEach(parts.jobs()::reschedule);
    }

    /** What was opened with the rest stays as it is. */
    private static PoolConfig merged(PoolConfig before, PoolConfig wanted) {
        return before.withAutoCreateTenants(wanted.autoCreateTenants()).withRetry(wanted.retry())
                .withClaimTerm(wanted.claimTerm()).withUploadExpiry(wanted.uploadExpiry())
                .withPlacement(wanted.placement()).withSpareBelow(wanted.spareBelow())
                .withProbeEvery(wanted.probeEvery()).withCleanup(wanted.cleanup()
                        .withProtectedDirectories(before.cleanup().protectedDirectories()));
    }
}

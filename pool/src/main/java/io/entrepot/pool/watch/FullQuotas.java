package io.entrepot.pool.watch;

import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which quotas were found to be used up in one look, so that the next files need not be read to be refused. A hint: who is not
 * found here is tried. Safe for use by many threads.
 */
final class FullQuotas {
    private static final int MOST_DIRECTORIES = 1000;

    /** The smallest file of a tenant that was refused: one that is no smaller will be. */
    private final Map<TenantId, Long> tenants = new ConcurrentHashMap<>();
    private final Set<Where> directories = ConcurrentHashMap.newKeySet();

    private record Where(TenantId tenant, String directory) {}

    void add(Imports.Job job, PoolException why) {
        if (why instanceof DirectoryQuotaExceededException) {
            if (directories.size() >= MOST_DIRECTORIES) {
                directories.clear();
            }
            directories.add(where(job));
        } else {
            tenants.merge(job.place().tenant(), job.entry().size(), Math::min);
        }
    }

    /** Not one that is too large for its tenant: that is tried, and so found out not to be for want of room. */
    boolean refuses(Imports.Job job) {
        long size = job.entry().size();
        return (size >= tenants.getOrDefault(job.place().tenant(), Long.MAX_VALUE)
                || directories.contains(where(job)))
                && job.place().row().stream().allMatch(row -> row.tenant().limits().admit(size));
    }

    private static Where where(Imports.Job job) {
        return new Where(job.place().tenant(), NameText.directory(job.place().inside()));
    }
}

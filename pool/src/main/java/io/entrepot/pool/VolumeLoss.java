package io.entrepot.pool;

import java.util.List;

/**
 * What giving up a volume has taken, or would take: see {@link Volumes#giveUp}.
 *
 * @param dryRun    nothing was changed
 * @param tenants   whose files are lost, by name
 * @param saved     files that are not: the database still had their bytes, and they are on other volumes now
 * @param uploads   that were under way there and are dropped
 * @param unmounted the volume is no longer one of the pool; if not, giving it up did not come to its end
 * @param problems  what could not be looked at
 */
public record VolumeLoss(String volume, boolean dryRun, List<Loss> tenants, long saved, long uploads,
        boolean unmounted, List<String> problems) {

    /** Of one tenant. */
    public record Loss(TenantId tenant, long files, long bytes) {}

    public VolumeLoss {
        tenants = List.copyOf(tenants);
        problems = List.copyOf(problems);
    }

    /** How many are lost. */
    public long files() {
        return tenants.stream().mapToLong(Loss::files).sum();
    }

    /** Of the files that are lost. */
    public long bytes() {
        return tenants.stream().mapToLong(Loss::bytes).sum();
    }
}

package io.entrepot.pool;

import java.time.Instant;
import java.util.List;

/**
 * What reading all files has found.
 *
 * @param files    that were read
 * @param bytes    that were read
 * @param damage   the first of the damaged files
 * @param damaged  how many there are
 * @param problems what could not be read, and why
 * @param complete false if it was stopped before its end
 */
public record ScrubReport(Instant started, Instant ended, long files, long bytes, List<Damage> damage, long damaged,
        List<String> problems, boolean complete) {

    /** A file whose bytes are gone, or not those that were written. */
    public record Damage(TenantId tenant, FileKey key, String volume, String why) {}

    public ScrubReport {
        damage = List.copyOf(damage);
        problems = List.copyOf(problems);
    }
}

package io.entrepot.pool;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a recovery has done, and what it could not know.
 *
 * @param cause      why there was one
 * @param aside      where the damaged files are now, if there were any
 * @param backup     what was restored, if anything
 * @param settings   where tenants, rules and volumes were read from, if not from the backup
 * @param tenants    what became of their files
 * @param unreadable files whose bytes or descriptions could not be read, the first {@value #MOST}
 * @param unknown    what nobody can tell any more and people should look at, the first {@value #MOST}
 * @param file       where all of this is written down, with the name of each file
 */
public record RecoveryReport(Instant at, String cause, Optional<Path> aside, Optional<Path> backup,
        Optional<Location> settings, SortedMap<TenantId, Files> tenants, List<String> unreadable, List<String> unknown,
        Path file) {
    public static final int MOST = 1000;

    /**
     * A tenant's files.
     *
     * @param rebuilt   found on a volume and in no book: now held
     * @param bytes     of those
     * @param held      known from the backup, with bytes that only it has: now held, each as a new file
     * @param relocated found on another volume than the backup says
     * @param deleted   known to be gone, or second copies: their bytes were still there
     * @param lost      known from the backup, and their bytes are gone: completed or deleted since, and taken out of the books
     */
    public record Files(long rebuilt, long bytes, long held, long relocated, long deleted, long lost) {
        public static final Files NONE = new Files(0, 0, 0, 0, 0, 0);

        public Files plus(Files more) {
            return new Files(rebuilt + more.rebuilt, bytes + more.bytes, held + more.held,
                    relocated + more.relocated, deleted + more.deleted, lost + more.lost);
        }
    }

    public RecoveryReport {
        tenants = Collections.unmodifiableSortedMap(new TreeMap<>(tenants));
        unreadable = List.copyOf(unreadable);
        unknown = List.copyOf(unknown);
    }

    /** Of all tenants. */
    public Files total() {
        return tenants.values().stream().reduce(Files.NONE, Files::plus);
    }

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Recovery of " + at + ": " + cause);
        lines.add(
                aside.map(path -> "The damaged files are in " + path + ".").orElse("There was nothing to set aside."));
        lines.add(backup.map(path -> "Restored from the backup " + path + ".").orElse("No backup was restored."));
        lines.add(settings.map(path -> "Tenants, rules and volumes are those of " + path + ".")
                .orElse("No settings were found beside the database."));
        tenants.forEach((tenant, files) -> lines.add("Tenant " + tenant + ": " + files.rebuilt + " files with "
                + files.bytes + " bytes rebuilt and held, " + files.held + " held as new files, " + files.relocated
                + " found elsewhere, " + files.deleted + " leftovers deleted, " + files.lost
                + " taken out as their bytes are gone."));
        unreadable.forEach(line -> lines.add("Unreadable: " + line));
        unknown.forEach(line -> lines.add("Unknown: " + line));
        return lines;
    }
}

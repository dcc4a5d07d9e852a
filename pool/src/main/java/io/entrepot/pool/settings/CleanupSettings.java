package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.OrphanAction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code [cleanup]}. */
final class CleanupSettings {
    private static final CleanupConfig USUAL = CleanupConfig.DEFAULT;
    private static final Duration LONGEST = Duration.ofDays(3650);
    private static final Kind<Duration> AGE = Kind.duration(Duration.ZERO, LONGEST);
    /** A default that is a time needs a word for never. */
    private static final Kind<Optional<Duration>> INTERVAL = Kind.duration(Duration.ZERO, LONGEST).as(
            "a duration, or \"0s\" for only by hand",
            value -> Optional.of(value).filter(Duration::isPositive), value -> value.orElse(Duration.ZERO));

    private static final Setting<Optional<Duration>> EVERY = Setting.of("every", INTERVAL,
            "How often everything is cleaned but orphans.").or(USUAL.every())
            .tooSmall("the disks are read for nothing.").tooLarge("what is to go stays longer.").reloadable();
    private static final Setting<Optional<Duration>> PROCESSING_TIMEOUT = Setting.of("processing-timeout",
            Kind.duration(Duration.ofMillis(1), LONGEST),
            "Files that a worker has had for longer are taken from it, although its lease runs on. Not set: leases alone"
                    + " decide.")
            .optional().tooSmall("slow workers lose their files.")
            .tooLarge("a worker that renews and does nothing keeps its file.").reloadable();
    private static final Setting<Duration> FAILED = Setting.of("failed-retention", AGE,
            "How long files are kept that have failed for good.").or(USUAL.failedRetention())
            .tooSmall("nobody has looked at them yet.").tooLarge("they fill the volumes and the quotas.").reloadable();
    private static final Setting<Optional<Duration>> COMPLETED = Setting.of("completed-retention", AGE,
            "How long files are kept that were completed and kept. Not set: for ever.").optional()
            .tooSmall("somebody still wanted them.").tooLarge("they fill the volumes and the quotas.").reloadable();
    private static final Setting<Optional<Path>> EXPORT = Setting.of("export-directory", Kind.path(),
            "Where completed files are moved to when their time is over. Not set: they are deleted.").optional()
            .reloadable();
    private static final Setting<OrphanAction> ORPHANS = Setting.of("orphans", Kind.choice(OrphanAction.class),
            "What is done with bytes that no file has.").or(USUAL.orphans()).reloadable();
    private static final Setting<Duration> ORPHAN_AGE = Setting.of("orphan-age", AGE,
            "How long they must have been there.").or(USUAL.orphanAge())
            .tooSmall("one process may take another's new file for an orphan.").tooLarge("they fill the volume.")
            .reloadable();
    private static final Setting<Optional<Duration>> ORPHANS_EVERY = Setting.of("orphans-every", INTERVAL,
            "How often they are looked for. Every file of every volume is looked at.").or(USUAL.orphansEvery())
            .reloadable();
    private static final Setting<Duration> TEMPORARY_AGE = Setting.of("temporary-age", AGE,
            "How long what was begun and never finished is kept after its last change.").or(USUAL.temporaryAge())
            .tooSmall("a writer that pauses finds its file gone.").tooLarge("it fills the volume.").reloadable();
    private static final Setting<Duration> EVENTS = Setting.of("event-retention", AGE,
            "How long events can be read.").or(USUAL.eventRetention())
            .tooSmall("a listener that was away misses some.").tooLarge("the database grows.").reloadable();
    private static final Setting<Optional<Duration>> COMPACT_EVERY = Setting.of("compact-every", INTERVAL,
            "How often databases give back space that they do not use.").or(USUAL.compactEvery())
            .tooSmall("much is read and written for nothing.").tooLarge("the disk fills with it.").reloadable();
    private static final Setting<Optional<Duration>> SCRUB_EVERY = Setting.of("scrub-every", INTERVAL,
            "How often all files are read and compared with their checksums.").or(USUAL.scrubEvery())
            .tooSmall("the disks are busy with it.")
            .tooLarge("damage is found when the storage's own copies are gone.").reloadable();
    private static final Setting<Long> SCRUB_RATE = Setting.of("scrub-rate", Kind.bytes(1, 1L << 50),
            "How much is read for that in a second at most.").or(USUAL.scrubBytesPerSecond())
            .tooSmall("a round takes longer than the time between two.").tooLarge("others wait for the disk.")
            .reloadable();
    private static final Setting<List<String>> PROTECTED = Setting.of("protected-directories",
            Kind.listOf(Kind.text()),
            "Directories of volumes, from their roots, that stay although they are empty: `acme`, `*`, `acme/**`.")
            .or(USUAL.protectedDirectories());

    static final Section<Change> TABLE = new Section<>("cleanup", "How the pool tidies up after itself.",
            List.of(EVERY, PROCESSING_TIMEOUT, FAILED, COMPLETED, EXPORT, ORPHANS, ORPHAN_AGE, ORPHANS_EVERY,
                    TEMPORARY_AGE, EVENTS, COMPACT_EVERY, SCRUB_EVERY, SCRUB_RATE, PROTECTED),
            CleanupSettings::read);

    private CleanupSettings() {}

    private static Change read(Values values) {
        CleanupConfig cleanup = Change.checked(() -> new CleanupConfig(values.get(EVERY),
                values.get(PROCESSING_TIMEOUT), values.get(FAILED), values.get(COMPLETED), values.get(EXPORT),
                values.get(ORPHANS), values.get(ORPHAN_AGE), values.get(ORPHANS_EVERY), values.get(TEMPORARY_AGE),
                values.get(EVENTS), values.get(COMPACT_EVERY), values.get(SCRUB_EVERY), values.get(SCRUB_RATE),
                values.get(PROTECTED)));
        return config -> config.withCleanup(cleanup);
    }
}

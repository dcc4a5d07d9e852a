package io.entrepot.pool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a pool tidies up after itself.
 *
 * @param every                how often everything is cleaned but orphans; empty: only by hand. Too often: the disks are read for
 *                             nothing; too seldom: what is to go stays longer
 * @param processingTimeout    files that a worker has had for longer are taken from it, although its lease runs on; empty: leases
 *                             alone decide. Too short: slow workers lose their files and do their work for nothing; too long:
 *                             a worker that renews and does nothing keeps its file
 * @param failedRetention      how long files are kept that have failed for good. Too short: nobody has looked at them yet; too
 *                             long: they fill the volumes and the quotas
 * @param completedRetention   how long files are kept that were completed and kept; empty: for ever. Too short: somebody still
 *                             wanted them; too long: they fill the volumes and the quotas
 * @param exportDirectory      where completed files are moved to when their time is over; empty: they are deleted
 * @param orphans              what the job {@code orphans} does, unless told otherwise
 * @param orphanAge            how long bytes without a file must have been there, by the storage's clock, and known to us, by
 *                             ours. Too short: where several processes write, one may take another's new file for an orphan;
 *                             too long: they fill the volume
 * @param orphansEvery         how often orphans are looked for; empty: only by hand. Every file of every volume is looked at
 * @param temporaryAge         how long what was begun and never finished is kept after its last change. Too short: a writer that
 *                             pauses finds its file gone; too long: it fills the volume
 * @param eventRetention       how long events can be read. Too short: a reader that was away misses some; too long: the database
 *                             grows
 * @param compactEvery         how often databases give back space that they do not use; empty: only by hand. Too often: it is
 *                             read and written for nothing; too seldom: the disk fills with it
 * @param scrubEvery           how often all files are read and compared with their checksums; empty: only by hand. Too often: the
 *                             disks are busy with it; too seldom: damage is found when the storage's own copies are gone
 * @param scrubBytesPerSecond  how fast at most. Too much: others wait for the disk; too little: a round takes longer than the
 *                             time between two
 * @param protectedDirectories of volumes, from their roots, that stay although they are empty: {@code acme}, {@code *}, where
 *                             {@code *} is any part of a name and {@code **} of a path. Too many: empty directories add up
 */
public record CleanupConfig(Optional<Duration> every, Optional<Duration> processingTimeout, Duration failedRetention,
        Optional<Duration> completedRetention, Optional<Path> exportDirectory, OrphanAction orphans,
        Duration orphanAge, Optional<Duration> orphansEvery, Duration temporaryAge, Duration eventRetention,
        Optional<Duration> compactEvery, Optional<Duration> scrubEvery, long scrubBytesPerSecond,
        List<String> protectedDirectories) {
    public static final CleanupConfig DEFAULT = new CleanupConfig(Optional.of(Duration.ofHours(1)), Optional.empty(),
            Duration.ofDays(7), Optional.empty(), Optional.empty(), OrphanAction.DELETE, Duration.ofHours(1),
            Optional.empty(), Duration.ofDays(1), Duration.ofDays(7), Optional.of(Duration.ofDays(7)),
            Optional.of(Duration.ofDays(30)), 32L << 20, List.of());
    private static final Pattern DIRECTORY = Pattern.compile("[^/\\x00]+(/[^/\\x00]+)*");

    public CleanupConfig {
        protectedDirectories = List.copyOf(protectedDirectories);
        for (Optional<Duration> interval : List.of(every, orphansEvery, compactEvery, scrubEvery)) {
            if (interval.filter(value -> value.compareTo(Duration.ofSeconds(1)) < 0).isPresent()) {
                throw new InvalidSettingException("cleaning is done every second at most: " + interval.get());
            }
        }
        if (processingTimeout.filter(value -> !value.isPositive()).isPresent()) {
            throw new InvalidSettingException("the processing timeout is longer than nothing: "
                    + processingTimeout.get());
        }
        for (Duration age : List.of(failedRetention, completedRetention.orElse(Duration.ZERO), orphanAge, temporaryAge,
                eventRetention)) {
            if (age.isNegative()) {
                throw new InvalidSettingException("nothing is kept for less than no time: " + age);
            }
        }
        if (scrubBytesPerSecond < 1) {
            throw new InvalidSettingException("at least a byte a second is read: " + scrubBytesPerSecond);
        }
        protectedDirectories.stream().filter(path -> !DIRECTORY.matcher(path).matches()).findFirst().ifPresent(path -> {
            throw new InvalidSettingException("\"" + path + "\" is not a directory of a volume: write it from the"
                    + " volume's root, without slashes at its ends");
        });
    }

    public CleanupConfig withEvery(Optional<Duration> value) {
        return new CleanupConfig(value, processingTimeout, failedRetention, completedRetention, exportDirectory,
                orphans, orphanAge, orphansEvery, temporaryAge, eventRetention, compactEvery, scrubEvery,
                scrubBytesPerSecond, protectedDirectories);
    }

    public CleanupConfig withProcessingTimeout(Optional<Duration> value) {
        return new CleanupConfig(every, value, failedRetention, completedRetention, exportDirectory, orphans,
                orphanAge, orphansEvery, temporaryAge, eventRetention, compactEvery, scrubEvery, scrubBytesPerSecond,
                protectedDirectories);
    }

    public CleanupConfig withFailedRetention(Duration value) {
        return new CleanupConfig(every, processingTimeout, value, completedRetention, exportDirectory, orphans,
                orphanAge, orphansEvery, temporaryAge, eventRetention, compactEvery, scrubEvery, scrubBytesPerSecond,
                protectedDirectories);
    }

    /** @param directory where they are moved to then; empty: they are deleted */
    public CleanupConfig withCompletedRetention(Optional<Duration> value, Optional<Path> directory) {
        return new CleanupConfig(every, processingTimeout, failedRetention, value, directory, orphans, orphanAge,
                orphansEvery, temporaryAge, eventRetention, compactEvery, scrubEvery, scrubBytesPerSecond,
                protectedDirectories);
    }

    public CleanupConfig withOrphans(OrphanAction action, Duration age, Optional<Duration> interval) {
        return new CleanupConfig(every, processingTimeout, failedRetention, completedRetention, exportDirectory,
                action, age, interval, temporaryAge, eventRetention, compactEvery, scrubEvery, scrubBytesPerSecond,
                protectedDirectories);
    }

    public CleanupConfig withTemporaryAge(Duration value) {
        return new CleanupConfig(every, processingTimeout, failedRetention, completedRetention, exportDirectory,
                orphans, orphanAge, orphansEvery, value, eventRetention, compactEvery, scrubEvery,
                scrubBytesPerSecond, protectedDirectories);
    }

    public CleanupConfig withEventRetention(Duration value) {
        return new CleanupConfig(every, processingTimeout, failedRetention, completedRetention, exportDirectory,
                orphans, orphanAge, orphansEvery, temporaryAge, value, compactEvery, scrubEvery, scrubBytesPerSecond,
                protectedDirectories);
    }

    public CleanupConfig withCompactEvery(Optional<Duration> value) {
        return new CleanupConfig(every, processingTimeout, failedRetention, completedRetention, exportDirectory,
                orphans, orphanAge, orphansEvery, temporaryAge, eventRetention, value, scrubEvery,
                scrubBytesPerSecond, protectedDirectories);
    }

    public CleanupConfig withScrub(Optional<Duration> interval, long bytesPerSecond) {
        return new CleanupConfig(every, processingTimeout, failedRetention, completedRetention, exportDirectory,
                orphans, orphanAge, orphansEvery, temporaryAge, eventRetention, compactEvery, interval,
                bytesPerSecond, protectedDirectories);
    }

    public CleanupConfig withProtectedDirectories(List<String> value) {
        return new CleanupConfig(every, processingTimeout, failedRetention, completedRetention, exportDirectory,
                orphans, orphanAge, orphansEvery, temporaryAge, eventRetention, compactEvery, scrubEvery,
                scrubBytesPerSecond, value);
    }
}

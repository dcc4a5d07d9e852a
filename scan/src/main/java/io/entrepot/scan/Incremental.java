package io.entrepot.scan;

import java.time.Duration;

/**
 * How to save work in a scan after others: the files of directories that are {@linkplain Remembered#isSilent silent} are not
 * looked at, but for those whose turn it is. Immutable, as far as the memory is.
 *
 * @param memory   what earlier scans saw
 * @param rotation which silent directories are read in full this time, as files may change without their directory
 * @param margin   how much older than its listing the times of a directory must be to be trusted. It has to cover the
 *                 granularity of the storage's clock (2 s on FAT) and the error of {@link Remembered#listedAt}; if it is too
 *                 short, a change made right after a listing is not seen until the rotation comes by; if it is too long,
 *                 directories that have just changed are read once or twice more
 */
public record Incremental(ScanMemory memory, Rotation rotation, Duration margin) {
    public static final Duration USUAL_MARGIN = Duration.ofSeconds(2);

    public Incremental {
        if (margin.isNegative() || margin.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a margin of nothing to a day, not " + margin);
        }
    }

    public static Incremental of(ScanMemory memory, Rotation rotation) {
        return new Incremental(memory, rotation, USUAL_MARGIN);
    }
}

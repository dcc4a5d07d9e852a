package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.EpochNanos;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Tells the storage's time, as it shows in the times of files, from our own: our wall clock, and how far the storage's is
 * ahead of it. On a local disk they are one clock; on network storage the drift is to be estimated from fresh writes. Safe
 * for use by many threads.
 *
 * @param drift how far the storage is ahead; less than nothing if it is behind
 */
public record StorageClock(BootClock clock, InstantSource wall, Duration drift) {

    public static StorageClock local(BootClock clock, InstantSource wall) {
        return new StorageClock(clock, wall, Duration.ZERO);
    }

    /**
     * The storage's time at a moment on the boot clock, such as the beginning of a listing, as {@link EpochNanos}. Ask soon
     * after that moment: a wall clock that is set in between is not noticed.
     */
    public long at(long moment) {
        long ago = clock.nanos() - moment;
        return EpochNanos.of(wall.instant().plus(drift).minusNanos(ago));
    }
}

package io.entrepot.scan;

import io.entrepot.posix.EpochNanos;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * How far the clock of a storage is ahead of ours, told from fresh writes: somebody has just made or changed a file, and the
 * storage has stamped it. Only the change time is taken, which nobody but the storage sets; modification times are data.
 * <p>
 * The middle one of the recent samples counts, and those far from it do not: an event that was looked at late, or a close long
 * after the last write, gives a sample that is too old. Safe for use by many threads: one at a time.
 */
public final class ClockDrift {
    private static final int MOST = 64;
    private static final int LEAST = 5;
    private static final long OLDEST = Duration.ofHours(1).toNanos();
    /** What the kernel's coarse clock and the way of an event take in any case. */
    private static final long GRAIN = Duration.ofMillis(20).toNanos();

    private final InstantSource wall;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    private record Sample(long takenAt, long ahead) {}

    /**
     * @param drift   the storage's clock minus ours; zero as long as it is not known
     * @param error   how far it may be off
     * @param samples those it rests on
     */
    public record Estimate(Duration drift, Duration error, int samples) {
        public static final Estimate NONE = new Estimate(Duration.ZERO, Duration.ZERO, 0);

        public boolean isKnown() {
            return samples >= LEAST;
        }

        /** A time of the storage, as our clock would have shown it. See {@link EpochNanos}. */
        public long toOurs(long storageTime) {
            long ours = storageTime - drift.toNanos();
            // Times at the edges stay there.
            return ((storageTime ^ drift.toNanos()) & (storageTime ^ ours)) < 0 ? storageTime : ours;
        }
    }

    public ClockDrift(InstantSource wall) {
        this.wall = wall;
    }

    /** What a fact tells: nothing unless somebody has just changed the file. */
    public void sample(Fact fact) {
        if (fact instanceof Fact.Present present && present.entry().isKnown()) {
            switch (present.cause()) {
                case CREATED, MODIFIED, ATTRIBUTES -> sample(present.entry().ctime());
                case CLOSED -> {
                    if (present.entry().ctime() == present.entry().mtime()) {
                        sample(present.entry().ctime());
                    }
                }
                case DELETED, MOVED_HERE, MOVED_AWAY, FOUND_CHANGED -> {
                    // A move leaves the times as they are on some file systems; what was found may be old.
                }
            }
        }
    }

    /** @param stamped when the storage says that something happened which we have just heard of */
    public synchronized void sample(long stamped) {
        long now = EpochNanos.of(wall.instant());
        long ahead = stamped - now;
        if (((stamped ^ now) & (stamped ^ ahead)) < 0) {
            return; // centuries
        }
        if (samples.size() == MOST) {
            samples.poll();
        }
        samples.add(new Sample(now, ahead));
    }

    public synchronized Estimate estimate() {
        long now = EpochNanos.of(wall.instant());
        samples.removeIf(sample -> Math.abs(now - sample.takenAt) > OLDEST);
        if (samples.size() < LEAST) {
            return Estimate.NONE;
        }
        long middle = middle(samples.stream().mapToLong(Sample::ahead).toArray());
        long usual = middle(samples.stream().mapToLong(sample -> distance(sample.ahead, middle)).toArray());
        long far = Math.max(GRAIN, usual < Long.MAX_VALUE / 4 ? 3 * usual : Long.MAX_VALUE);
        long[] near = samples.stream().mapToLong(Sample::ahead).filter(ahead -> distance(ahead, middle) <= far)
                .toArray();
        long drift = middle(near);
        long error = Arrays.stream(near).map(ahead -> distance(ahead, drift)).max().orElse(0);
        return new Estimate(Duration.ofNanos(drift), Duration.ofNanos(Math.max(GRAIN, error)), near.length);
    }

    private static long distance(long a, long b) {
        long distance = Math.abs(a - b);
        return distance < 0 ? Long.MAX_VALUE : distance;
    }

    private static long middle(long[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}

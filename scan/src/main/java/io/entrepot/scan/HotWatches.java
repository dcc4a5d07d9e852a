package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Notification;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A {@link Watcher} on those directories of a tree that a {@link HotWatchSet} chooses. Each scan that is {@linkplain #adapt
 * shown} to it moves the watches to where something happens; one that is given up is a {@link Fact.Rescan} with
 * {@link Fact.Reason#UNWATCHED}, and left to the audit from then on. Safe for use by many threads.
 */
public final class HotWatches implements AutoCloseable {
    private final Watcher watcher;
    private final HotWatchSet set;
    private final ClockDrift drift;
    private final InstantSource wall;
    private final Notification notification;
    private final int wanted;

    private HotWatches(Watcher watcher, HotWatchSet set, ClockDrift drift, InstantSource wall,
            Notification notification, int wanted) {
        this.watcher = watcher;
        this.set = set;
        this.drift = drift;
        this.wall = wall;
        this.notification = notification;
        this.wanted = wanted;
    }

    /**
     * Begins with the root alone.
     *
     * @param settings the limit is what is wanted; the kernel may allow less
     * @param consumer as for {@link Watcher#open}
     */
    public static HotWatches open(FileCalls calls, BootClock clock, InstantSource wall, BytePath root,
            Watcher.Settings settings, HotWatchSet.Settings calm, Consumer<? super Fact> consumer) throws IOException {
        HotWatchSet set = new HotWatchSet(root, calm);
        ClockDrift drift = new ClockDrift(wall);
        Watcher watcher = Watcher.open(calls, clock, root,
                new Watcher.Settings(false, settings.limit(), settings.bufferBytes(), settings.ignored()), fact -> {
                    drift.sample(fact);
                    if (fact instanceof Fact.Present || fact instanceof Fact.Absent) {
                        fact.path().parent().ifPresent(above -> set.active(above, EpochNanos.of(wall.instant())));
                    }
                    consumer.accept(fact);
                });
        return new HotWatches(watcher, set, drift, wall, calls.notification().orElseThrow(), settings.limit());
    }

    /**
     * Moves the watches. Not for consumers, as it waits for their thread.
     *
     * @param scanned all directories of the tree, as the last scan saw them
     * @return what will be when it is done, which is soon
     */
    public WatchReport adapt(Iterable<DirectoryTimes> scanned) throws IOException, InterruptedException {
        int kernelLimit = notification.limits().watches();
        Watcher.Status status = watcher.status();
        // What the kernel refused may have been freed by others: a little more is asked for each time.
        int refusedAt = (int) Math.min(wanted, status.limit() + 1L + status.limit() / 8);
        int limit = HotWatchSet.affordable(status.kernelRefused() ? refusedAt : wanted, kernelLimit);
        Set<BytePath> watched = watcher.watched();
        WatchPlan plan = set.plan(scanned, watched, drift.estimate(), EpochNanos.of(wall.instant()), limit, kernelLimit,
                status.kernelRefused());
        watcher.limit(limit);
        plan.leave().forEach(watcher::unwatch);
        plan.watch().forEach(watcher::watch);
        return plan.report();
    }

    public Watcher watcher() {
        return watcher;
    }

    public ClockDrift.Estimate drift() {
        return drift.estimate();
    }

    @Override
    public void close() {
        watcher.close();
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.job.Schedule;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.time.Duration;
import java.util.Optional;

/**
 * When jobs have run that run every few days: a process that is restarted more often than that would never come to them. Safe for
 * use by many threads.
 */
final class Almanac {
    /** What is overdue when the pool is opened waits so long: those who open it want to use it first. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final Store main;

    Almanac(Store main) {
        this.main = main;
    }

    private static Counter last(String job) {
        return new Counter("pool.job." + job, 0);
    }

    /** The first time is one interval after the first asking. */
    Schedule schedule(String job, Optional<Duration> every) {
        if (every.isEmpty()) {
            return Schedule.byHand();
        }
        record Times(long last, long now) {}
        Times times = main.read(snapshot -> new Times(snapshot.count(last(job)), snapshot.now()));
        if (times.last == 0) {
            ran(job);
            return Schedule.every(every.get());
        }
        Duration left = every.get().minusMillis(times.now - times.last);
        return Schedule.every(every.get(), left.compareTo(GRACE) < 0 ? GRACE : left);
    }

    void ran(String job) {
        main.write(Owner.SYSTEM, tx -> {
            tx.add(last(job), tx.now() - tx.count(last(job)));
            return true;
        });
    }
}

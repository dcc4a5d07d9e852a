package io.entrepot.cli.access;

import io.entrepot.pool.job.RunReport;
import java.time.Duration;
import java.util.Optional;

/** Long work that was started, for who waits for it. Safe for use by many threads. */
public interface LongWork<R> {

    /** How it is, as far as known here. */
    RunReport report();

    /** Waits until it has ended, or nobody is to wait for it any longer; nothing if neither is so by then. */
    Optional<RunReport> await(Duration longest) throws InterruptedException;

    /**
     * Nobody waits for it any longer: it is asked to stop where that does no harm. What belongs to the pool and not to who waits,
     * as a drain, goes on where the pool stays open.
     */
    void stop();

    /** What came of it. To be asked when it has ended. @throws io.entrepot.pool.PoolException if it failed altogether */
    R result();
}

package io.entrepot.pool.internal;

/** One kind of cleaning. What it does it tells the tally; in a dry run it only tells. */
@FunctionalInterface
interface Sweep {
    void run(Tally tally) throws Exception;
}

package io.entrepot.bench.queue;

import java.util.List;

/**
 * What is measured: a queue from which workers claim and in which they finish, both durable when they return.
 *
 * @param <C> what a worker has claimed
 */
public interface PairQueue<C> {

    /** Up to so many items of the tenant, from now on the caller's; empty when there are none. */
    List<C> claim(int tenant, int count) throws Exception;

    /** Done with them. */
    void finish(int tenant, List<C> claimed) throws Exception;
}

package io.entrepot.store;

import java.util.List;

/**
 * A kind of request that is cheaper for many callers at once: the store hands all requests of one operation that wait
 * for the same commit to a single call. Instances are compared by identity and kept for the life of the program.
 *
 * @param <Q> one caller's request
 * @param <R> one caller's result; a refusal is best a value of it
 */
public interface Operation<Q, R> {

    /**
     * Answers each request, in the order given. If it throws while there are several requests, nothing of it remains
     * and each is run again on its own, so that one bad request fails only its own caller.
     */
    List<R> run(Transaction tx, List<Q> requests);

    /**
     * Whether this request may run beside units of work of other groups, where the database can do that: then it is
     * faster, and sees after each statement what others have committed meanwhile. Only for what is right all the same, needs
     * no numbers that are taken in order ({@link Transaction#next}, {@link Transaction#publish}), and whose effects may run
     * in another order than their commits, beside others'.
     */
    default boolean concurrent(Q request) {
        return false;
    }

    /**
     * Called on the caller's thread once the request waits for its turn: what is begun here goes on beside the transaction and holds it
     * up by nothing. It must be short and throw nothing. The request may be run before this, beside it or after; its caller is answered after.
     */
    default void underWay(Q request) {}

    default Cost cost(Q request) {
        return Cost.ONE;
    }
}

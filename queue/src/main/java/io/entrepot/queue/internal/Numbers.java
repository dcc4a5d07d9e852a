package io.entrepot.queue.internal;

import io.entrepot.queue.NumberNotReservedException;
import io.entrepot.queue.NumberTakenException;
import io.entrepot.store.Counter;
import io.entrepot.store.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of a store's items, of all its owners together: handed out in order, at a put or beforehand.
 *
 * <p>INVARIANT: no item has a number greater than the counter, so what is handed out next is nobody's.
 *
 * <p>Where one process has the store, a number that was handed out beforehand is remembered until it first comes back: nobody can
 * have used it before, and the database need not be asked. Safe for use by many threads.
 */
final class Numbers {
    private static final Counter LAST = new Counter("queue.item", 0);
    /** Those that never come back must not fill the memory. */
    private static final int MOST_REMEMBERED = 100_000;

    private final Past past;
    private final boolean alone;
    private final Set<Long> unused = ConcurrentHashMap.newKeySet();

    Numbers(Past past, boolean alone) {
        this.past = past;
        this.alone = alone;
    }

    /** Takes that many beforehand, and returns the first. */
    long reserve(Transaction tx, int n) {
        long first = take(tx, n);
        if (alone && n <= MOST_REMEMBERED) {
            tx.afterCommit(() -> remember(first, n));
        }
        return first;
    }

    private void remember(long first, int n) {
        if (unused.size() + n > MOST_REMEMBERED) {
            unused.clear();
        }
        for (int i = 0; i < n; i++) {
            unused.add(first + i);
        }
    }

    /** Takes that many, and returns the first. */
    long take(Transaction tx, int n) {
        return tx.next(LAST, n);
    }

    /** What is taken from now on is greater. */
    void takeUpTo(Transaction tx, long number) {
        tx.add(LAST, Math.max(0, number - tx.count(LAST)));
    }

    /** Refuses numbers that were not handed out, and those of items that are there or remembered. */
    void requireFree(Transaction tx, List<Long> given) {
        if (given.isEmpty()) {
            return;
        }
        long last = tx.count(LAST);
        Set<Long> different = new HashSet<>();
        for (long number : given) {
            if (number > last) {
                throw new NumberNotReservedException(number);
            }
            if (!different.add(number)) {
                throw new NumberTakenException(number);
            }
        }
        different.removeIf(unused::remove); // also if this comes to nothing: then the database is asked the next time
        if (different.isEmpty()) {
            return;
        }
        past.taken(tx, different).stream().findFirst().ifPresent(number -> {
            throw new NumberTakenException(number);
        });
    }
}

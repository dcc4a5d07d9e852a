package io.entrepot.queue.internal;

import io.entrepot.queue.NumberNotReservedException;
import io.entrepot.queue.NumberTakenException;
import io.entrepot.store.Counter;
import io.entrepot.store.Transaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The numbers of a store's items, of all its owners together: handed out in order, at a put or beforehand. Stateless.
 *
 * <p>INVARIANT: no item has a number greater than the counter, so what is handed out next is nobody's.
 */
final class Numbers {
    private static final Counter LAST = new Counter("queue.item", 0);

    private final Past past;

    Numbers(Past past) {
        this.past = past;
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
        past.taken(tx, different).stream().findFirst().ifPresent(number -> {
            throw new NumberTakenException(number);
        });
    }
}

package io.entrepot.queue.internal;

import io.entrepot.store.Transaction;
import java.util.Map;
import java.util.OptionalLong;

/** Tells waiting callers, and the clockwork, what a commit has brought. Thread-safe. */
final class Arrivals {
    final Waiters waiters = new Waiters();
    private long nextDue = Long.MAX_VALUE;
    private Runnable sooner = () -> {};

    /** What to run when something becomes due earlier than was known. */
    synchronized void onSooner(Runnable runnable) {
        sooner = runnable;
    }

    /** When this unit commits: so many items are ready in these queues, and the earliest delayed one is due then. */
    void announce(Transaction tx, Map<Lane, long[]> ready, OptionalLong due) {
        if (!ready.isEmpty()) {
            tx.afterCommit(() -> ready.forEach((lane, n) -> waiters.arrived(lane.id(), n[0])));
        }
        due.ifPresent(time -> tx.afterCommit(() -> dueAt(time)));
    }

    synchronized void dueAt(long time) {
        if (time < nextDue) {
            nextDue = time;
            sooner.run();
        }
    }

    /** Whether anything delayed may be due; the next time is then found out anew. */
    synchronized boolean takeDue(long now) {
        if (nextDue > now) {
            return false;
        }
        nextDue = Long.MAX_VALUE;
        return true;
    }

    /** What was taken as due could not be done, and is due still. */
    synchronized void stillDue() {
        nextDue = Long.MIN_VALUE;
    }

    synchronized long nextDue() {
        return nextDue;
    }
}

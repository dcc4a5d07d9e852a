package io.entrepot.queue.internal;

import io.entrepot.store.Transaction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Tells waiting callers, and the clockwork, what a commit has brought; and other processes what has become ready. They
 * look by themselves now and then for what they were not told, and for what is due. Thread-safe.
 */
final class Arrivals {
    final Waiters waiters = new Waiters();
    private static final String READY = "ready";
    private static final int MOST_IN_A_MESSAGE = 100;

    private final boolean shared;
    private long nextDue = Long.MAX_VALUE;
    private Runnable sooner = () -> {};

    /** {@code shared}: whether there are other processes to be told. */
    Arrivals(boolean shared) {
        this.shared = shared;
    }

    /** What to run when something becomes due earlier than was known. */
    synchronized void onSooner(Runnable runnable) {
        sooner = runnable;
    }

    /** There is something to do for the clockwork. */
    synchronized void nudge() {
        sooner.run();
    }

    /** When this unit commits: so many items are ready in these queues, and the earliest delayed one is due then. */
    void announce(Transaction tx, Map<Lane, long[]> ready, OptionalLong due) {
        if (!ready.isEmpty()) {
            tx.afterCommit(() -> ready.forEach((lane, n) -> waiters.arrived(lane.id(), n[0])));
            if (shared) {
                tellOthers(tx, ready);
            }
        }
        due.ifPresent(time -> tx.afterCommit(() -> dueAt(time)));
    }

    /** The message: the word, then the number of each queue and of what is there. */
    private static void tellOthers(Transaction tx, Map<Lane, long[]> ready) {
        List<String> each = ready.entrySet().stream()
                .map(entry -> " " + entry.getKey().id() + ":" + entry.getValue()[0])
                .sorted().toList();
        for (int from = 0; from < each.size(); from += MOST_IN_A_MESSAGE) {
            tx.tell(READY + String.join("", each.subList(from, Math.min(each.size(), from + MOST_IN_A_MESSAGE))));
        }
    }

    /** What another process has told. */
    void heard(String message) {
        String[] words = message.split(" ", -1);
        if (words[0].equals(READY)) {
            Arrays.stream(words).skip(1).map(word -> word.split(":", -1))
                    .forEach(pair -> waiters.arrived(Long.parseLong(pair[0]), Long.parseLong(pair[1])));
        }
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

package io.entrepot.store.contract;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A committing thread that stands still until it is let go. What others ask for meanwhile gathers. */
public final class Gate implements AutoCloseable {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final Crowd<Integer> caller;

    private Gate(Store store, Consumer<Transaction> first, boolean inside) {
        caller = Crowd.start(1, _ -> store.write(new Owner("gate"), tx -> {
            first.accept(tx);
            if (inside) {
                stand();
            } else {
                tx.afterCommit(this::stand);
            }
            return 0;
        }));
    }

    private static Gate shut(Gate gate) {
        waitFor(gate.reached);
        return gate;
    }

    /** Returns when it stands within a unit that has done {@code first}. Those who gather may still be of the unit's group. */
    public static Gate shut(Store store, Consumer<Transaction> first) {
        return shut(new Gate(store, first, true));
    }

    /** Returns when it stands between two groups. */
    public static Gate shut(Store store) {
        return shut(new Gate(store, _ -> {}, false));
    }

    private void stand() {
        reached.countDown();
        waitFor(open);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets the unit go on, and those that have gathered after it. */
    public void open() {
        open.countDown();
    }

    /** What became of the unit itself. */
    public Crowd.Outcome<Integer> outcome() {
        return caller.outcomes().getFirst();
    }

    @Override
    public void close() {
        open();
        outcome();
    }
}

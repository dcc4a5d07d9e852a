package io.entrepot.store.contract;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A unit of work that stands still inside the store until it is let go. What others ask for meanwhile gathers. */
public final class Gate implements AutoCloseable {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final Crowd<Integer> caller;

    private Gate(Store store, Consumer<Transaction> first) {
        caller = Crowd.start(1, _ -> store.write(new Owner("gate"), tx -> {
            first.accept(tx);
            stand();
            return 0;
        }));
    }

    /** Returns when the unit stands, having done {@code first}. */
    public static Gate shut(Store store, Consumer<Transaction> first) {
        Gate gate = new Gate(store, first);
        waitFor(gate.reached);
        return gate;
    }

    public static Gate shut(Store store) {
        return shut(store, _ -> {});
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

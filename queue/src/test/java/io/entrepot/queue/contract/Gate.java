package io.entrepot.queue.contract;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.util.concurrent.CountDownLatch;

/** A unit of work that stands still inside the store until it is let go. What others ask for meanwhile gathers. */
public final class Gate implements AutoCloseable {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final Crowd<Integer> caller;

    /** Returns when the unit stands. */
    public Gate(Store store) {
        caller = Crowd.start(1, _ -> store.write(new Owner("gate"), _ -> {
            reached.countDown();
            waitFor(open);
            return 0;
        }));
        waitFor(reached);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets the unit go on, and those that have gathered after it. */
    @Override
    public void close() {
        open.countDown();
        caller.results();
    }
}

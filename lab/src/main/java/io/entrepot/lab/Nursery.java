package io.entrepot.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Children started ahead of need. A JVM takes longer to start than most kill rounds take to run; while one child works and
 * dies, the next ones start on the other core.
 *
 * <p>Safe for use by many threads.
 */
public final class Nursery implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ChildSpec spec;
    private final Deque<ChildJvm> waiting = new ArrayDeque<>();
    private boolean closed;

    private Nursery(ChildSpec spec) {
        this.spec = spec;
    }

    /** Keeps so many children started; two are enough on two cores. */
    public static Nursery open(ChildSpec spec, int ahead) throws IOException {
        Nursery nursery = new Nursery(spec);
        for (int i = 0; i < ahead; i++) {
            nursery.startOne();
        }
        return nursery;
    }

    /** A child that is ready, from now on the caller's; another one is started in its place. */
    public ChildJvm take() throws IOException, InterruptedException {
        startOne();
        ChildJvm child;
        synchronized (waiting) {
            child = waiting.remove();
        }
        child.awaitReady(PATIENCE);
        return child;
    }

    private void startOne() throws IOException {
        ChildJvm child = ChildJvm.start(spec);
        synchronized (waiting) {
            if (!closed) {
                waiting.add(child);
                return;
            }
        }
        child.close();
        throw new IOException("the nursery is closed");
    }

    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
            waiting.forEach(ChildJvm::close);
            waiting.clear();
        }
    }
}

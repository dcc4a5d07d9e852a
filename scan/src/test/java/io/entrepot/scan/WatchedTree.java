package io.entrepot.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** A directory that is watched, the facts about it, and the picture drawn from them. */
final class WatchedTree implements AutoCloseable {
    static final FileCalls CALLS = FileCalls.system();
    static final BootClock CLOCK = BootClock.system();

    final BytePath root;
    final Mirror mirror;
    final Watcher watcher;
    private final List<Fact> facts = new ArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    WatchedTree(Path root, Watcher.Settings settings) throws IOException {
        this(root, settings, calls -> calls);
    }

    WatchedTree(Path root, Watcher.Settings settings, UnaryOperator<FileCalls> calls) throws IOException {
        this.root = BytePath.of(root.toRealPath());
        this.mirror = new Mirror(CALLS, CLOCK, this.root);
        this.watcher = Watcher.open(calls.apply(CALLS), CLOCK, this.root, settings, this::take);
    }

    private void take(Fact fact) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (facts) {
            facts.add(fact);
        }
        mirror.accept(fact);
    }

    /** Lets no more facts through. */
    CountDownLatch shut() {
        gate = new CountDownLatch(1);
        return gate;
    }

    /** What has come since it was last asked, once all is in. */
    List<Fact> news() throws Exception {
        watcher.flush();
        synchronized (facts) {
            List<Fact> news = List.copyOf(facts);
            facts.clear();
            return news;
        }
    }

    void forget() {
        synchronized (facts) {
            facts.clear();
        }
    }

    BytePath path(String relative) {
        return root.resolve(BytePath.of(relative));
    }

    void assertPictureIsTrue() throws Exception {
        watcher.flush();
        mirror.settle();
        assertThat(mirror.differences(10)).isEmpty();
    }

    @Override
    public void close() {
        watcher.close();
        mirror.close();
    }
}

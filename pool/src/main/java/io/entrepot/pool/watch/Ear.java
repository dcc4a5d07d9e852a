package io.entrepot.pool.watch;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.scan.Fact;
import io.entrepot.scan.NotificationProbe;
import io.entrepot.scan.NotificationVerdict;
import io.entrepot.scan.Watcher;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Hears what changes in a watched directory, where that can be heard: found out by making a file in it. What it hears before it has
 * gone through the whole tree is left out, as a look at everything follows. Safe for use by many threads: immutable but for a
 * flag.
 */
final class Ear implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Each watch takes memory of the kernel's; a larger tree is heard in part, and looked at all the same. */
    private static final int MOST_WATCHES = 20_000;

    private final BytePath root;
    private final WatcherSpec spec;
    private final Optional<Watcher> watcher;
    private final String words;
    private volatile boolean live;

    private Ear(FileCalls calls, BootClock clock, SourceTree tree, WatcherSpec spec, NotificationVerdict verdict,
            Consumer<Fact> hearer) throws IOException, InterruptedException {
        this.root = tree.root();
        this.spec = spec;
        this.words = verdict.words();
        Watcher.Settings settings = spec.recursive() || spec.mode() instanceof WatchMode.ManyTenants
                ? Watcher.Settings.ofWholeTree()
                : Watcher.Settings.ofNamed();
        this.watcher = verdict.isUseful()
                ? Optional.of(tree.on(() -> Watcher.open(calls, clock, tree.root(),
                        settings.withLimit(MOST_WATCHES).withIgnored(PrivateName::isOurs), fact -> {
                            if (live) {
                                hearer.accept(fact);
                            }
                        })))
                : Optional.empty();
    }

    private Ear(SourceTree tree, WatcherSpec spec, String words) {
        this.root = tree.root();
        this.spec = spec;
        this.watcher = Optional.empty();
        this.words = words;
    }

    /** @param probe what the file is called that is made and removed */
    static Ear open(FileCalls calls, BootClock clock, SourceTree tree, WatcherSpec spec, Name probe,
            Consumer<Fact> hearer) throws InterruptedException {
        try {
            NotificationVerdict verdict = tree.on(() -> measure(calls, clock, tree, probe));
            Ear ear = new Ear(calls, clock, tree, spec, verdict, hearer);
            if (ear.watcher.isPresent()) {
                ear.watcher.get().flush();
            }
            ear.live = true;
            return ear;
        } catch (IOException | IllegalStateException e) {
            return new Ear(tree, spec, "notification does not work here: " + e.getMessage() + "; polling takes over");
        }
    }

    private static NotificationVerdict measure(FileCalls calls, BootClock clock, SourceTree tree, Name probe)
            throws IOException {
        try {
            return new NotificationProbe(calls, clock).measure(tree.root(), probe, PATIENCE);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("nobody interrupts these threads");
        }
    }

    /** Whether it listens there, and for what that rule wants. */
    boolean isFor(SourceTree tree, WatcherSpec now) {
        return tree.root().equals(root) && now.equals(spec);
    }

    /** Whether it has to be opened anew. */
    boolean isBroken() {
        return watcher.filter(it -> it.status().failure().isPresent()).isPresent();
    }

    String words() {
        return words;
    }

    @Override
    public void close() {
        live = false;
        watcher.ifPresent(Watcher::close);
    }
}

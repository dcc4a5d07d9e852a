package io.entrepot.chaos;

import io.entrepot.lab.Progress;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** One run: what it may use, and what it has found. Safe for use by many threads. */
public final class ChaosRun {

    private final boolean shortForm;
    private final OptionalInt wantedRounds;
    private final long seed;
    private final Path place;
    private final StoreKind store;
    private final Progress progress;
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong checks = new AtomicLong();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();

    ChaosRun(boolean shortForm, OptionalInt wantedRounds, long seed, Path place, StoreKind store,
            Progress progress) {
        this.shortForm = shortForm;
        this.wantedRounds = wantedRounds;
        this.seed = seed;
        this.place = place;
        this.store = store;
        this.progress = progress;
    }

    /** Whether it must be over within about a minute. */
    public boolean shortForm() {
        return shortForm;
    }

    /** How many rounds: what the person said, else what the scenario thinks right. */
    public int rounds(int ifShort, int ifLong) {
        return wantedRounds.orElse(shortForm ? ifShort : ifLong);
    }

    /**
     * Choices that are the same in every run with the same seed. What threads and kernels do with them is not. Each salt
     * gives another sequence, so that one part of a scenario does not shift the choices of another.
     */
    public Random random(long salt) {
        return new Random(seed * 0x9E3779B97F4A7C15L + salt);
    }

    public long seed() {
        return seed;
    }

    /** Where to put images that are too large for memory, and files. */
    public Path place() {
        return place;
    }

    /** What the data is kept in. */
    public StoreKind store() {
        return store;
    }

    public Progress progress() {
        return progress;
    }

    /** One round is over. */
    public void round() {
        progress.tick(rounds.incrementAndGet() + " rounds, " + checks.get() + " checks, " + violations.size()
                + " violations");
    }

    /** Looks at one thing; if it is not as it must be, that is a violation. */
    public void check(boolean good, Supplier<String> otherwise) {
        checks.incrementAndGet();
        if (!good) {
            violation(otherwise.get());
        }
    }

    /** Whether there has been a violation. */
    public boolean isViolated() {
        return !violations.isEmpty();
    }

    /** So many things were looked at, with these violations. */
    public void checked(long count, Collection<String> found) {
        checks.addAndGet(count);
        found.forEach(this::violation);
    }

    private void violation(String text) {
        violations.add(text);
        progress.say("VIOLATION " + text);
    }

    /** Something a reader of the result must know. */
    public void note(String note) {
        notes.add(note);
    }

    ChaosResult result(String chaos) {
        return new ChaosResult(chaos, store, rounds.get(), checks.get(), List.copyOf(violations), seed,
                progress.seconds(),
                List.copyOf(notes));
    }
}

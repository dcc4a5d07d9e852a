package io.entrepot.chaos.server;

import io.entrepot.chaos.history.Recorder;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Somebody who uses a server in a thread of his own, until told to stop. How many answers he got is for all to ask. */
abstract class Customer implements Runnable {
    final String name;
    final Recorder recorder;
    final Random random;
    private final BooleanSupplier goesOn;
    private final Consumer<String> bad;
    private final AtomicLong answers = new AtomicLong();

    /**
     * What customers of every kind have.
     *
     * @param bad told what must never be
     */
    record Life(String name, Recorder recorder, Random random, BooleanSupplier goesOn, Consumer<String> bad) {}

    Customer(Life life) {
        this.name = life.name;
        this.recorder = life.recorder;
        this.random = life.random;
        this.goesOn = life.goesOn;
        this.bad = life.bad;
    }

    /** So far. */
    final long answers() {
        return answers.get();
    }

    final void answered() {
        answers.incrementAndGet();
    }

    final boolean goesOn() {
        return goesOn.getAsBoolean();
    }

    final void bad(String what) {
        bad.accept(what);
    }

    final Parcel parcel(int number, List<Integer> sizes) {
        return new Parcel(name, number, sizes.get(random.nextInt(sizes.size())));
    }

    /** As long as it {@linkplain #goesOn goes on}. */
    abstract void live() throws Exception;

    @Override
    public final void run() {
        try {
            live();
        } catch (Exception e) {
            bad("the life of " + name + " ended with " + e + " at " + List.of(e.getStackTrace()));
        }
    }
}

package io.entrepot.chaos.history;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Writes down calls as they are made. The beginning is written before the call and the end after it, each with its time:
 * what a history says of an interval is never narrower than the truth, so a correct queue is never accused. If the process
 * dies in between, the beginning is known and the rest is unknown.
 *
 * <p>{@link System#nanoTime} is the same clock in all processes of a machine, on Linux; so histories of several can be put
 * together. Safe for use by many threads, if the consumer is.
 */
public final class Recorder {

    private final Consumer<Event> events;
    private final LongSupplier clock;
    private final AtomicLong next = new AtomicLong();

    public Recorder(Consumer<Event> events) {
        this(events, System::nanoTime);
    }

    Recorder(Consumer<Event> events, LongSupplier clock) {
        this.events = events;
        this.clock = clock;
    }

    /** To be called right before the call is made; the number goes to {@link #ended}. */
    public long began(String worker, Call call) {
        long number = next.incrementAndGet();
        events.accept(new Event.Began(number, clock.getAsLong(), worker, call));
        return number;
    }

    /** To be called right after it has returned or thrown. */
    public void ended(long number, Answer answer) {
        events.accept(new Event.Ended(number, clock.getAsLong(), answer));
    }
}

package io.entrepot.lease;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Real time, which nobody in it can see: they have tickers of their own, each with its own speed and start. Things happen
 * in it at their time, and after each of them a check looks at the whole. One thread.
 */
final class World {
    private record Event(long at, long number, Runnable what) {}

    private final PriorityQueue<Event> coming = new PriorityQueue<>(
            Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final Runnable check;
    private long now;
    private long events;

    World(Runnable check) {
        this.check = check;
    }

    /** A ticker that makes so many thousandths of a second in each second, and that wraps soon if told to start late. */
    Ticker ticker(int permille, long start) {
        return () -> start + now / 1000 * permille + now % 1000 * permille / 1000;
    }

    /** The real time in which a ticker of that speed has surely made so much. */
    static Duration real(Duration ticked, int permille) {
        return ticked.multipliedBy(1000).dividedBy(permille).plusNanos(1);
    }

    void after(Duration delay, Runnable what) {
        coming.add(new Event(now + delay.toNanos(), events++, what));
    }

    void run(Duration length) {
        long end = now + length.toNanos();
        while (!coming.isEmpty() && coming.element().at() <= end) {
            Event event = coming.remove();
            now = event.at();
            check.run();
            event.what().run();
            check.run();
        }
        now = end;
        check.run();
    }
}

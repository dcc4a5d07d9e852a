package io.entrepot.lab;

import java.io.PrintStream;
import java.util.Locale;

/**
 * Signs of life for a person who waits, on the error stream, so that the result on the output stream stays clean. At most
 * one line a second, except for those that matter. Safe for use by many threads.
 */
public final class Progress {

    private static final long INTERVAL = 1_000_000_000L;

    private final PrintStream stream;
    private final long begin = System.nanoTime();
    private long last = begin - INTERVAL;

    public Progress(PrintStream stream) {
        this.stream = stream;
    }

    /** A line that must be seen. */
    public synchronized void say(String line) {
        last = System.nanoTime();
        stream.println(stamped(line));
    }

    /** A line that may be left out if another one came within the last second. */
    public synchronized void tick(String line) {
        if (System.nanoTime() - last >= INTERVAL) {
            say(line);
        }
    }

    public double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    private String stamped(String line) {
        return String.format(Locale.ROOT, "%6.1f s  %s", seconds(), line);
    }
}

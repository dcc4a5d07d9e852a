package io.entrepot.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a person at a terminal how far something is, on one line that is wiped at the end; nothing if it is over soon, or if
 * nobody is at the terminal.
 */
final class ProgressLine implements AutoCloseable {
    private static final long FIRST_MILLIS = 2000;
    private static final long NEXT_MILLIS = 300;
    private static final int WIDTH = 110;

    private final @Nullable Thread thread;

    private ProgressLine(@Nullable Thread thread) {
        this.thread = thread;
    }

    static ProgressLine none() {
        return new ProgressLine(null);
    }

    static ProgressLine ofTerminal(Supplier<String> line, PrintWriter err) {
        return isTerminal() ? new ProgressLine(Thread.ofVirtual().start(() -> tick(line, err))) : none();
    }

    @SuppressWarnings("SystemConsoleNull") // it is null again since Java 25, where nobody is at the terminal
    static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private static void tick(Supplier<String> line, PrintWriter err) {
        boolean shown = false;
        try {
            Thread.sleep(FIRST_MILLIS);
            while (true) {
                shown = true;
                err.print("\r" + padded(line.get()));
                err.flush();
                Thread.sleep(NEXT_MILLIS);
            }
        } catch (InterruptedException e) {
            if (shown) {
                err.print("\r" + padded("") + "\r");
                err.flush();
            }
        }
    }

    private static String padded(String line) {
        return String.format("%-" + WIDTH + "." + WIDTH + "s", line);
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

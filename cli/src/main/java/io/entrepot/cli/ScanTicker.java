package io.entrepot.cli;

import io.entrepot.scan.Scan;
import io.entrepot.scan.ScanProgress;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows a person at a terminal how far a scan is, on one line that is wiped at the end. */
final class ScanTicker implements AutoCloseable {
    private static final long FIRST_MILLIS = 2000;
    private static final long NEXT_MILLIS = 300;
    private static final int WIDTH = 110;

    private final @Nullable Thread thread;

    private ScanTicker(@Nullable Thread thread) {
        this.thread = thread;
    }

    static ScanTicker none() {
        return new ScanTicker(null);
    }

    @SuppressWarnings("SystemConsoleNull") // it is null again since Java 25, where nobody is at the terminal
    static ScanTicker ofTerminal(Scan scan, PrintWriter err) {
        Console console = System.console();
        return console != null && console.isTerminal()
                ? new ScanTicker(Thread.ofVirtual().start(() -> tick(scan, err)))
                : none();
    }

    private static void tick(Scan scan, PrintWriter err) {
        boolean shown = false;
        try {
            Thread.sleep(FIRST_MILLIS);
            while (true) {
                shown = true;
                err.print("\r" + padded(line(scan.progress())));
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

    private static String line(ScanProgress progress) {
        return String.format(Locale.ROOT, "%d s: %,d entries in %,d directories, %,d problems; %s",
                progress.elapsed().toSeconds(), progress.counts().entries(), progress.counts().directories(),
                progress.counts().problems(),
                progress.at().isEmpty() ? "" : progress.at().getFirst().directory().toString());
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

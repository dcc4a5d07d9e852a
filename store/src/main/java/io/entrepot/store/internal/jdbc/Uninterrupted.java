package io.entrepot.store.internal.jdbc;

import java.time.Duration;

/** Waits that an interrupt does not cut short, because what is waited for must not go on alone. It is left set. */
public final class Uninterrupted {

    private Uninterrupted() {}

    public static void join(Thread thread) {
        boolean ended;
        do {
            ended = join(thread, Duration.ofHours(1));
        } while (!ended);
    }

    /** Says whether the thread has ended. */
    public static boolean join(Thread thread, Duration patience) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return thread.join(patience);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

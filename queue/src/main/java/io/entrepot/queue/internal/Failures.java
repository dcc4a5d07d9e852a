package io.entrepot.queue.internal;

import org.jspecify.annotations.Nullable;

/** Several things are tried, whatever becomes of each; the first failure is thrown afterwards. For one thread. */
final class Failures {
    private @Nullable RuntimeException first;

    void of(Runnable attempt) {
        try {
            attempt.run();
        } catch (RuntimeException e) {
            if (first == null) {
                first = e;
            } else if (!first.equals(e)) {
                first.addSuppressed(e);
            }
        }
    }

    void rethrow() {
        if (first != null) {
            throw first;
        }
    }
}

package io.entrepot.queue.internal;

import org.jspecify.annotations.Nullable;

/**
 * Several things are tried, whatever becomes of each; the first failure is thrown afterwards. An error is one too: memory that
 * was short for one of them may be there for the next. For one thread.
 */
final class Failures {
    private @Nullable Throwable first;

    void of(Runnable attempt) {
        try {
            attempt.run();
        } catch (RuntimeException | Error e) {
            if (first == null) {
                first = e;
            } else if (!first.equals(e)) {
                first.addSuppressed(e);
            }
        }
    }

    void rethrow() {
        switch (first) {
            case null -> {
            }
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }
}

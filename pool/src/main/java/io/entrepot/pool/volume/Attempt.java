package io.entrepot.pool.volume;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Settles, once, whether a call that its caller may give up on takes effect. The caller's buffer is its own again when it has
 * left, so what was read from it after that must not become a blob. Safe for use by many threads: one atomic state.
 */
final class Attempt {
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    private enum State {
        OPEN, MADE, GIVEN_UP
    }

    /** By the call, right before what cannot be taken back: whether its caller is still there. */
    boolean make() {
        return state.compareAndSet(State.OPEN, State.MADE);
    }

    /** By the caller: whether that means that nothing happens. If not, it has happened or still may. */
    boolean giveUp() {
        return state.compareAndSet(State.OPEN, State.GIVEN_UP);
    }
}

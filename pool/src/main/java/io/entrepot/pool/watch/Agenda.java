package io.entrepot.pool.watch;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * When a watcher looks next. Each look ends with a plan for the one after; whoever hears of a change between two of them wants one
 * sooner. Many such wishes are one, until a look begins or is planned.
 *
 * <p>INVARIANT: what was wanted is not forgotten for the sake of a plan that did not know of it. Whoever hears of something first writes
 * it down where the plan is made from. So either the plan knows it, or the wish comes after the plan and is heard: both are made under
 * one lock. Safe for use by many threads.
 */
final class Agenda {
    private final Consumer<Duration> schedule;
    private boolean wanted;

    /** @param schedule sets the time of the next look, in the place of any that was set before */
    Agenda(Consumer<Duration> schedule) {
        this.schedule = schedule;
    }

    /** A look begins: what is wanted from now on it may not see. */
    synchronized void begin() {
        wanted = false;
    }

    /** A look has ended. */
    synchronized void plan(Supplier<Duration> after) {
        wanted = false;
        schedule.accept(after.get());
    }

    /** A look after that time, unless one is wanted already. */
    synchronized void wake(Duration after) {
        if (!wanted) {
            hurry(after);
        }
    }

    /** A look after that time, whatever was wanted before. */
    synchronized void hurry(Duration after) {
        wanted = true;
        schedule.accept(after);
    }
}

package io.entrepot.lease;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Wall time that scheduling can stand on. The wall clock may be set to anything at any time; this one never goes back,
 * and comes back to the wall clock by itself.
 *
 * <p>It is the larger of two: the wall clock, and a line that starts at the last reading where the wall clock was taken and
 * rises at 7/8 of the ticker's speed.
 * <ul>
 * <li>Ordinarily the wall clock is above the line, since it runs at full speed: it is what is shown.
 * <li>The wall clock steps forward, or the machine wakes from a suspend that the ticker did not count: taken at once.
 * <li>The wall clock steps back: it is below the line, and the line is followed until the wall clock has caught up,
 *     which takes eight times the step.
 * </ul>
 * So between two readings this clock advances by at least 7/8 of what the ticker does, and by at most what the ticker does
 * plus the forward steps of the wall clock: no delay lasts longer than 8/7 of its length, and none is cut short by
 * anything but a forward step. The line is computed from its start each time, so that frequent readings add no rounding.
 *
 * <p>A wall clock that was years ahead takes decades to be caught up with: whoever wants to warn compares the two clocks.
 *
 * <p>Safe for use by many threads: one lock around two readings, a few dozen nanoseconds.
 */
public final class SteadyClock implements InstantSource {
    private final InstantSource wall;
    private final Ticker ticker;
    private Instant lineStart;
    private long lineStartTick;

    public SteadyClock(InstantSource wall, Ticker ticker) {
        this(wall, ticker, Instant.MIN);
    }

    /** {@code floor} is the last time known from before a restart; this clock starts there or later. */
    public SteadyClock(InstantSource wall, Ticker ticker, Instant floor) {
        this.wall = wall;
        this.ticker = ticker;
        Instant now = wall.instant();
        this.lineStart = now.isBefore(floor) ? floor : now;
        this.lineStartTick = ticker.nanos();
    }

    @Override
    public synchronized Instant instant() {
        Instant now = wall.instant(); // Before the ticker: a pause between the two must not raise the line.
        long tick = ticker.nanos();
        long elapsed = tick - lineStartTick;
        Instant line = lineStart.plusNanos(elapsed - elapsed / 8);
        if (now.isBefore(line)) {
            return line;
        }
        lineStart = now;
        lineStartTick = tick;
        return now;
    }
}

package io.entrepot.chaos.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock that somebody keeps setting, hours forward and hours back. Safe for use by many threads. */
final class JumpingClock implements InstantSource {
    private final InstantSource real = InstantSource.system();
    private final AtomicLong offMillis = new AtomicLong();

    void set(Duration off) {
        offMillis.set(off.toMillis());
    }

    @Override
    public Instant instant() {
        return real.instant().plusMillis(offMillis.get());
    }
}

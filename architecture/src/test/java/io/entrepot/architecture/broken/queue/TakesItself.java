package io.entrepot.architecture.broken.queue;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Random;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

public final class TakesItself {
    public final Random chance = new Random();
    public final Random repeatable = new Random(42);
    public final LongSupplier ticks = System::nanoTime;
    public final LongSupplier wall = () -> System.currentTimeMillis();
    public final Supplier<UUID> names = UUID::randomUUID;

    public Instant taken() {
        return Instant.now();
    }

    @SuppressWarnings("JavaTimeDefaultTimeZone")
    public LocalDate takenDay() {
        return LocalDate.now();
    }

    public Instant given(Clock clock) {
        return Instant.now(clock);
    }
}

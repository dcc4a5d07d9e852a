package io.entrepot.posix;

import io.entrepot.posix.internal.linux.BootTime;

/**
 * A clock that only goes forward, that nobody can set, and that goes on while the machine is suspended. Implementations are
 * safe for use by many threads.
 */
@FunctionalInterface
public interface BootClock {

    /** Nanoseconds since some fixed but unknown moment; only differences mean anything. */
    long nanos();

    /** The kernel's boot-time clock; the JVM's own one, which may stop in suspend, on other systems. */
    static BootClock system() {
        return BootTime.available().<BootClock>map(clock -> clock::nanos).orElse(System::nanoTime);
    }
}

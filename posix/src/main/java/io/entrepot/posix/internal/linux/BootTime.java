package io.entrepot.posix.internal.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** CLOCK_BOOTTIME, which goes on in suspend. Without state, so safe for use by many threads. */
public final class BootTime {
    private static final int CLOCK_BOOTTIME = 7;
    private static final long SECOND = 1_000_000_000L;

    private BootTime() {}

    public static Optional<BootTime> available() {
        return LinuxCalls.available().map(_ -> new BootTime());
    }

    public long nanos() {
        long[] time = new long[2];
        try {
            int result = (int) Clock.GETTIME.invokeExact(CLOCK_BOOTTIME, MemorySegment.ofArray(time));
            if (result != 0) {
                throw new IllegalStateException("the kernel has no boot-time clock");
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return time[0] * SECOND + time[1];
    }

    private static final class Clock {
        /** "Critical" is right here: it never blocks, and lets the answer go straight into an array. */
        static final MethodHandle GETTIME = Linker.nativeLinker().downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS), Linker.Option.critical(true));
    }
}

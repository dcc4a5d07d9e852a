package io.entrepot.posix.internal.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What lies at an address. All of memory is one segment here, which is a constant to the compiler: a read is one instruction,
 * where a segment of its own would be asked for its bounds and for its lifetime each time. So only for places that do not
 * depend on what was read before, in memory that the caller keeps alive until after the read.
 */
final class Memory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private Memory() {}

    static short shortAt(long address) {
        return ALL.get(ValueLayout.JAVA_SHORT, address);
    }

    static int intAt(long address) {
        return ALL.get(ValueLayout.JAVA_INT, address);
    }

    static long longAt(long address) {
        return ALL.get(ValueLayout.JAVA_LONG, address);
    }
}

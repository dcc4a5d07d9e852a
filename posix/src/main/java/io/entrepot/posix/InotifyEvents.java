package io.entrepot.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A buffer of events, and a walk through them. For one thread at a time; can be handed over. The memory goes when nobody has
 * the buffer any more.
 */
public final class InotifyEvents {
    /** An event with the longest name. */
    public static final int LEAST_CAPACITY = 16 + 256;

    private static final int HEAD = 16;

    private final MemorySegment memory;
    private int end;
    private int event = -1;
    private int nextEvent;

    /** @param capacity in bytes; an event takes 16 and its name, rounded up to 16 */
    public InotifyEvents(int capacity) {
        if (capacity < LEAST_CAPACITY) {
            throw new IllegalArgumentException(
                    capacity + " bytes hold no event with a long name: at least " + LEAST_CAPACITY);
        }
        memory = Arena.ofAuto().allocate(capacity, 8);
    }

    /** Where an {@link Inotify} writes them. */
    public MemorySegment memory() {
        return memory;
    }

    /** Tells how many bytes were written, and begins from the first one. */
    public void filled(int length) {
        end = length;
        rewind();
    }

    public void rewind() {
        event = -1;
        nextEvent = 0;
    }

    /** Goes to the next event; false after the last. */
    public boolean next() {
        if (nextEvent >= end) {
            event = -1;
            return false;
        }
        event = nextEvent;
        nextEvent = event + HEAD + memory.get(ValueLayout.JAVA_INT, event + 12);
        return true;
    }

    /** The number of the watch; -1 for {@link Inotify#Q_OVERFLOW}. */
    public int watch() {
        return memory.get(ValueLayout.JAVA_INT, current());
    }

    public int mask() {
        return memory.get(ValueLayout.JAVA_INT, current() + 4);
    }

    public boolean has(int bits) {
        return (mask() & bits) != 0;
    }

    /** The same for both halves of a move. */
    public int cookie() {
        return memory.get(ValueLayout.JAVA_INT, current() + 8);
    }

    /** The entry it is about; none if it is about the watched directory itself. */
    public Optional<Name> name() {
        int length = nameLength();
        return length == 0 ? Optional.empty() : Optional.of(Name.of(memory, event + HEAD, length));
    }

    public int nameLength() {
        int room = memory.get(ValueLayout.JAVA_INT, current() + 12);
        int length = 0;
        while (length < room && memory.get(ValueLayout.JAVA_BYTE, event + HEAD + length) != 0) {
            length++;
        }
        return length;
    }

    /** Copies the bytes of the name; returns how many. */
    public int copyName(byte[] target, int offset) {
        int length = nameLength();
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, event + HEAD, target, offset, length);
        return length;
    }

    private int current() {
        if (event < 0) {
            throw new IllegalStateException("not on an event");
        }
        return event;
    }
}

package io.entrepot.posix.internal.linux;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Name;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the arguments and results of one call: two paths, the error number, the attributes of a file. A platform
 * thread keeps one for good, as making one takes longer than most calls; a virtual thread makes one each time.
 */
final class Scratch implements AutoCloseable {
    /** What the kernel takes as one path, with its NUL. */
    static final int PATH_MAX = 4096;

    /** Room for one path behind {@code /proc/self/fd/1234567/}. */
    private static final int PATH_ROOM = PATH_MAX + 128;
    private static final int SECOND = PATH_ROOM;
    private static final int STATX = 2 * PATH_ROOM;
    private static final int SIZE = STATX + Statx.SIZE;

    private static final int CONTENT_SIZE = 64 * 1024;

    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal
            .withInitial(() -> new Scratch(Arena.ofAuto(), null));

    final MemorySegment errno;
    final MemorySegment memory;
    private final Arena arena;
    private final @Nullable Arena closing;
    private @Nullable MemorySegment content;
    private boolean taken;

    private Scratch(Arena arena, @Nullable Arena closing) {
        errno = arena.allocate(Linker.Option.captureStateLayout());
        memory = arena.allocate(SIZE, 16);
        this.arena = arena;
        this.closing = closing;
    }

    static Scratch take() {
        if (!Thread.currentThread().isVirtual()) {
            Scratch mine = OF_THREAD.get();
            if (!mine.taken) {
                mine.taken = true;
                return mine;
            }
        }
        Arena arena = Arena.ofConfined();
        return new Scratch(arena, arena);
    }

    @Override
    public void close() {
        taken = false;
        if (closing != null) {
            closing.close();
        }
    }

    /** The address of the name as a C string, or 0 if the kernel would not take one as long as that. */
    long first(Name name) {
        return put(0, name, 0);
    }

    long second(Name name) {
        return put(SECOND, name, 0);
    }

    /** {@code /proc/self/fd/N/name}: for calls that have no form relative to a descriptor. */
    long firstThrough(int directory, Name name) {
        byte[] prefix = ("/proc/self/fd/" + directory + "/").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(prefix, 0, memory, ValueLayout.JAVA_BYTE, 0, prefix.length);
        return put(0, name, prefix.length);
    }

    /** A part of a path; shorter than {@link #PATH_MAX}. */
    long first(BytePath path, int from, int to) {
        path.copyTo(from, to, memory, 0);
        memory.set(ValueLayout.JAVA_BYTE, to - from, (byte) 0);
        return memory.address();
    }

    long first(byte[] text) {
        return put(0, text);
    }

    long second(byte[] text) {
        return put(SECOND, text);
    }

    /** Room for what is on its way from the heap to a file. */
    MemorySegment content() {
        MemorySegment mine = content == null ? arena.allocate(CONTENT_SIZE) : content;
        content = mine;
        return mine;
    }

    long statx() {
        return memory.address() + STATX;
    }

    MemorySegment statxMemory() {
        return memory.asSlice(STATX, Statx.SIZE);
    }

    private long put(int at, Name name, int after) {
        if (name.length() >= PATH_MAX) {
            return 0;
        }
        name.copyTo(memory, at + after);
        memory.set(ValueLayout.JAVA_BYTE, at + after + name.length(), (byte) 0);
        return memory.address() + at;
    }

    private long put(int at, byte[] text) {
        if (text.length >= PATH_MAX) {
            return 0;
        }
        MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, at, text.length);
        memory.set(ValueLayout.JAVA_BYTE, at + text.length, (byte) 0);
        return memory.address() + at;
    }
}

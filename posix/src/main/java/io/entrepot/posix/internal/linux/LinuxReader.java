package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of a thread that lists. They belong to the garbage collector rather than to {@link #close}, so that a
 * cursor used too late or by the wrong thread can read nonsense but never memory that is not there.
 */
final class LinuxReader implements DirectoryReader {
    /** Some hundred entries to a call; more brings nothing, and this much stays in the processor's cache. */
    static final int ENTRIES_SIZE = 64 * 1024;

    final MemorySegment errno;
    final MemorySegment entries;
    final MemorySegment statx;
    final int mask;
    private @Nullable LinuxCursor current;
    private boolean closed;

    LinuxReader(int mask) {
        Arena arena = Arena.ofAuto();
        errno = arena.allocate(Linker.Option.captureStateLayout());
        entries = arena.allocate(ENTRIES_SIZE, 16);
        statx = arena.allocate(Statx.SIZE, 16);
        this.mask = mask;
    }

    @Override
    public Cursor list(Directory directory) throws PosixException {
        if (closed) {
            throw new IllegalStateException("the reader is closed");
        }
        if (!(directory instanceof LinuxDirectory linux)) {
            throw new IllegalArgumentException(directory + " was not opened by these calls");
        }
        endCurrent();
        try (Scratch scratch = Scratch.take()) {
            int descriptor = linux.beginListing(scratch);
            current = new LinuxCursor(this, linux, descriptor);
            return current;
        }
    }

    @Override
    public void close() {
        closed = true;
        endCurrent();
    }

    private void endCurrent() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}

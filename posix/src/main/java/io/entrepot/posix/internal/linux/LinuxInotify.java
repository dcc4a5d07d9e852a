package io.entrepot.posix.internal.linux;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.InotifyEvents;
import io.entrepot.posix.PosixException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

/**
 * An inotify descriptor and a counter to wake its reader with. The reader waits for both; closing marks both closed and
 * raises the counter, and the descriptors go when the reader has left. Safe for use by many threads; one reads at a time.
 */
final class LinuxInotify implements Inotify {
    private static final short READABLE = 1;
    private static final int POLL_ENTRY = 8;

    private final Descriptor inotify;
    private final Descriptor wake;

    LinuxInotify(Descriptor inotify, Descriptor wake) {
        this.inotify = inotify;
        this.wake = wake;
    }

    @Override
    public int add(BytePath path, int mask) throws PosixException {
        int number = acquire();
        try (Scratch scratch = Scratch.take()) {
            if (path.length() > 0 && path.length() < Scratch.PATH_MAX) {
                return added(path,
                        Libc.inotifyAddWatch(scratch.errno, number, scratch.first(path, 0, path.length()), mask));
            }
            int noFollow = (mask & DONT_FOLLOW) != 0 ? Libc.O_NOFOLLOW : 0;
            int opened = added(path, LongPaths.open(scratch, path, Libc.O_PATH | Libc.O_CLOEXEC | noFollow));
            try {
                return added(path, addThrough(scratch, number, opened, mask));
            } finally {
                Libc.close(scratch.errno, opened);
            }
        } finally {
            inotify.release();
        }
    }

    @Override
    public int add(Directory directory, int mask) throws PosixException {
        if (!(directory instanceof LinuxDirectory linux)) {
            throw new IllegalArgumentException(directory + " was not opened by these calls");
        }
        int number = acquire();
        try {
            return linux.with((scratch, opened) -> added(directory.path(), addThrough(scratch, number, opened, mask)));
        } finally {
            inotify.release();
        }
    }

    /** The kernel has no form of this by descriptor; the link is to be followed here, in any case. */
    private static int addThrough(Scratch scratch, int inotify, int opened, int mask) {
        byte[] path = ("/proc/self/fd/" + opened).getBytes(StandardCharsets.US_ASCII);
        return Libc.inotifyAddWatch(scratch.errno, inotify, scratch.first(path), mask & ~DONT_FOLLOW);
    }

    private static int added(BytePath path, int result) throws PosixException {
        if (result < 0) {
            Errno errno = Errno.of(-result);
            throw new PosixException("watch", path.toString(), errno,
                    errno == Errno.ENOSPC ? "too many watches for this user: see fs.inotify.max_user_watches" : "");
        }
        return result;
    }

    @Override
    public boolean remove(int watch) throws PosixException {
        int number = acquire();
        try (Scratch scratch = Scratch.take()) {
            int result = Libc.inotifyRemoveWatch(scratch.errno, number, watch);
            if (result == -Errno.EINVAL.number()) {
                return false;
            }
            if (result < 0) {
                throw new PosixException("unwatch", "watch " + watch, Errno.of(-result));
            }
            return true;
        } finally {
            inotify.release();
        }
    }

    @Override
    public Outcome read(InotifyEvents events) throws PosixException {
        events.filled(0);
        if (!inotify.tryAcquire()) {
            return Outcome.CLOSED;
        }
        try {
            if (!wake.tryAcquire()) {
                return Outcome.CLOSED;
            }
            try (Scratch scratch = Scratch.take()) {
                return read(scratch, events);
            } finally {
                wake.release();
            }
        } finally {
            inotify.release();
        }
    }

    private Outcome read(Scratch scratch, InotifyEvents events) throws PosixException {
        MemorySegment memory = events.memory();
        while (!inotify.isClosed()) {
            if (wasWoken(scratch)) {
                return inotify.isClosed() ? Outcome.CLOSED : Outcome.WOKEN;
            }
            long length = read(scratch, memory);
            if (length > 0) {
                events.filled((int) length);
                return Outcome.EVENTS;
            }
            if (length < 0 && length != -Libc.EAGAIN && length != -Libc.EINTR) {
                throw new PosixException("read", "inotify", Errno.of((int) -length));
            }
            await(scratch);
        }
        return Outcome.CLOSED;
    }

    private long read(Scratch scratch, MemorySegment memory) {
        try {
            return Libc.read(scratch.errno, inotify.number(), memory.address(), memory.byteSize());
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** Until there is an event or a wake-up; a signal may end it early, and then the caller looks again. */
    private void await(Scratch scratch) throws PosixException {
        entry(scratch.memory, 0, inotify.number());
        entry(scratch.memory, POLL_ENTRY, wake.number());
        int result = Libc.poll(scratch.errno, scratch.memory.address(), 2);
        if (result < 0 && result != -Libc.EINTR) {
            throw new PosixException("poll", "inotify", Errno.of(-result));
        }
    }

    private static void entry(MemorySegment memory, int at, int descriptor) {
        memory.set(ValueLayout.JAVA_INT, at, descriptor);
        memory.set(ValueLayout.JAVA_SHORT, at + 4, READABLE);
        memory.set(ValueLayout.JAVA_SHORT, at + 6, (short) 0);
    }

    /** Reading sets the counter back to zero. */
    private boolean wasWoken(Scratch scratch) {
        return Libc.read(scratch.errno, wake.number(), scratch.memory.address(), Long.BYTES) > 0;
    }

    @Override
    public void wake() {
        int number = wake.acquire();
        try (Scratch scratch = Scratch.take()) {
            raise(scratch, number);
        } finally {
            wake.release();
        }
    }

    @Override
    public void close() {
        if (!wake.tryAcquire()) {
            return;
        }
        try (Scratch scratch = Scratch.take()) {
            inotify.close();
            raise(scratch, wake.number());
        } finally {
            wake.close();
            wake.release();
        }
    }

    /** Fails only if the counter is full, and then the reader is awake anyway. */
    private static void raise(Scratch scratch, int number) {
        scratch.memory.set(ValueLayout.JAVA_LONG, 0, 1);
        Libc.write(scratch.errno, number, scratch.memory.address(), Long.BYTES);
    }

    private int acquire() {
        if (!inotify.tryAcquire()) {
            throw new IllegalStateException("notification is closed");
        }
        return inotify.number();
    }
}

package io.entrepot.posix.internal.linux;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;

/**
 * Opens paths of any length. The kernel takes less than 4096 bytes at a time, so a longer path is gone down in stretches of
 * whole names, each from a descriptor of the one before.
 */
final class LongPaths {
    private static final int STEP_FLAGS = Libc.O_PATH | Libc.O_DIRECTORY | Libc.O_CLOEXEC;

    private LongPaths() {}

    /** A descriptor, or minus the error number. The flags are for the last stretch. */
    static int open(Scratch scratch, BytePath path, int flags) {
        if (path.length() == 0) {
            return Libc.openat(scratch.errno, Libc.AT_FDCWD, scratch.first(new byte[]{'.'}), flags, 0);
        }
        int at = Libc.AT_FDCWD;
        int from = 0;
        while (true) {
            int to = stretch(path, from);
            if (to < 0) {
                close(scratch, at);
                return -Errno.ENAMETOOLONG.number();
            }
            boolean last = to == path.length();
            int next = Libc.openat(scratch.errno, at, scratch.first(path, from, to), last ? flags : STEP_FLAGS, 0);
            close(scratch, at);
            if (next < 0 || last) {
                return next;
            }
            at = next;
            from = to + 1;
        }
    }

    /** As many whole names as fit, as an end; -1 if not even one does. */
    private static int stretch(BytePath path, int from) {
        if (path.length() - from < Scratch.PATH_MAX) {
            return path.length();
        }
        int to = from + Scratch.PATH_MAX - 1;
        while (to > from && path.byteAt(to) != '/') {
            to--;
        }
        return to > from ? to : -1;
    }

    private static void close(Scratch scratch, int descriptor) {
        if (descriptor >= 0) {
            Libc.close(scratch.errno, descriptor);
        }
    }
}

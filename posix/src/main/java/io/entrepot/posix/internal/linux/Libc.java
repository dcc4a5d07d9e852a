package io.entrepot.posix.internal.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C library's functions, as Java methods that give what the kernel does: the result, or minus the error number. Pointers
 * are plain addresses: a segment for each would be an object, and a check of its lifetime, for each call. So whoever calls
 * must keep the memory alive; {@link Scratch} and {@link LinuxReader} do. What the library of older systems has no function
 * for goes through {@code syscall}.
 * <p>
 * None of them is a "critical" call: those that hang would stop the whole JVM at the next safepoint.
 */
final class Libc {
    static final int AT_FDCWD = -100;
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_NO_AUTOMOUNT = 0x800;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int AT_STATX_FORCE_SYNC = 0x2000;

    private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");
    static final int O_WRONLY = 1;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    static final int O_CLOEXEC = 0x80000;
    static final int O_PATH = 0x200000;
    static final int O_NONBLOCK = 0x800;

    static final int EINTR = 4;
    static final int EAGAIN = 11;

    private static final long SYS_GETDENTS64 = ARM ? 61 : 217;
    private static final long SYS_STATX = ARM ? 291 : 332;
    private static final long SYS_RENAMEAT2 = ARM ? 276 : 316;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option KEEP_ERRNO = Linker.Option.captureCallState("errno");
    private static final long ERRNO_AT = Linker.Option.captureStateLayout()
            .byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SYSCALL3 = keeping("syscall", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG);
    private static final MethodHandle SYSCALL5 = keeping("syscall", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SYSCALL5_QUIET = bind("syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle OPENAT = bind("openat",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT), KEEP_ERRNO,
            Linker.Option.firstVariadicArg(3));
    private static final MethodHandle CLOSE = keeping("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle LSEEK = keeping("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle UNLINKAT = keeping("unlinkat", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle MKDIRAT = keeping("mkdirat", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle LINKAT = keeping("linkat", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG,
            JAVA_INT);
    private static final MethodHandle FSYNC = keeping("fsync", JAVA_INT, JAVA_INT);
    private static final MethodHandle FCHMOD = keeping("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SYNCFS = keeping("syncfs", JAVA_INT, JAVA_INT);
    private static final MethodHandle LGETXATTR = keeping("lgetxattr", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG);
    private static final MethodHandle LSETXATTR = keeping("lsetxattr", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_LONG,
            JAVA_INT);
    private static final MethodHandle FSETXATTR = keeping("fsetxattr", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_INT);
    private static final MethodHandle LLISTXATTR = keeping("llistxattr", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle LREMOVEXATTR = keeping("lremovexattr", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle INOTIFY_INIT1 = keeping("inotify_init1", JAVA_INT, JAVA_INT);
    private static final MethodHandle INOTIFY_ADD_WATCH = keeping("inotify_add_watch", JAVA_INT, JAVA_INT, JAVA_LONG,
            JAVA_INT);
    private static final MethodHandle INOTIFY_RM_WATCH = keeping("inotify_rm_watch", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle EVENTFD = keeping("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle POLL = keeping("poll", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle READ = keeping("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE = keeping("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

    private Libc() {}

    private static MethodHandle keeping(String function, MemoryLayout result, MemoryLayout... arguments) {
        return bind(function, FunctionDescriptor.of(result, arguments), KEEP_ERRNO);
    }

    private static MethodHandle bind(String function, FunctionDescriptor type, Linker.Option... options) {
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(function), type, options);
    }

    /** Directory entries into memory; 0 at the end. */
    static long getdents64(MemorySegment errno, int directory, long memory, long size) {
        try {
            return result(errno, (long) SYSCALL3.invokeExact(errno, SYS_GETDENTS64, (long) directory, memory, size));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * In most cases this succeeds and the error number does not matter, so it is not kept: on failure the call is made again
     * by one that does. That it may succeed then is fine.
     */
    static long statx(MemorySegment errno, int directory, long path, int flags, int mask, long target) {
        try {
            long result = (long) SYSCALL5_QUIET.invokeExact(SYS_STATX, (long) directory, path, (long) flags,
                    (long) mask,
                    target);
            return result == 0 ? 0 : statxOnce(errno, directory, path, flags, mask, target);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The same where it often fails, and would be made twice. */
    static long statxOnce(MemorySegment errno, int directory, long path, int flags, int mask, long target) {
        try {
            return result(errno, (long) SYSCALL5.invokeExact(errno, SYS_STATX, (long) directory, path, (long) flags,
                    (long) mask, target));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long renameat2(MemorySegment errno, int directory, long name, int target, long newName, int flags) {
        try {
            return result(errno,
                    (long) SYSCALL5.invokeExact(errno, SYS_RENAMEAT2, (long) directory, name, (long) target,
                            newName, (long) flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int openat(MemorySegment errno, int directory, long path, int flags, int mode) {
        try {
            int opened;
            do {
                opened = result(errno, (int) OPENAT.invokeExact(errno, directory, path, flags, mode));
            } while (opened == -EINTR);
            return opened;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Never repeated: after an error the descriptor is gone as well. */
    static int close(MemorySegment errno, int descriptor) {
        try {
            return result(errno, (int) CLOSE.invokeExact(errno, descriptor));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Back to the first entry. */
    static long rewind(MemorySegment errno, int directory) {
        try {
            return result(errno, (long) LSEEK.invokeExact(errno, directory, 0L, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int unlinkat(MemorySegment errno, int directory, long name, int flags) {
        try {
            return result(errno, (int) UNLINKAT.invokeExact(errno, directory, name, flags));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int mkdirat(MemorySegment errno, int directory, long name, int mode) {
        try {
            return result(errno, (int) MKDIRAT.invokeExact(errno, directory, name, mode));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int linkat(MemorySegment errno, int directory, long name, int target, long newName) {
        try {
            return result(errno, (int) LINKAT.invokeExact(errno, directory, name, target, newName, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int fsync(MemorySegment errno, int descriptor) {
        try {
            return result(errno, (int) FSYNC.invokeExact(errno, descriptor));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int fchmod(MemorySegment errno, int descriptor, int mode) {
        try {
            return result(errno, (int) FCHMOD.invokeExact(errno, descriptor, mode));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int syncfs(MemorySegment errno, int descriptor) {
        try {
            return result(errno, (int) SYNCFS.invokeExact(errno, descriptor));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long lgetxattr(MemorySegment errno, long path, long attribute, long value, long size) {
        try {
            return result(errno, (long) LGETXATTR.invokeExact(errno, path, attribute, value, size));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int lsetxattr(MemorySegment errno, long path, long attribute, long value, long size) {
        try {
            return result(errno, (int) LSETXATTR.invokeExact(errno, path, attribute, value, size, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int fsetxattr(MemorySegment errno, int file, long attribute, long value, long size) {
        try {
            return result(errno, (int) FSETXATTR.invokeExact(errno, file, attribute, value, size, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long llistxattr(MemorySegment errno, long path, long names, long size) {
        try {
            return result(errno, (long) LLISTXATTR.invokeExact(errno, path, names, size));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int lremovexattr(MemorySegment errno, long path, long attribute) {
        try {
            return result(errno, (int) LREMOVEXATTR.invokeExact(errno, path, attribute));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int inotifyInit(MemorySegment errno) {
        try {
            return result(errno, (int) INOTIFY_INIT1.invokeExact(errno, O_CLOEXEC | O_NONBLOCK));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int inotifyAddWatch(MemorySegment errno, int inotify, long path, int mask) {
        try {
            return result(errno, (int) INOTIFY_ADD_WATCH.invokeExact(errno, inotify, path, mask));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static int inotifyRemoveWatch(MemorySegment errno, int inotify, int watch) {
        try {
            return result(errno, (int) INOTIFY_RM_WATCH.invokeExact(errno, inotify, watch));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** A counter that can be waited for together with other descriptors. */
    static int eventfd(MemorySegment errno) {
        try {
            return result(errno, (int) EVENTFD.invokeExact(errno, 0, O_CLOEXEC | O_NONBLOCK));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Without limit of time. */
    static int poll(MemorySegment errno, long descriptors, int count) {
        try {
            return result(errno, (int) POLL.invokeExact(errno, descriptors, (long) count, -1));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long read(MemorySegment errno, int descriptor, long memory, long size) {
        try {
            return result(errno, (long) READ.invokeExact(errno, descriptor, memory, size));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static long write(MemorySegment errno, int descriptor, long memory, long size) {
        try {
            return result(errno, (long) WRITE.invokeExact(errno, descriptor, memory, size));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static long result(MemorySegment errno, long result) {
        return result == -1 ? -errno.get(ValueLayout.JAVA_INT, ERRNO_AT) : result;
    }

    private static int result(MemorySegment errno, int result) {
        return result == -1 ? -errno.get(ValueLayout.JAVA_INT, ERRNO_AT) : result;
    }

    private static AssertionError unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new AssertionError("a call by address throws nothing", e);
    }
}

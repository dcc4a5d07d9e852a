package io.entrepot.posix.internal.linux;

import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Java's channels on entries of an open directory. Java makes a channel from a path only, so the entry is opened by us
 * without following links, and Java opens it again by {@code /proc/self/fd/N}. That is not a link which is looked up by its
 * text: the kernel goes to the very file our descriptor has, whatever happened to its name, so it cannot be another one.
 */
final class Channels {
    private static final byte[] NOTHING = {};

    private Channels() {}

    static FileChannel open(Scratch scratch, int directory, LinuxDirectory parent, Name name, OpenOption... options)
            throws PosixException {
        // O_PATH touches nothing: a pipe would block, and a device may act on being opened.
        int opened = Libc.openat(scratch.errno, directory, parent.address(scratch.first(name), "open", name),
                Libc.O_PATH | Libc.O_NOFOLLOW | Libc.O_CLOEXEC, 0);
        parent.check("open", name, opened);
        try {
            parent.check("open", name, Libc.statx(scratch.errno, opened, scratch.first(NOTHING), Libc.AT_EMPTY_PATH,
                    Statx.TYPE, scratch.statx()));
            refuse(Statx.type(scratch.statxMemory()), parent, name);
            return reopen(opened, parent, name, options);
        } finally {
            Libc.close(scratch.errno, opened);
        }
    }

    static FileChannel create(Scratch scratch, int directory, LinuxDirectory parent, Name name, int mode)
            throws PosixException {
        int opened = Libc.openat(scratch.errno, directory, parent.address(scratch.first(name), "create", name),
                Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW | Libc.O_CLOEXEC, mode);
        parent.check("create", name, opened);
        try {
            return reopen(opened, parent, name, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (PosixException e) {
            Libc.unlinkat(scratch.errno, directory, scratch.first(name), 0);
            throw e;
        } finally {
            Libc.close(scratch.errno, opened);
        }
    }

    static void refuse(FileType type, LinuxDirectory parent, Name name) throws PosixException {
        String path = parent.path().resolve(name).toString();
        switch (type) {
            case FILE -> {
            }
            case SYMLINK -> throw new PosixException("open", path, Errno.ELOOP, "it is a symbolic link");
            case DIRECTORY -> throw new PosixException("open", path, Errno.EISDIR);
            case OTHER, UNKNOWN ->
                throw new PosixException("open", path, Errno.EINVAL, "it is a device, pipe or socket");
        }
    }

    private static FileChannel reopen(int opened, LinuxDirectory parent, Name name, OpenOption... options)
            throws PosixException {
        try {
            return FileChannel.open(Path.of("/proc/self/fd/" + opened), options);
        } catch (IOException e) {
            throw NioErrors.of("open", parent.path().resolve(name).toString(), e);
        }
    }
}

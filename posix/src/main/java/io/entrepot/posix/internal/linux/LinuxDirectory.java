package io.entrepot.posix.internal.linux;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;
import io.entrepot.posix.Stat;
import io.entrepot.posix.WholeFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A directory as a descriptor. Safe for use by many threads: {@link Descriptor} says how. */
final class LinuxDirectory implements Directory {
    static final int OPEN_FLAGS = Libc.O_DIRECTORY | Libc.O_NOFOLLOW | Libc.O_CLOEXEC;

    private static final byte[] NOTHING = {};
    private static final int NO_REPLACE = 1;

    private final Descriptor descriptor;
    private final BytePath path;
    /** The kernel keeps the place of a listing in the descriptor, so there is one at a time. */
    private final AtomicBoolean listed = new AtomicBoolean();
    private volatile boolean listedBefore;

    LinuxDirectory(Descriptor descriptor, BytePath path) {
        this.descriptor = descriptor;
        this.path = path;
    }

    /** One call on the descriptor, with memory for its arguments. */
    @FunctionalInterface
    interface Call<T> {
        T on(Scratch scratch, int directory) throws PosixException;
    }

    <T> T with(Call<T> call) throws PosixException {
        int directory = acquire();
        try (Scratch scratch = Scratch.take()) {
            return call.on(scratch, directory);
        } finally {
            descriptor.release();
        }
    }

    int acquire() {
        if (!descriptor.tryAcquire()) {
            throw new IllegalStateException(path + " is closed");
        }
        return descriptor.number();
    }

    void release() {
        descriptor.release();
    }

    /** For a listing, which holds the descriptor until it ends. */
    int beginListing(Scratch scratch) throws PosixException {
        int directory = acquire();
        if (!listed.compareAndSet(false, true)) {
            descriptor.release();
            throw new IllegalStateException(path + " is being listed already: open it once more");
        }
        if (listedBefore) {
            long result = Libc.rewind(scratch.errno, directory);
            if (result < 0) {
                endListing();
                throw new PosixException("list", path.toString(), Errno.of((int) -result));
            }
        }
        listedBefore = true;
        return directory;
    }

    void endListing() {
        listed.set(false);
        descriptor.release();
    }

    @Override
    public BytePath path() {
        return path;
    }

    @Override
    public boolean isOpen() {
        return !descriptor.isClosed();
    }

    @Override
    public Stat stat() throws PosixException {
        return with((scratch, directory) -> {
            long result = Libc.statx(scratch.errno, directory, scratch.first(NOTHING), Libc.AT_EMPTY_PATH, Statx.ALL,
                    scratch.statx());
            if (result < 0) {
                throw new PosixException("stat", path.toString(), Errno.of((int) -result));
            }
            return Statx.toStat(scratch.statxMemory());
        });
    }

    @Override
    public Stat stat(Name name, Freshness freshness) throws PosixException {
        return with((scratch, directory) -> {
            check("stat", name, Libc.statx(scratch.errno, directory, address(scratch.first(name), "stat", name),
                    Statx.flags(freshness), Statx.ALL, scratch.statx()));
            return Statx.toStat(scratch.statxMemory());
        });
    }

    @Override
    public Optional<Stat> find(Name name, Freshness freshness) throws PosixException {
        return with((scratch, directory) -> {
            long result = Libc.statxOnce(scratch.errno, directory, address(scratch.first(name), "stat", name),
                    Statx.flags(freshness), Statx.ALL, scratch.statx());
            if (result == -Errno.ENOENT.number()) {
                return Optional.empty();
            }
            check("stat", name, result);
            return Optional.of(Statx.toStat(scratch.statxMemory()));
        });
    }

    @Override
    public Directory open(Name name) throws PosixException {
        return with((scratch, directory) -> {
            int opened = Libc.openat(scratch.errno, directory, address(scratch.first(name), "open", name), OPEN_FLAGS,
                    0);
            if (opened == -Errno.ENOTDIR.number()) {
                throw notADirectory(scratch, Libc.openat(scratch.errno, directory, scratch.first(name),
                        Libc.O_PATH | Libc.O_NOFOLLOW | Libc.O_CLOEXEC, 0), path.resolve(name));
            }
            check("open", name, opened);
            return new LinuxDirectory(new Descriptor(opened), path.resolve(name));
        });
    }

    /** With both O_DIRECTORY and O_NOFOLLOW the kernel does not tell a symbolic link from a file; callers want to know. */
    static PosixException notADirectory(Scratch scratch, int opened, BytePath path) {
        Errno errno = Errno.ENOTDIR;
        String advice = "";
        if (opened >= 0) {
            if (Libc.statx(scratch.errno, opened, scratch.first(NOTHING), Libc.AT_EMPTY_PATH, Statx.TYPE,
                    scratch.statx()) == 0 && Statx.type(scratch.statxMemory()) == FileType.SYMLINK) {
                errno = Errno.ELOOP;
                advice = "it is a symbolic link";
            }
            Libc.close(scratch.errno, opened);
        }
        return new PosixException("open", path.toString(), errno, advice);
    }

    @Override
    public FileChannel openFile(Name name) throws PosixException {
        return with((scratch, directory) -> Channels.open(scratch, directory, this, name, StandardOpenOption.READ));
    }

    @Override
    public Optional<WholeFile> readWhole(Name name, int most) throws PosixException {
        return with((scratch, directory) -> WholeFiles.read(scratch, directory, this, name, most));
    }

    @Override
    public FileChannel openToWrite(Name name) throws PosixException {
        return with((scratch, directory) -> Channels.open(scratch, directory, this, name, StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public FileChannel create(Name name, int mode) throws PosixException {
        return with((scratch, directory) -> Channels.create(scratch, directory, this, name, mode));
    }

    @Override
    public void createWhole(Name name, int mode, ByteBuffer content, Map<String, byte[]> attributes, boolean sync)
            throws PosixException {
        with((scratch, directory) -> WholeFiles.create(scratch, directory, this, name, mode, content, attributes,
                sync));
    }

    @Override
    public boolean createInPlace(Name name, int mode, ByteBuffer content, Map<String, byte[]> attributes,
            BooleanSupplier wanted) throws PosixException {
        return with((scratch, directory) -> WholeFiles.createInPlace(scratch, directory, this, name, mode, content,
                attributes, wanted));
    }

    @Override
    public void rename(Name name, Directory target, Name newName, Replacing replacing) throws PosixException {
        two("rename", name, target, newName, (scratch, from, old, to, fresh) -> {
            long result = Libc.renameat2(scratch.errno, from, old, to, fresh,
                    replacing == Replacing.NO_REPLACE ? NO_REPLACE : 0);
            boolean refused = result == -Errno.EINVAL.number() || result == -Errno.ENOSYS.number();
            // EINVAL is also what moving a directory into itself gives; then both ways are refused, so look again.
            if (refused && replacing == Replacing.NO_REPLACE && !intoItself(name, target, newName)) {
                throw new PosixException("rename", path.resolve(name).toString(), Errno.ENOTSUP,
                        "this file system cannot rename without replacing in one step");
            }
            return result;
        });
    }

    @Override
    public void link(Name name, Directory target, Name newName) throws PosixException {
        two("link", name, target, newName,
                (scratch, from, old, to, fresh) -> Libc.linkat(scratch.errno, from, old, to, fresh));
    }

    @Override
    public void unlink(Name name) throws PosixException {
        with((scratch, directory) -> check("unlink", name,
                Libc.unlinkat(scratch.errno, directory, address(scratch.first(name), "unlink", name), 0)));
    }

    @Override
    public void makeDirectory(Name name, int mode) throws PosixException {
        with((scratch, directory) -> check("mkdir", name,
                Libc.mkdirat(scratch.errno, directory, address(scratch.first(name), "mkdir", name), mode)));
    }

    @Override
    public void removeDirectory(Name name) throws PosixException {
        with((scratch, directory) -> check("rmdir", name, Libc.unlinkat(scratch.errno, directory,
                address(scratch.first(name), "rmdir", name), Libc.AT_REMOVEDIR)));
    }

    @Override
    public Optional<byte[]> attribute(Name name, String attribute) throws PosixException {
        return with((scratch, directory) -> Attributes.get(scratch, directory, this, name, attribute));
    }

    @Override
    public void setAttribute(Name name, String attribute, byte[] value) throws PosixException {
        with((scratch, directory) -> Attributes.setByName(scratch, directory, this, name, attribute, value));
    }

    @Override
    public List<String> attributes(Name name) throws PosixException {
        return with((scratch, directory) -> Attributes.list(scratch, directory, this, name));
    }

    @Override
    public boolean removeAttribute(Name name, String attribute) throws PosixException {
        return with((scratch, directory) -> Attributes.remove(scratch, directory, this, name, attribute));
    }

    @Override
    public void sync() throws PosixException {
        with((scratch, directory) -> check("fsync", Libc.fsync(scratch.errno, directory)));
    }

    @Override
    public void syncFileSystem() throws PosixException {
        with((scratch, directory) -> check("syncfs", Libc.syncfs(scratch.errno, directory)));
    }

    @Override
    public void close() {
        descriptor.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** The result if it is none, else the exception for it. */
    long check(String call, Name name, long result) throws PosixException {
        if (result < 0) {
            throw new PosixException(call, path.resolve(name).toString(), Errno.of((int) -result));
        }
        return result;
    }

    /** A name too long for the kernel's buffers is answered as the kernel would. */
    long address(long address, String call, Name name) throws PosixException {
        if (address == 0) {
            throw new PosixException(call, path.resolve(name).toString(), Errno.ENAMETOOLONG);
        }
        return address;
    }

    private int check(String call, int result) throws PosixException {
        if (result < 0) {
            throw new PosixException(call, path.toString(), Errno.of(-result));
        }
        return result;
    }

    @FunctionalInterface
    private interface TwoNames {
        long call(Scratch scratch, int directory, long name, int target, long newName) throws PosixException;
    }

    private void two(String call, Name name, Directory target, Name newName, TwoNames names) throws PosixException {
        if (!(target instanceof LinuxDirectory other)) {
            throw new IllegalArgumentException(target + " was not opened by these calls");
        }
        with((scratch, directory) -> {
            int otherDirectory = other.acquire();
            try {
                long result = names.call(scratch, directory, address(scratch.first(name), call, name), otherDirectory,
                        other.address(scratch.second(newName), call, newName));
                if (result < 0) {
                    throw new PosixException(call, path.resolve(name) + " to " + other.path.resolve(newName),
                            Errno.of((int) -result));
                }
                return result;
            } finally {
                other.release();
            }
        });
    }

    private boolean intoItself(Name name, Directory target, Name newName) {
        return target.path().resolve(newName).startsWith(path.resolve(name));
    }
}

package io.entrepot.posix.internal.nio;

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
import io.entrepot.posix.internal.NioErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A directory as a path that was one when it was opened. Safe for use by many threads: only whether it is open changes. */
final class NioDirectory implements Directory {
    private static final Set<OpenOption> TO_CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE);

    private final BytePath path;
    private volatile boolean closed;

    private NioDirectory(BytePath path) {
        this.path = path;
    }

    static NioDirectory open(BytePath path) throws PosixException {
        FileType type = run("open", path, () -> NioStat.of(path.toPath())).type();
        switch (type) {
            case DIRECTORY -> {
            }
            case SYMLINK -> throw new PosixException("open", path.toString(), Errno.ELOOP, "it is a symbolic link");
            case FILE, OTHER, UNKNOWN -> throw new PosixException("open", path.toString(), Errno.ENOTDIR);
        }
        return new NioDirectory(path);
    }

    /** Something that Java does on a path. */
    @FunctionalInterface
    private interface Call<T> {
        T run() throws IOException;
    }

    private static <T> T run(String call, BytePath path, Call<T> work) throws PosixException {
        try {
            return work.run();
        } catch (PosixException e) {
            throw e;
        } catch (IOException e) {
            throw NioErrors.of(call, path.toString(), e);
        } catch (InvalidPathException e) {
            throw new PosixException(call, path.toString(), Errno.EILSEQ,
                    "not a name on this system: " + e.getReason());
        } catch (UnsupportedOperationException e) {
            throw new PosixException(call, path.toString(), Errno.ENOTSUP);
        }
    }

    private <T> T on(String call, Name name, PathCall<T> work) throws PosixException {
        BytePath entry = open().resolve(name);
        return run(call, entry, () -> work.run(entry.toPath()));
    }

    @FunctionalInterface
    private interface PathCall<T> {
        T run(Path path) throws IOException;
    }

    private BytePath open() {
        if (closed) {
            throw new IllegalStateException(path + " is closed");
        }
        return path;
    }

    Path javaPath() {
        return open().toPath();
    }

    @Override
    public BytePath path() {
        return path;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public Stat stat() throws PosixException {
        return run("stat", open(), () -> NioStat.of(path.toPath()));
    }

    @Override
    public Stat stat(Name name, Freshness freshness) throws PosixException {
        return on("stat", name, NioStat::of);
    }

    @Override
    public Directory open(Name name) throws PosixException {
        return open(open().resolve(name));
    }

    @Override
    public FileChannel openFile(Name name) throws PosixException {
        return openFile(name, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public FileChannel openToWrite(Name name) throws PosixException {
        return openFile(name, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    private FileChannel openFile(Name name, OpenOption... options) throws PosixException {
        return on("open", name, entry -> {
            switch (NioStat.of(entry).type()) {
                case FILE, UNKNOWN -> {
                }
                case SYMLINK -> throw refused("open", name, Errno.ELOOP, "it is a symbolic link");
                case DIRECTORY -> throw refused("open", name, Errno.EISDIR, "");
                case OTHER -> throw refused("open", name, Errno.EINVAL, "it is a device, pipe or socket");
            }
            return FileChannel.open(entry, options);
        });
    }

    @Override
    public FileChannel create(Name name, int mode) throws PosixException {
        return on("create", name, entry -> FileChannel.open(entry, TO_CREATE, NioStat.permissions(mode)));
    }

    @Override
    public Optional<WholeFile> readWhole(Name name, int most) throws PosixException {
        Stat before = stat(name, Freshness.UNCACHED);
        if (before.type() == FileType.FILE && before.size() > most) {
            return Optional.empty();
        }
        FileChannel file = openFile(name);
        byte[] bytes = on("read", name, _ -> {
            try (file) {
                ByteBuffer content = ByteBuffer.allocate((int) Math.min(most, before.size()));
                while (content.hasRemaining() && file.read(content) >= 0) {
                    // Until it is full, or the file has ended.
                }
                return Arrays.copyOf(content.array(), content.position());
            }
        });
        return Optional.of(new WholeFile(before, bytes, stat(name, Freshness.UNCACHED)));
    }

    @Override
    public void createWhole(Name name, int mode, ByteBuffer content, Map<String, byte[]> attributes, boolean sync)
            throws PosixException {
        FileChannel file = create(name, mode);
        try {
            ByteBuffer rest = content.duplicate();
            on("write", name, entry -> {
                try (file) {
                    while (rest.hasRemaining()) {
                        file.write(rest);
                    }
                    for (Map.Entry<String, byte[]> attribute : attributes.entrySet()) {
                        view(entry, name).write(attribute.getKey(), ByteBuffer.wrap(attribute.getValue()));
                    }
                    if (sync) {
                        file.force(true);
                    }
                }
                return entry;
            });
        } catch (PosixException | RuntimeException e) {
            try {
                on("unlink", name, Files::deleteIfExists);
            } catch (PosixException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    @Override
    public boolean createInPlace(Name name, int mode, ByteBuffer content, Map<String, byte[]> attributes,
            BooleanSupplier wanted) throws PosixException {
        throw refused("create", name, Errno.ENOTSUP, "Java has no bit to mark a file with");
    }

    @Override
    public void rename(Name name, Directory target, Name newName, Replacing replacing) throws PosixException {
        BytePath to = other(target).open().resolve(newName);
        if (replacing == Replacing.NO_REPLACE) {
            throw refused("rename", name, Errno.ENOTSUP, "Java cannot rename without replacing in one step");
        }
        on("rename", name, entry -> {
            // Java does nothing, and succeeds, if both are the same; and so does the kernel.
            return Files.move(entry, to.toPath(), StandardCopyOption.ATOMIC_MOVE);
        });
    }

    @Override
    public void link(Name name, Directory target, Name newName) throws PosixException {
        BytePath to = other(target).open().resolve(newName);
        on("link", name, entry -> Files.createLink(to.toPath(), entry));
    }

    @Override
    public void unlink(Name name) throws PosixException {
        on("unlink", name, entry -> {
            if (NioStat.of(entry).type() == FileType.DIRECTORY) {
                throw refused("unlink", name, Errno.EISDIR, "");
            }
            Files.delete(entry);
            return entry;
        });
    }

    @Override
    public void makeDirectory(Name name, int mode) throws PosixException {
        on("mkdir", name, entry -> Files.createDirectory(entry, NioStat.permissions(mode)));
    }

    @Override
    public void removeDirectory(Name name) throws PosixException {
        on("rmdir", name, entry -> {
            if (NioStat.of(entry).type() != FileType.DIRECTORY) {
                throw refused("rmdir", name, Errno.ENOTDIR, "");
            }
            Files.delete(entry);
            return entry;
        });
    }

    @Override
    public Optional<byte[]> attribute(Name name, String attribute) throws PosixException {
        return on("getxattr", name, entry -> {
            UserDefinedFileAttributeView view = view(entry, name);
            if (!view.list().contains(attribute)) {
                return Optional.empty();
            }
            ByteBuffer value = ByteBuffer.allocate(view.size(attribute));
            view.read(attribute, value);
            value.flip();
            byte[] bytes = new byte[value.remaining()];
            value.get(bytes);
            return Optional.of(bytes);
        });
    }

    @Override
    public void setAttribute(Name name, String attribute, byte[] value) throws PosixException {
        on("setxattr", name, entry -> view(entry, name).write(attribute, ByteBuffer.wrap(value)));
    }

    @Override
    public List<String> attributes(Name name) throws PosixException {
        return on("listxattr", name, entry -> view(entry, name).list());
    }

    @Override
    public boolean removeAttribute(Name name, String attribute) throws PosixException {
        return on("removexattr", name, entry -> {
            UserDefinedFileAttributeView view = view(entry, name);
            if (!view.list().contains(attribute)) {
                return false;
            }
            view.delete(attribute);
            return true;
        });
    }

    @Override
    public void sync() throws PosixException {
        run("fsync", open(), () -> {
            try (FileChannel directory = FileChannel.open(path.toPath(), StandardOpenOption.READ)) {
                directory.force(true);
            }
            return path;
        });
    }

    @Override
    public void syncFileSystem() throws PosixException {
        throw new PosixException("syncfs", open().toString(), Errno.ENOTSUP);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private UserDefinedFileAttributeView view(Path entry, Name name) throws PosixException {
        UserDefinedFileAttributeView view = Files.getFileAttributeView(entry, UserDefinedFileAttributeView.class,
                LinkOption.NOFOLLOW_LINKS);
        if (view == null) {
            throw refused("xattr", name, Errno.ENOTSUP, "");
        }
        return view;
    }

    private PosixException refused(String call, Name name, Errno errno, String advice) {
        return new PosixException(call, path.resolve(name).toString(), errno, advice);
    }

    private static NioDirectory other(Directory directory) {
        if (directory instanceof NioDirectory nio) {
            return nio;
        }
        throw new IllegalArgumentException(directory + " was not opened by these calls");
    }
}

package io.entrepot.pool.watch;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.internal.ImportBook;
import io.entrepot.pool.internal.ImportSource;
import io.entrepot.pool.volume.NoReplace;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.MountCall;
import io.entrepot.posix.MountPool;
import io.entrepot.posix.MountPools;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.WholeFile;
import io.entrepot.scan.StableRule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The files of a watched directory: how they are opened, and how they are taken away once they are imported. Goes down from the
 * directory name by name, so that nobody who may write there can lead us out of it with a symbolic link. Everything is done on the
 * threads of its mount. Immutable; safe for use by many threads.
 */
final class SourceTree {
    private static final int MOST_NUMBERS = 10_000;
    private static final int DIRECTORY_MODE = 0770;

    private final FileCalls calls;
    private final MountPool threads;
    private final Duration patience;
    private final PoolFaults faults;
    private final BytePath root;
    private final long device;
    private final StableRule rule;
    private final NoReplace noReplace = new NoReplace();

    /** What became of a source that was taken. */
    enum Fate {
        /** It is not there any more, nor anywhere below under its private name. */
        GONE,
        /** It is where it was. */
        STAYS,
        /** It was not found, and the storage is not the one it was on: it may not be mounted. */
        UNKNOWN
    }

    /** An open source: what it is, its first bytes, and where the rest comes from if there is more. */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    record Head(Stat stat, byte[] bytes, Optional<FileChannel> rest) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            if (rest.isPresent()) {
                rest.get().close();
            }
        }
    }

    private SourceTree(FileCalls calls, MountPool threads, Duration patience, PoolFaults faults, BytePath root,
            long device, StableRule rule) {
        this.calls = calls;
        this.threads = threads;
        this.patience = patience;
        this.faults = faults;
        this.root = root;
        this.device = device;
        this.rule = rule;
    }

    /** @throws IOException if there is no such directory now */
    static SourceTree open(FileCalls calls, MountPools mounts, Duration patience, PoolFaults faults, WatcherSpec spec)
            throws IOException, InterruptedException {
        Path path = spec.path();
        BytePath root = mounts.of(BytePath.of(path)).call(() -> real(path), patience);
        MountPool threads = mounts.of(root);
        long device = threads.call(() -> {
            try (Directory top = calls.openDirectory(root)) {
                return top.stat().device();
            }
        }, patience);
        return new SourceTree(calls, threads, patience, faults, root, device,
                Sieve.rule(spec));
    }

    /** Java's own exceptions have nothing but the path for a message, which is no answer to why. */
    private static BytePath real(Path path) throws IOException {
        try {
            return BytePath.of(path.toRealPath());
        } catch (NoSuchFileException e) {
            throw new IOException(path + " is not there", e);
        } catch (AccessDeniedException e) {
            throw new IOException(path + " may not be read", e);
        }
    }

    BytePath root() {
        return root;
    }

    long device() {
        return device;
    }

    <T> T on(MountCall<T> call) throws IOException, InterruptedException {
        return threads.call(call, patience);
    }

    /** As it is now; none if it is not there. */
    Optional<Stat> find(BytePath path) throws IOException, InterruptedException {
        return on(() -> {
            try (Directory directory = directory(parent(path))) {
                return find(directory, name(path));
            } catch (PosixException e) {
                if (isGone(e)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /**
     * Opens a source and reads its first bytes. If that is all of it, it has not changed meanwhile.
     *
     * @throws SourceChangedException if it has
     */
    Head read(BytePath path, int most) throws IOException, InterruptedException {
        return on(() -> {
            try (Directory directory = directory(parent(path))) {
                return read(directory, path, most);
            }
        });
    }

    private static Head read(Directory directory, BytePath path, int most) throws IOException {
        Name name = name(path);
        Stat before = directory.stat(name, Freshness.UNCACHED);
        if (before.type() != FileType.FILE) {
            throw new PosixException("open", path.toString(), Errno.EINVAL, "not a regular file");
        }
        FileChannel channel = directory.openFile(name);
        try {
            ByteBuffer head = ByteBuffer.allocate((int) Math.min(most, before.size() + 1));
            boolean end = fill(channel, head);
            if (!end && before.size() >= most) {
                return new Head(before, head.array(), Optional.of(channel));
            }
            requireUnchanged(path, before, directory.stat(name, Freshness.UNCACHED), head.position());
            channel.close();
            return new Head(before, Arrays.copyOf(head.array(), head.position()), Optional.empty());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The small ones among them that could be read as a whole, and have not changed meanwhile. */
    Map<BytePath, Head> readAll(List<BytePath> paths, int most) throws IOException, InterruptedException {
        return inEach(paths, Function.identity(), (directory, path) -> {
            WholeFile file = directory.readWhole(name(path), most).filter(WholeFile::isUnchanged)
                    .orElseThrow(() -> new SourceChangedException(path));
            return new Head(file.before(), file.bytes(), Optional.empty());
        });
    }

    /** What became of those that could be taken. */
    Map<ImportBook.Row, Fate> takeAll(List<ImportBook.Row> rows, PostImport after)
            throws IOException, InterruptedException {
        return inEach(rows, row -> BytePath.parse(row.source().path()), (directory, row) -> take(directory,
                row.source(), new PrivateName(row.file(), name(BytePath.parse(row.source().path()))), after));
    }

    private interface InDirectory<T, R> {
        R run(Directory directory, T one) throws IOException;
    }

    /** All in one call, as to change threads costs more than the rest; what goes wrong with one is left out. */
    private <T, R> Map<T, R> inEach(List<T> all, Function<T, BytePath> where, InDirectory<T, R> step)
            throws IOException, InterruptedException {
        return on(() -> {
            Map<T, R> done = new HashMap<>();
            int at = 0;
            while (at < all.size()) {
                BytePath parent = parent(where.apply(all.get(at)));
                int end = at + 1;
                while (end < all.size() && parent(where.apply(all.get(end))).equals(parent)) {
                    end++;
                }
                List<T> some = all.subList(at, end);
                at = end;
                try (Directory directory = directory(parent)) {
                    for (T one : some) {
                        tryOne(directory, one, step).ifPresent(result -> done.put(one, result));
                    }
                } catch (PosixException e) {
                    // The directory cannot be opened: one by one, each of them is told so.
                }
            }
            return done;
        });
    }

    private static <T, R> Optional<R> tryOne(Directory directory, T one, InDirectory<T, R> step) {
        try {
            return Optional.of(step.run(directory, one));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** @throws SourceChangedException if it is not what it was, or there were other than so many bytes */
    void requireUnchanged(BytePath path, Stat before, long bytes) throws IOException, InterruptedException {
        Stat after = find(path).orElseThrow(() -> new SourceChangedException(path));
        requireUnchanged(path, before, after, bytes);
    }

    private static void requireUnchanged(BytePath path, Stat before, Stat after, long bytes)
            throws SourceChangedException {
        if (!before.isSameFile(after) || before.size() != after.size() || before.mtime() != after.mtime()
                || before.ctime() != after.ctime() || bytes != before.size()) {
            throw new SourceChangedException(path);
        }
    }

    private static boolean fill(FileChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends a source that was imported: gives it its private name, so that nobody writes another version under our hands, looks whether
     * it still is what was imported, and then removes or moves it. If it is not, it is put back: it is another source. May be
     * called again after a crash anywhere in it.
     */
    Fate take(ImportSource source, FileKey file, PostImport after) throws IOException, InterruptedException {
        BytePath path = BytePath.parse(source.path());
        return on(() -> {
            try (Directory directory = directory(parent(path))) {
                return take(directory, source, new PrivateName(file, name(path)), after);
            } catch (PosixException e) {
                if (isGone(e)) {
                    return absent(source);
                }
                throw e;
            }
        });
    }

    private Fate take(Directory directory, ImportSource source, PrivateName hidden, PostImport after)
            throws IOException {
        Name name = hidden.original();
        boolean there = find(directory, name).filter(source::isSame).isPresent();
        boolean both = false;
        if (there && !(after instanceof PostImport.Keep)) {
            both = !hide(directory, name, hidden.name());
            faults.reach(PoolFaults.Point.SOURCE_RENAMED);
        }
        Optional<Stat> now = find(directory, hidden.name());
        if (now.isEmpty()) {
            return there ? Fate.STAYS : absent(source);
        }
        if (!source.isSame(now.get())) {
            putBack(directory, hidden.name(), name);
            return Fate.GONE;
        }
        switch (after) {
            case PostImport.Delete() -> directory.unlink(hidden.name());
            case PostImport.Move(Path to) -> move(directory, hidden.name(), BytePath.parse(source.path()), to);
            case PostImport.Keep() -> {
                putBack(directory, hidden.name(), name);
                return Fate.STAYS;
            }
        }
        faults.reach(PoolFaults.Point.SOURCE_REMOVED);
        if (both) { // a crash came while it had both names: the other one goes the same way
            return take(directory, source, hidden, new PostImport.Delete());
        }
        removeMarker(directory, name);
        return Fate.GONE;
    }

    /** A mount point without its storage is an empty directory: what is not found there may be on the storage. */
    private Fate absent(ImportSource source) {
        try (Directory top = calls.openDirectory(root)) {
            return source.device() == top.stat().device() ? Fate.GONE : Fate.UNKNOWN;
        } catch (PosixException e) {
            return Fate.UNKNOWN;
        }
    }

    /** False if there is one of that name: hidden by us before. */
    private boolean hide(Directory directory, Name name, Name hidden) throws PosixException {
        try {
            noReplace.move(directory, name, directory, hidden);
            return true;
        } catch (PosixException e) {
            if (!e.is(Errno.ENOENT) && !e.is(Errno.EEXIST)) {
                throw e;
            }
            return e.is(Errno.ENOENT); // gone meanwhile
        }
    }

    /** Gives what we had taken its own name again, whoever it belongs to. */
    void putBack(BytePath path, PrivateName hidden) throws IOException, InterruptedException {
        on(() -> {
            try (Directory directory = directory(parent(path))) {
                putBack(directory, name(path), hidden.original());
            }
            return true;
        });
    }

    private void putBack(Directory directory, Name hidden, Name name) throws PosixException {
        place(directory, hidden, directory, name);
    }

    private void move(Directory directory, Name hidden, BytePath path, Path to) throws IOException {
        try (Directory target = made(BytePath.of(to.toRealPath()), parent(path))) {
            place(directory, hidden, target, name(path));
        }
    }

    /** Under that name, or the first number of it that is free. */
    private void place(Directory from, Name hidden, Directory to, Name name) throws PosixException {
        for (int number = 0; number < MOST_NUMBERS; number++) {
            try {
                noReplace.move(from, hidden, to, number == 0 ? name : NameText.numbered(name, number));
                return;
            } catch (PosixException e) {
                if (!e.is(Errno.EEXIST)) {
                    throw e;
                }
            }
        }
        throw new PosixException("rename", to.path().resolve(name).toString(), Errno.EEXIST,
                "so are " + MOST_NUMBERS + " numbers of that name");
    }

    /** One that stays is harmless: without its file it says nothing, and for another one it is too old. */
    private void removeMarker(Directory directory, Name name) {
        rule.markerOf(name).ifPresent(sign -> {
            try {
                directory.unlink(sign);
            } catch (PosixException e) {
                // Gone already, most often.
            }
        });
    }

    /** Makes a sub-directory of the watched one, unless there is something of that name. */
    boolean make(Name name) throws IOException, InterruptedException {
        return on(() -> {
            try (Directory top = calls.openDirectory(root)) {
                top.makeDirectory(name, DIRECTORY_MODE);
                return true;
            } catch (PosixException e) {
                if (e.is(Errno.EEXIST)) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** If that can be: nobody is harmed if it stays. */
    void tryToRemove(BytePath path) throws IOException, InterruptedException {
        on(() -> {
            try (Directory directory = directory(parent(path))) {
                directory.unlink(name(path));
                return true;
            } catch (PosixException e) {
                return false;
            }
        });
    }

    private Directory directory(BytePath below) throws PosixException {
        Directory at = calls.openDirectory(root);
        for (Name name : below.names()) {
            try (Directory above = at) {
                at = above.open(name);
            }
        }
        return at;
    }

    private Directory made(BytePath top, BytePath below) throws PosixException {
        Directory at = calls.openDirectory(top);
        for (Name name : below.names()) {
            try (Directory above = at) {
                try {
                    above.makeDirectory(name, DIRECTORY_MODE);
                } catch (PosixException e) {
                    if (!e.is(Errno.EEXIST)) {
                        throw e;
                    }
                }
                at = above.open(name);
            }
        }
        return at;
    }

    private static Optional<Stat> find(Directory directory, Name name) throws PosixException {
        try {
            return Optional.of(directory.stat(name, Freshness.UNCACHED));
        } catch (PosixException e) {
            if (isGone(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    static boolean isGone(PosixException e) {
        return e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ESTALE);
    }

    private static BytePath parent(BytePath path) {
        return path.parent().orElse(BytePath.CURRENT);
    }

    private static Name name(BytePath path) {
        return path.name().orElseThrow();
    }
}

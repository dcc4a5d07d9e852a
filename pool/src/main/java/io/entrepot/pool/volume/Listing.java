package io.entrepot.pool.volume;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.StatField;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the volume, read some entries at a time, so that memory does not grow with it and no call takes long. For one
 * thread at a time; a call that hangs closes it when it comes back.
 */
final class Listing implements AutoCloseable {
    private static final int MOST_AT_ONCE = 1000;

    private final MountThreads threads;
    private final VolumeRoot root;
    private final BytePath path;
    private final Shared use = new Shared(this::end);
    private @Nullable Directory directory;
    private @Nullable DirectoryReader reader;
    private @Nullable Cursor cursor;

    /** @param path from the volume's root */
    Listing(MountThreads threads, VolumeRoot root, BytePath path) {
        this.threads = threads;
        this.root = root;
        this.path = path;
    }

    /**
     * @param changed in milliseconds; size and this are 0 for a directory
     * @param whole   whether it is not a file that was being made when something came between
     */
    record Found(Name name, FileType type, long size, long changed, boolean whole) {}

    /** @param foreign another file system is mounted there */
    record Part(List<Found> found, boolean last, boolean foreign) {}

    /** The next entries. A directory that has vanished has none. */
    Part next() throws VolumeException, InterruptedException {
        return threads.call("list " + path, () -> {
            if (!use.enter()) {
                throw new IllegalStateException("the listing of " + path + " is closed");
            }
            try {
                return read();
            } finally {
                use.leave();
            }
        });
    }

    private Part read() throws IOException {
        Cursor entries = cursor;
        if (entries == null) {
            try {
                Directory opened = open();
                directory = opened;
                if (isForeign(opened.stat(), root.top().stat())) {
                    return new Part(List.of(), true, true);
                }
                reader = root.calls()
                        .newReader(EnumSet.of(StatField.TYPE, StatField.MODE, StatField.SIZE, StatField.CTIME));
                entries = cursor = reader.list(opened);
            } catch (PosixException e) {
                if (e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP)) {
                    root.check();
                    return new Part(List.of(), true, false);
                }
                throw e;
            }
        }
        List<Found> found = new ArrayList<>();
        while (found.size() < MOST_AT_ONCE) {
            if (!hasNext(entries)) {
                return new Part(found, true, false);
            }
            look(entries, found);
        }
        return new Part(found, false, false);
    }

    /** One that is removed while it is open has no entries any more, as whoever removed it found it empty. */
    private boolean hasNext(Cursor entries) throws IOException {
        try {
            return entries.next();
        } catch (PosixException e) {
            if (!Failures.isGone(e)) {
                throw e;
            }
            root.check();
            return false;
        }
    }

    /** From the root down, which is itself opened once more: its descriptor can be listed by one at a time only. */
    private Directory open() throws PosixException {
        Directory at = root.calls().openDirectory(root.top().path());
        for (Name name : path.names()) {
            try (Directory above = at) {
                at = above.open(name);
            }
        }
        return at;
    }

    private void look(Cursor entry, List<Found> found) throws PosixException {
        if (entry.type() == FileType.DIRECTORY) {
            found.add(new Found(entry.name(), FileType.DIRECTORY, 0, 0, true));
            return;
        }
        Errno looked = entry.stat(Freshness.CACHED);
        if (looked == Errno.NONE) {
            found.add(new Found(entry.name(), entry.statType(), entry.size(), millis(entry.ctime()),
                    !Stat.isUnfinished(entry.statType(), entry.mode()) || isDescribed(entry.name())));
        } else if (looked != Errno.ENOENT) {
            throw new PosixException("stat", root.top().path().resolve(path).resolve(entry.name()).toString(), looked);
        }
    }

    private boolean isDescribed(Name name) throws PosixException {
        Directory listed = directory;
        try {
            return listed != null && root.isDescribed(listed, name);
        } catch (PosixException e) {
            if (Failures.isGone(e)) {
                return false;
            }
            throw e;
        }
    }

    static long millis(long nanos) {
        return Math.floorDiv(nanos, 1_000_000L);
    }

    /** By the mount where the kernel says it; a part of one file system can be mounted inside of another part of it. */
    private static boolean isForeign(Stat directory, Stat top) {
        return (directory.mountId().isPresent() && top.mountId().isPresent())
                ? directory.mountId().getAsLong() != top.mountId().getAsLong()
                : directory.device() != top.device();
    }

    @Override
    public void close() {
        if (directory != null) {
            threads.finish(use::close);
        }
    }

    private void end() {
        if (reader != null) {
            reader.close();
        }
        if (directory != null) {
            directory.close();
        }
    }
}

package io.entrepot.scan;

import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Cursor;
import io.entrepot.posix.Directory;
import io.entrepot.posix.DirectoryReader;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.posix.StatField;
import java.util.Arrays;
import java.util.EnumSet;

/**
 * Lists directories, one at a time, with everything that is in them. Blocks the platform thread it runs on while the storage
 * does. For one thread at a time.
 */
public final class Lister implements AutoCloseable {
    private final FileCalls calls;
    private final BootClock clock;
    private final DirectoryReader reader;
    private byte[] names = new byte[1 << 14];
    private int[] nameEnds = new int[1 << 9];
    private FileType[] types = new FileType[1 << 9];
    private long[] values = new long[Listing.LONGS << 9];
    private int size;
    private int namesEnd;
    private int stats;
    private int vanished;

    public Lister(FileCalls calls, BootClock clock) {
        this.calls = calls;
        this.clock = clock;
        this.reader = calls.newReader(EnumSet.of(StatField.TYPE, StatField.LINKS, StatField.INODE, StatField.SIZE,
                StatField.MTIME, StatField.CTIME));
    }

    /** @throws PosixException if not even the first entry can be read */
    public Listing list(BytePath path, Freshness freshness) throws PosixException {
        try (Directory directory = calls.openDirectory(path)) {
            return list(directory, path, freshness);
        }
    }

    /**
     * @param path where the directory is, for the listing
     * @throws PosixException if the directory itself cannot be looked at
     */
    public Listing list(Directory directory, BytePath path, Freshness freshness) throws PosixException {
        long begin = clock.nanos();
        try {
            return list(directory, path, directory.stat(), begin, freshness, Selection.ALL, _ -> {});
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts this one", e);
        }
    }

    /** Told now and then how many entries have been read. */
    @FunctionalInterface
    interface Pace {
        /** How many entries may pass between two calls. */
        int STEP = 64;

        /** @throws InterruptedException if the listing shall not go on */
        void at(int entries) throws InterruptedException;
    }

    /**
     * @param self  the directory, looked at since {@code begin}
     * @param pace  slows it down, or stops it
     */
    Listing list(Directory directory, BytePath path, Stat self, long begin, Freshness freshness, Selection selection,
            Pace pace) throws InterruptedException {
        size = 0;
        namesEnd = 0;
        stats = 0;
        vanished = 0;
        int omitted = 0;
        int read = 0;
        Errno failure = Errno.NONE;
        selection.enter(path);
        try (Cursor cursor = reader.list(directory)) {
            while (cursor.next()) {
                if ((++read & (Pace.STEP - 1)) == 0) {
                    pace.at(read);
                }
                if (selection.keeps(cursor)) {
                    look(cursor, freshness);
                } else {
                    omitted++;
                }
            }
        } catch (PosixException e) {
            failure = e.errno();
        }
        Interval seen = new Interval(begin, clock.nanos()); // before the pace makes it wait
        pace.at(read);
        return new Listing(path, self, seen, failure, omitted, size,
                Arrays.copyOf(names, namesEnd), Arrays.copyOf(nameEnds, size), Arrays.copyOf(types, size),
                Arrays.copyOf(values, Listing.LONGS * size));
    }

    /** How many entries of the last listing were looked at. */
    int stats() {
        return stats;
    }

    /** How many entries of the last listing were gone when they were to be looked at. */
    int vanished() {
        return vanished;
    }

    private void look(Cursor cursor, Freshness freshness) {
        Errno looked = cursor.stat(freshness);
        stats++;
        if (looked == Errno.ENOENT) {
            vanished++;
        } else {
            add(cursor, looked);
        }
    }

    private void add(Cursor cursor, Errno looked) {
        int length = cursor.nameLength();
        if (size == nameEnds.length) {
            nameEnds = Arrays.copyOf(nameEnds, 2 * size);
            types = Arrays.copyOf(types, 2 * size);
            values = Arrays.copyOf(values, Listing.LONGS * 2 * size);
        }
        if (namesEnd + length > names.length) {
            names = Arrays.copyOf(names, 2 * names.length + length);
        }
        namesEnd += cursor.copyName(names, namesEnd);
        nameEnds[size] = namesEnd;
        int at = Listing.LONGS * size;
        if (looked == Errno.NONE) {
            types[size] = cursor.statType();
            values[at] = cursor.statInode();
            values[at + 1] = cursor.device();
            values[at + 2] = cursor.links() & 0xffff_ffffL;
            values[at + 3] = cursor.size();
            values[at + 4] = cursor.mtime();
            values[at + 5] = cursor.ctime();
        } else {
            types[size] = cursor.type();
            Arrays.fill(values, at, at + Listing.LONGS, 0);
            values[at] = cursor.inode();
            values[at + 2] = (long) looked.number() << Integer.SIZE;
        }
        size++;
    }

    @Override
    public void close() {
        reader.close();
    }
}

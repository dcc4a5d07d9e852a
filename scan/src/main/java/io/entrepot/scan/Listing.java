package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * What was in a directory, as one unit: either {@linkplain #isComplete complete}, and then what is not in it was not there;
 * or cut short by a {@linkplain #failure() failure}, and then nothing follows from what is missing; or without what a filter
 * {@linkplain #omitted left out}, and then something follows only for names that {@linkplain PathFilter#selects the filter
 * selects}. In the order the file system gave. Immutable; a few arrays however many entries there are.
 */
public final class Listing {
    static final int LONGS = 6;

    private final BytePath directory;
    private final Stat self;
    private final Interval seen;
    private final Errno failure;
    private final int omitted;
    private final int size;
    private final byte[] names;
    private final int[] nameEnds;
    private final FileType[] types;
    private final long[] values;

    /** Values: for each entry inode, device, links and error, size, mtime, ctime. */
    Listing(BytePath directory, Stat self, Interval seen, Errno failure, int omitted, int size, byte[] names,
            int[] nameEnds, FileType[] types, long[] values) {
        this.directory = directory;
        this.self = self;
        this.seen = seen;
        this.failure = failure;
        this.omitted = omitted;
        this.size = size;
        this.names = names;
        this.nameEnds = nameEnds;
        this.types = types;
        this.values = values;
    }

    public BytePath directory() {
        return directory;
    }

    /** The directory itself, looked at before the first entry was read: what changed it later shows in its times. */
    public Stat self() {
        return self;
    }

    public Interval seen() {
        return seen;
    }

    /** Whether it holds everything that was there: it was read to its end, and nothing was left out. */
    public boolean isComplete() {
        return failure == Errno.NONE && omitted == 0;
    }

    /** How many entries were there and are not in the listing, as they were not asked for. */
    public int omitted() {
        return omitted;
    }

    /** What cut it short; {@link Errno#NONE} if nothing did. */
    public Errno failure() {
        return failure;
    }

    public int size() {
        return size;
    }

    /** In bytes; of one name. */
    public int nameLength(int i) {
        return nameEnds[i] - nameBegin(i);
    }

    /** Copies the bytes of a name; returns how many. */
    public int copyName(int i, byte[] target, int offset) {
        int length = nameLength(i);
        System.arraycopy(names, nameBegin(i), target, offset, length);
        return length;
    }

    public Name name(int i) {
        return Name.of(names, nameBegin(i), nameEnds[i]);
    }

    public FileType type(int i) {
        return types[i];
    }

    /** Why an entry could not be looked at; {@link Errno#NONE} if it could, and the values below are known. */
    public Errno failure(int i) {
        return Errno.of((int) (values[LONGS * i + 2] >>> Integer.SIZE));
    }

    public long inode(int i) {
        return values[LONGS * i];
    }

    public long device(int i) {
        return values[LONGS * i + 1];
    }

    public int links(int i) {
        return (int) values[LONGS * i + 2];
    }

    public long size(int i) {
        return values[LONGS * i + 3];
    }

    public long mtime(int i) {
        return values[LONGS * i + 4];
    }

    public long ctime(int i) {
        return values[LONGS * i + 5];
    }

    public Entry entry(int i) {
        return new Entry(name(i), type(i), failure(i), inode(i), device(i), links(i), size(i), mtime(i), ctime(i));
    }

    /** Made as they are asked for. */
    public List<Entry> entries() {
        return new Entries();
    }

    private int nameBegin(int i) {
        return i == 0 ? 0 : nameEnds[i - 1];
    }

    private final class Entries extends AbstractList<Entry> implements RandomAccess {
        @Override
        public Entry get(int i) {
            return entry(i);
        }

        @Override
        public int size() {
            return size;
        }
    }
}

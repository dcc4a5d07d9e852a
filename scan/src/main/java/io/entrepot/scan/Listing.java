package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * What was in a directory, as one unit: either {@linkplain #isComplete complete}, and then what is not in it was not there;
 * or cut short by a {@linkplain #failure() failure}, and then nothing follows from what is missing; or without what a filter
 * {@linkplain #omitted left out}, and then something follows only for names that {@linkplain PathFilter#selects the filter
 * selects}. In the order the file system gave. Immutable; a few arrays however many entries there are.
 */
public final class Listing {
    static final int LONGS = 5;
    private static final int ERROR_AT = Integer.SIZE;
    private static final int TYPE_AT = 48;
    private static final FileType[] TYPES = FileType.values();

    private final BytePath directory;
    private final Stat self;
    private final Interval seen;
    private final Errno failure;
    private final int omitted;
    private final int size;
    private final byte[] names;
    private final int[] nameEnds;
    private final long[] values;
    private final long device;
    private final long @Nullable [] devices;

    /**
     * @param values  for each entry inode, {@link #word}, size, mtime, ctime
     * @param device  of all entries, unless there are
     * @param devices one for each
     */
    Listing(BytePath directory, Stat self, Interval seen, Errno failure, int omitted, int size, byte[] names,
            int[] nameEnds, long[] values, long device, long @Nullable [] devices) {
        this.directory = directory;
        this.self = self;
        this.seen = seen;
        this.failure = failure;
        this.omitted = omitted;
        this.size = size;
        this.names = names;
        this.nameEnds = nameEnds;
        this.values = values;
        this.device = device;
        this.devices = devices;
    }

    /** Links, error and type in one. */
    static long word(int links, Errno failure, FileType type) {
        return (long) type.ordinal() << TYPE_AT | (long) failure.number() << ERROR_AT | (links & 0xffff_ffffL);
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
        return TYPES[(int) (values[LONGS * i + 1] >>> TYPE_AT)];
    }

    /** Why an entry could not be looked at; {@link Errno#NONE} if it could, and the values below are known. */
    public Errno failure(int i) {
        return Errno.of((int) (values[LONGS * i + 1] >>> ERROR_AT) & 0xffff);
    }

    public long inode(int i) {
        return values[LONGS * i];
    }

    public long device(int i) {
        return devices == null ? device : devices[i];
    }

    public int links(int i) {
        return (int) values[LONGS * i + 1];
    }

    public long size(int i) {
        return values[LONGS * i + 2];
    }

    public long mtime(int i) {
        return values[LONGS * i + 3];
    }

    public long ctime(int i) {
        return values[LONGS * i + 4];
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

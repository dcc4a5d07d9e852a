package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sub-directories of one directory that are still to be visited. The directory is kept open for that, so that what is opened
 * next is inside of it, whatever happens to its path; or parked, if too many are, and then opened again by whoever needs it.
 * Guarded by {@link Frames}, but for what is final.
 */
final class Frame {
    final BytePath path;
    /** None for the frame whose only entry is the root. */
    final @Nullable Ancestry ancestry;
    private final byte[] names;
    private final int[] ends;
    private final int size;
    private int taken;

    @Nullable
    Directory directory;
    /** Threads that are just opening something in it. */
    int users;

    private Frame(BytePath path, @Nullable Ancestry ancestry, @Nullable Directory directory, byte[] names, int[] ends,
            int size) {
        this.path = path;
        this.ancestry = ancestry;
        this.directory = directory;
        this.names = names;
        this.ends = ends;
        this.size = size;
    }

    static Frame root(BytePath path) {
        return new Frame(path, null, null, new byte[0], new int[1], 1);
    }

    /** One that was taken: where it will be, and its name, which the root has not. */
    record Task(Frame frame, BytePath path, @Nullable Name name) {}

    boolean hasMore() {
        return taken < size;
    }

    Task take() {
        int i = taken++;
        if (ancestry == null) {
            return new Task(this, path, null);
        }
        Name name = Name.of(names, i == 0 ? 0 : ends[i - 1], ends[i]);
        return new Task(this, path.resolve(name), name);
    }

    /** Collects the names for a frame. For one thread. */
    static final class Builder {
        private byte[] names = new byte[1 << 10];
        private int[] ends = new int[1 << 6];
        private int size;
        private int end;

        void clear() {
            size = 0;
            end = 0;
        }

        boolean isEmpty() {
            return size == 0;
        }

        void add(Listing listing, int i) {
            makeRoom(listing.nameLength(i));
            end += listing.copyName(i, names, end);
            ends[size++] = end;
        }

        void addAll(List<Name> all) {
            for (Name name : all) {
                makeRoom(name.length());
                name.copyTo(names, end);
                end += name.length();
                ends[size++] = end;
            }
        }

        Frame build(BytePath path, Ancestry ancestry, Directory directory) {
            return new Frame(path, ancestry, directory, Arrays.copyOf(names, end), Arrays.copyOf(ends, size), size);
        }

        private void makeRoom(int length) {
            if (end + length > names.length) {
                names = Arrays.copyOf(names, 2 * names.length + length);
            }
            if (size == ends.length) {
                ends = Arrays.copyOf(ends, 2 * size);
            }
        }
    }

    /** Whether the type of an entry says that there may be more below. */
    static boolean isDirectory(Listing listing, int i) {
        return listing.type(i) == FileType.DIRECTORY;
    }
}

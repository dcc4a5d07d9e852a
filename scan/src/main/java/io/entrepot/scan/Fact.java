package io.entrepot.scan;

import io.entrepot.posix.BytePath;

/**
 * Something that was seen of the tree, and when. Facts about one path come in the order in which they were seen; a later one
 * replaces what an earlier one said.
 */
public sealed interface Fact {

    /** What it is about: for {@link Rescan} and {@link Absent} everything below as well. */
    BytePath path();

    /**
     * There is such an entry, and it is like this. Of a directory: if it is another one than before (its inode), nothing is
     * known of what is below.
     */
    record Present(BytePath path, Entry entry, Interval seen, Cause cause) implements Fact {}

    /** There is nothing of that name any more, and nothing below it. */
    record Absent(BytePath path, Interval seen, Cause cause) implements Fact {}

    /**
     * All that is in a directory: see {@link Listing#isComplete}. Also says what the directory itself is now
     * ({@link Listing#self}): it may be another one than was last seen at that path.
     */
    record Listed(Listing listing) implements Fact {
        @Override
        public BytePath path() {
            return listing.directory();
        }
    }

    /** Something may have happened there, at any depth, that nobody has seen: look again. */
    record Rescan(BytePath path, Reason reason) implements Fact {}

    /** What made somebody look. */
    enum Cause {
        CREATED, MODIFIED,
        /** Closed by somebody who could write. */
        CLOSED, ATTRIBUTES, DELETED,
        /** To here from somewhere: inside of the tree if there is a {@link #MOVED_AWAY} as well. */
        MOVED_HERE, MOVED_AWAY,
        /** Nothing was notified: it was found new, or other than before, by looking. Who did it, and whether they are done, is not known. */
        FOUND_CHANGED
    }

    /** Why nobody has seen it. */
    enum Reason {
        /** The kernel dropped events. */
        OVERFLOW,
        /** A watch ended that was not asked to. */
        WATCH_LOST,
        /** The directory could not be watched, or not be listed. */
        UNREADABLE,
        /** The directory is not among those watched any more. */
        UNWATCHED,
        /** It was moved, or made, faster than it could be followed. */
        OUTRUN
    }
}

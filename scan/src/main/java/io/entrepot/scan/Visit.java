package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Stat;

/** What a scan found of one directory. */
public sealed interface Visit {

    BytePath directory();

    /** It was read, to the end or up to an error: see {@link Listing#isComplete}. */
    record Listed(Listing listing) implements Visit {
        @Override
        public BytePath directory() {
            return listing.directory();
        }
    }

    /**
     * By its times nothing in it has come, gone or been renamed since what is remembered of it, and it was not read. Its
     * sub-directories are visited all the same.
     *
     * @param self as it was when that was decided
     */
    record Silent(BytePath directory, Stat self, Interval seen) implements Visit {}

    /**
     * It was not entered, nor anything below it: nothing follows about what is there.
     *
     * @param errno {@link Errno#NONE} if there was no error
     */
    record Skipped(BytePath directory, Reason reason, Errno errno, Interval seen) implements Visit {}

    /** Why a directory was not entered. */
    enum Reason {
        /** It has gone, or is no directory any more, since its name was read. */
        VANISHED,
        /** It may not be read, or reading fails. */
        UNREADABLE,
        /** Another file system begins here, and those were not asked for. */
        MOUNT_POINT,
        /** A directory above is mounted here once more: this would never end. */
        LOOP,
        /** The storage did not answer within the patience of the request. */
        HANGING
    }
}

package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;

/** Something that kept a scan from seeing all. */
public record Problem(BytePath path, Kind kind, Errno errno) {

    /** What could not be seen. */
    public enum Kind {
        /** The directory, with all below it. */
        UNREADABLE,
        /** The rest of the directory. */
        CUT_SHORT,
        /** The entry's attributes; its name was seen. */
        UNKNOWN,
        /** The directory, with all below it: the storage does not answer. */
        HANGING
    }

    @Override
    public String toString() {
        return path + ": " + switch (kind) {
            case UNREADABLE -> "cannot be read";
            case CUT_SHORT -> "could not be read to its end";
            case UNKNOWN -> "cannot be looked at";
            case HANGING -> "the storage does not answer";
        } + (errno == Errno.NONE ? "" : ": " + errno.meaning() + " (" + errno.symbol() + ")");
    }
}

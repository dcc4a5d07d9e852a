package io.entrepot.scan;

import io.entrepot.posix.Inotify;
import io.entrepot.scan.Fact.Cause;

/** What an event says about the cause of a fact. */
final class Causes {

    private Causes() {}

    static Cause of(int mask) {
        if ((mask & Inotify.CREATE) != 0) {
            return Cause.CREATED;
        }
        if ((mask & Inotify.MOVED_TO) != 0) {
            return Cause.MOVED_HERE;
        }
        if ((mask & Inotify.DELETE) != 0) {
            return Cause.DELETED;
        }
        if ((mask & Inotify.MOVED_FROM) != 0) {
            return Cause.MOVED_AWAY;
        }
        if ((mask & Inotify.CLOSE_WRITE) != 0) {
            return Cause.CLOSED;
        }
        return (mask & Inotify.MODIFY) != 0 ? Cause.MODIFIED : Cause.ATTRIBUTES;
    }

    /** The last one; but what is said about a new or closed file is not unsaid by a change of its attributes. */
    static Cause merged(Cause before, Cause next) {
        return next == Cause.ATTRIBUTES ? before : next;
    }

    /** It is there although it was said to have gone: it came back, or another one did. */
    static Cause here(Cause cause) {
        return cause == Cause.DELETED || cause == Cause.MOVED_AWAY ? Cause.CREATED : cause;
    }

    static Cause away(Cause cause) {
        return cause == Cause.MOVED_AWAY ? cause : Cause.DELETED;
    }
}

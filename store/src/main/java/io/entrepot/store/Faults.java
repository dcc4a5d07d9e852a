package io.entrepot.store;

/**
 * A way for tests to be at the decisive places of a commit: to stop the process there, or to fail the step by throwing.
 * In production it is {@link #NONE}.
 */
@FunctionalInterface
public interface Faults {
    Faults NONE = point -> {};

    /** The named points, in the order a group passes them. */
    enum Point {
        /** The group's transaction is open, nothing has run. */
        BEGUN,
        /** All units have run; counters and events are written; the commit is next. Throwing fails the commit. */
        COMMIT,
        /**
         * The group is committed and not on the disk yet. Throwing fails the sync. Where a commit waits for the disk itself, or
         * has nothing to put there, this point is not passed.
         */
        SYNC,
        /** The group is durable, nobody has been told. */
        COMMITTED,
        /** Effects have run, callers are about to get their answers. */
        ANSWER,
        /** A checkpoint is about to move committed pages into the database file. Throwing fails the checkpoint. */
        CHECKPOINT
    }

    void reach(Point point);
}

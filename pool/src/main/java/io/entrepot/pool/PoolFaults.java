package io.entrepot.pool;

/**
 * A way for tests to be at the decisive places of what the pool does: to stop the process there, or to fail the step by
 * throwing. In production it is {@link #NONE}. Those of a commit itself are in {@link io.entrepot.store.Faults}.
 */
@FunctionalInterface
public interface PoolFaults {
    PoolFaults NONE = _ -> {};

    /** The named points. */
    enum Point {
        /** A file's bytes are written under a temporary name. */
        BYTES_WRITTEN,
        /** A file has its name on the volume, and nobody knows it yet. */
        PLACED,
        /** A file is committed, and its writer has not been told. */
        WRITTEN,
        /** Rows for writing files again after a crash were found, and nothing was done with them. */
        REDO,
        /** A volume is about to be synced. */
        BEFORE_SYNC,
        /** A volume was synced, and the rows that waited for it are still there. */
        AFTER_SYNC,
        /** A file's row is gone, its bytes are not. */
        BEFORE_UNLINK,
        /** A file was copied to another volume, and its row names the old one. */
        MOVE_COPIED,
        /** A file's row names the other volume, and the old copy is still there. */
        MOVED,
        /** A source was imported and recorded, and is still where it was. */
        IMPORT_RECORDED,
        /** A source that was imported has its private name. */
        SOURCE_RENAMED,
        /** A source that was imported is gone, and its record says it is not. */
        SOURCE_REMOVED
    }

    void reach(Point point);
}

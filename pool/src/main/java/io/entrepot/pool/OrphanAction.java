package io.entrepot.pool;

/** What is done with bytes on a volume that no file of the books has. */
public enum OrphanAction {
    /** Told, and left there. */
    REPORT,
    /** Removed. */
    DELETE,
    /** Made files again from what they carry. They are held, as they may have been processed before. */
    IMPORT
}

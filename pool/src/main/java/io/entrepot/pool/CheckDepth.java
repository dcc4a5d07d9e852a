package io.entrepot.pool;

/** How much a check looks at. */
public enum CheckDepth {
    /** The databases, and whether what they say fits together. */
    BOOKS,
    /** Also whether each file's bytes are there, as many as there should be. */
    FILES,
    /** Also whether they are those that were written: reads everything. */
    BYTES
}

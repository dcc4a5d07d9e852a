package io.entrepot.pool;

/** Which of the volumes that have room gets a new file. */
public enum Placement {
    /** The one with the most free space. */
    MOST_FREE,
    /** One after another. */
    ROUND_ROBIN,
    /** The one of which the smallest part is used. */
    LEAST_USED
}

package io.entrepot.queue;

/** Where an item stands. */
public enum ItemState {
    /** Waits to be claimed. */
    READY,
    /** A worker has it. */
    HELD,
    /** Becomes ready at a time. */
    DELAYED,
    /** Finished and kept. */
    KEPT,
    /** Given up. */
    DEAD
}

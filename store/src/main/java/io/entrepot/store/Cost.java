package io.entrepot.store;

/**
 * How much of a group commit a request takes up. A request that understates its cost makes the others of its group
 * wait longer; one that overstates it gets less than its share.
 */
public record Cost(int operations, long bytes) {
    public static final Cost ONE = new Cost(1, 0);

    public Cost {
        if (operations < 1 || bytes < 0) {
            throw new IllegalArgumentException("a cost is at least one operation and no fewer than 0 bytes");
        }
    }
}

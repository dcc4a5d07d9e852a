package io.entrepot.store;

/**
 * Which life of the data this is. It is new whenever a backup was restored: a cursor or a lease from another
 * incarnation means nothing here, however familiar its numbers look.
 */
public record Incarnation(long number, String id) {

    @Override
    public String toString() {
        return number + ":" + id;
    }
}

package io.entrepot.queue.internal;

import io.entrepot.queue.ItemState;

/** The numbers in the column {@code item.state}. Ready and held are one: a claim does not write the item. */
final class States {
    static final int OPEN = 0;
    static final int DELAYED = 2;
    static final int KEPT = 3;
    static final int DEAD = 4;

    private States() {}

    static int of(ItemState state) {
        return switch (state) {
            case READY, HELD -> OPEN;
            case DELAYED -> DELAYED;
            case KEPT -> KEPT;
            case DEAD -> DEAD;
        };
    }

    static ItemState parked(int state) {
        return switch (state) {
            case DELAYED -> ItemState.DELAYED;
            case KEPT -> ItemState.KEPT;
            case DEAD -> ItemState.DEAD;
            default -> throw new IllegalStateException("no parked state " + state);
        };
    }
}

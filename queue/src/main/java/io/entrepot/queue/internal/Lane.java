package io.entrepot.queue.internal;

import io.entrepot.queue.ItemState;
import io.entrepot.queue.QueueName;
import io.entrepot.store.Counter;

/** A queue as it is stored. */
record Lane(long id, QueueName name) {

    Counter counter(ItemState state) {
        return new Counter(switch (state) {
            case READY -> "queue.READY";
            case HELD -> "queue.HELD";
            case DELAYED -> "queue.DELAYED";
            case KEPT -> "queue.KEPT";
            case DEAD -> "queue.DEAD";
        }, id);
    }
}

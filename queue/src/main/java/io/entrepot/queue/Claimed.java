package io.entrepot.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An item that was handed to a worker.
 *
 * @param attempts how often it was failed before
 * @param deliveries how often a lease on it ran out before
 * @param repeated whether an earlier claim with the same key had got it
 */
@SuppressWarnings("ArrayRecordComponent") // the payload is passed through, never compared
public record Claimed(ItemLease lease, QueueName queue, byte[] payload, int priority, int attempts, int deliveries,
        Instant created, Optional<String> key, Duration term, boolean repeated) {

    public ItemId item() {
        return lease.item();
    }
}

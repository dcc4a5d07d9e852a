package io.entrepot.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * An item as people see it.
 *
 * @param since when it came to be in this state; for a delayed one, when it becomes ready
 * @param epoch the number of leases on it so far
 * @param holder who has it, if it is held
 * @param lastError why it failed or was put off last; running out counts, and a reset or success clears it
 * @param lastFailedAt when that was, as far as the item's history goes back
 */
public record ItemView(ItemId id, QueueName queue, ItemState state, Instant since, int priority, int attempts,
        int deliveries, long epoch, Optional<String> holder, Optional<String> lastError,
        Optional<Instant> lastFailedAt, Instant created,
        Optional<String> key, int payloadBytes) {}

package io.entrepot.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * One step in an item's life.
 *
 * @param what {@code put}, {@code claimed} or how a lease ended
 * @param epoch of the lease it belongs to, 0 if none
 * @param holder of that lease, empty if none
 */
public record HistoryStep(Instant at, String what, long epoch, String holder, Optional<String> note) {}

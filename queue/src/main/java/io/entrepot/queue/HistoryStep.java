package io.entrepot.queue;

import java.time.Instant;
import java.util.Optional;

/**
 * One step in an item's life.
 *
 * @param what {@code put}, {@code claimed}, how a lease ended, or what was done from outside: {@code reset},
 * {@code made-ready}, {@code removed}, {@code purged}
 * @param epoch of the lease it belongs to, 0 if none
 * @param holder of that lease, empty if none
 */
public record HistoryStep(Instant at, String what, long epoch, String holder, Optional<String> note) {}

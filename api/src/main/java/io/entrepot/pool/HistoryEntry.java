package io.entrepot.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * One step in a file's life.
 *
 * @param what   {@code written}, {@code claimed}, {@code completed}, {@code failed}, {@code failed-permanently},
 *               {@code given-back}, {@code lease-expired}, {@code taken-back}, {@code reset}, {@code moved}, {@code rebuilt},
 *               {@code released}, {@code deleted}
 * @param epoch  of the lease it belongs to, 0 if none
 * @param worker who had that lease
 * @param note   an error, a reason, where it came from
 */
public record HistoryEntry(Instant at, String what, long epoch, Optional<String> worker, Optional<String> note) {}

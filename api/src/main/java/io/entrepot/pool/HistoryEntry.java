package io.entrepot.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * One step in a file's life.
 *
 * @param what   by workers: {@code written}, {@code claimed}, {@code completed}, {@code failed}, {@code failed-permanently},
 *               {@code put-off}, {@code given-back}, {@code lease-expired}; by operators: {@code taken-back}, {@code reset},
 *               {@code made-ready} (it need not wait any longer), {@code released}, {@code deleted}; of its bytes:
 *               {@code moved}, {@code damaged} and {@code sound} (by scrubs: that it is damaged, and that it is so no more);
 *               by recoveries: {@code rebuilt}, {@code found} (on another volume), {@code held} (as a new file). More may come
 * @param epoch  of the lease it belongs to, 0 if none
 * @param worker who had that lease
 * @param note   an error, a reason, where it came from
 */
public record HistoryEntry(Instant at, String what, long epoch, Optional<String> worker, Optional<String> note) {}

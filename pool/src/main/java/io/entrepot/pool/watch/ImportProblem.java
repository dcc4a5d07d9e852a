package io.entrepot.pool.watch;

import java.time.Instant;

/**
 * Something that went wrong, or that somebody should know.
 *
 * @param at   when it was last seen
 * @param path below the watched directory, escaped
 */
public record ImportProblem(Instant at, String path, String what) {}

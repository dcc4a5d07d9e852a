package io.entrepot.pool.watch;

import java.time.Instant;

/**
 * A source that failed too often. It is tried again if it changes, or when an operator says so.
 *
 * @param path   below the watched directory, escaped
 * @param tenant whose it would be
 * @param at     when it last failed
 */
public record ParkedImport(String path, String tenant, long size, int attempts, String error, Instant at) {}

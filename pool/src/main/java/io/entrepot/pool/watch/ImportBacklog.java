package io.entrepot.pool.watch;

/**
 * What a watcher could not import.
 *
 * @param retrying how many wait to be tried again
 * @param parked   how many have failed too often, and wait for somebody
 */
public record ImportBacklog(long retrying, long parked) {}

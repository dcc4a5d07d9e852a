package io.entrepot.store;

import java.util.OptionalLong;

/**
 * What a compaction would do, in bytes on disk.
 *
 * @param size  of the database now
 * @param bytes that it would give back about; empty where nobody knows before
 */
public record Reclaimable(long size, OptionalLong bytes) {}

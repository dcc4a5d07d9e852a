package io.entrepot.pool;

import java.time.Instant;
import java.util.Optional;

/**
 * A volume as people see it.
 *
 * @param location where it is: a directory, or what a backend was brought for
 * @param problem   why it is not healthy, in words
 * @param free      of the storage, as last asked
 * @param inFlight  bytes that are being written
 * @param available what new files may take: free minus in flight minus headroom
 * @param described its files carry what is needed to rebuild the database
 */
public record VolumeInfo(String name, Location location, VolumeState state, VolumeHealth health,
        Optional<String> problem,
        long total, long free, long inFlight, long headroom, long available, long files, int depth,
        boolean described, Instant mounted) {}

package io.entrepot.pool.volume;

import io.entrepot.lease.Nonces;
import io.entrepot.pool.Location;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Brings volumes of a kind: what is at a {@link Location.Elsewhere} of its schemes. It is found by {@link java.util.ServiceLoader},
 * or given to {@code PoolConfig.withBackends}, which counts more. What it needs to know beside the location, such as secrets, it
 * gets by itself: from the environment, or in its constructor.
 *
 * <p>Implementations are safe for use by many threads. What they throw but what is said here is a mistake of theirs.
 */
public interface BackendProvider {

    /**
     * How a volume is to be opened.
     *
     * @param volume   which one it is: 1 to 64 letters, digits, {@code . _ -}. What names another one is not opened
     * @param create   names it, if it has no name; whatever else lies there stays. If not, what has no name is not opened: the
     *                 storage may be away, or somebody else's
     * @param patience how long a call may take before it {@linkplain VolumeException.Kind#HANGS hangs}
     * @param nonces   for names that nobody else has who writes to the same storage
     */
    record Terms(String volume, boolean create, Duration patience, Nonces nonces) {}

    /**
     * A volume as found by those who have no books.
     *
     * @param volume   which one it is
     * @param settings what was {@linkplain Backend#keepSettings kept} there last
     */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    record Found(String volume, Optional<byte[]> settings) {}

    /** What is before the colon. */
    Set<String> schemes();

    /**
     * Looks at the location alone, and asks nobody.
     *
     * @throws IllegalArgumentException if nothing can be there; the message is shown
     */
    default void check(Location location) {}

    /**
     * Opens what is there. Two who create it at the same time get the same one, or one of them fails.
     *
     * @throws VolumeException of kind NOT_THE_VOLUME if it is not there, or another one is
     */
    Backend open(Location location, Terms terms) throws VolumeException, InterruptedException;

    /**
     * Which volume is there, for a pool that has lost its books.
     *
     * @return nothing if there is none for sure
     * @throws VolumeException if that cannot be said now
     */
    Optional<Found> find(Location location, Duration patience) throws VolumeException, InterruptedException;
}

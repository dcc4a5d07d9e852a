package io.entrepot.pool;

import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BackendProvider;
import io.entrepot.pool.volume.LocalProvider;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Brings directories under other schemes; found by the service loader as {@code moored}. */
public final class Moorings implements BackendProvider {
    private final LocalProvider local = new LocalProvider(FileCalls.system(),
            new MountPools(FileCalls.system(), 4, BootClock.system()));
    private final String scheme;
    volatile boolean away;
    volatile boolean mistaken;

    public Moorings() {
        this("moored");
    }

    Moorings(String scheme) {
        this.scheme = scheme;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(scheme);
    }

    @Override
    public void check(Location location) {
        if (!path(location).isAbsolute()) {
            throw new IllegalArgumentException("it is no whole path");
        }
    }

    @Override
    public Backend open(Location location, Terms terms) throws VolumeException, InterruptedException {
        requireThere(location);
        return local.open(Location.of(path(location)), terms);
    }

    @Override
    public Optional<Found> find(Location location, Duration patience) throws VolumeException {
        requireThere(location);
        return local.find(Location.of(path(location)), patience);
    }

    private void requireThere(Location location) throws VolumeException {
        if (mistaken) {
            throw new UnsupportedOperationException("nobody has thought of this");
        }
        if (away) {
            throw new VolumeException(VolumeException.Kind.HANGS, location + " does not answer", null);
        }
    }

    private static Path path(Location location) {
        return Path.of(((Location.Elsewhere) location).rest());
    }
}

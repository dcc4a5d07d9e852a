package io.entrepot.pool.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Location;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BackendProvider;
import io.entrepot.pool.volume.LocalProvider;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.posix.MountPools;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * Who brings what is at a location: those that the configuration has, then those that are found, and for directories always the
 * same. Immutable.
 */
public final class Backends {
    private final Map<String, BackendProvider> providers;
    private final Duration patience;
    private final Nonces nonces;

    private Backends(Map<String, BackendProvider> providers, Duration patience, Nonces nonces) {
        this.providers = Map.copyOf(providers);
        this.patience = patience;
        this.nonces = nonces;
    }

    /** @throws InvalidSettingException if two bring the same scheme, or one of those that are found cannot be used */
    static Backends of(PoolConfig config, MountPools mounts) {
        Map<String, BackendProvider> all = new HashMap<>();
        add(all, List.of(new LocalProvider(config.platform().calls(), mounts)));
        add(all, config.platform().backends());
        Map<String, BackendProvider> found = new HashMap<>();
        try {
            add(found, ServiceLoader.load(BackendProvider.class));
        } catch (ServiceConfigurationError e) {
            throw new InvalidSettingException("a backend of volumes that is on the class path cannot be used: "
                    + e.getMessage(), e);
        }
        found.forEach(all::putIfAbsent);
        return new Backends(all, config.patience(), config.platform().store().nonces());
    }

    private static void add(Map<String, BackendProvider> all, Iterable<BackendProvider> some) {
        for (BackendProvider provider : some) {
            for (String scheme : provider.schemes()) {
                BackendProvider other = all.putIfAbsent(scheme, provider);
                if (other != null) {
                    throw new InvalidSettingException("both " + other.getClass().getName() + " and "
                            + provider.getClass().getName() + " bring volumes at " + scheme + ":");
                }
            }
        }
    }

    /** @throws InvalidSettingException if no volume can be there, whatever the storage says */
    void check(Location location) {
        try {
            provider(location).orElseThrow(() -> new InvalidSettingException(nobody(location))).check(location);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException("no volume can be at " + location + ": " + e.getMessage(), e);
        }
    }

    /** @param create see {@link BackendProvider.Terms} */
    public Backend open(Location location, String identity, boolean create)
            throws VolumeException, InterruptedException {
        BackendProvider.Terms terms = new BackendProvider.Terms(identity, create, patience, nonces);
        BackendProvider provider = required(location);
        return asked(location, () -> provider.open(location, terms));
    }

    /**
     * What is there, for those who have no books.
     *
     * @throws VolumeException if that cannot be said
     */
    Optional<BackendProvider.Found> find(Location location) throws VolumeException, InterruptedException {
        BackendProvider provider = required(location);
        return asked(location, () -> provider.find(location, patience));
    }

    private interface Call<T> {
        T run() throws VolumeException, InterruptedException;
    }

    /** Somebody else's mistake costs this volume, and no other. */
    private static <T> T asked(Location location, Call<T> call) throws VolumeException, InterruptedException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw new VolumeException(VolumeException.Kind.BROKEN, "the backend of " + location + " failed: " + e, e);
        }
    }

    private BackendProvider required(Location location) throws VolumeException {
        return provider(location).orElseThrow(
                () -> new VolumeException(VolumeException.Kind.NOT_THE_VOLUME, nobody(location), null));
    }

    private Optional<BackendProvider> provider(Location location) {
        return Optional.ofNullable(providers.get(location.scheme()));
    }

    private String nobody(Location location) {
        return "nobody brings volumes at " + location.scheme() + ":, as " + location + "; there are "
                + String.join(", ", new TreeSet<>(providers.keySet()))
                + ": put the backend on the class path, or give it to the pool's configuration";
    }
}

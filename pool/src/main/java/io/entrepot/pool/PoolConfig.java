package io.entrepot.pool;

import io.entrepot.config.ConfigurationException;
import io.entrepot.pool.settings.PoolSettings;
import io.entrepot.pool.volume.BackendProvider;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a pool is opened. What is durable is not configured but seeded: tenants and volumes named here are made if they are
 * not there, and never changed.
 *
 * @param directory         of the pool: the embedded database and, unless others are named, its first volume
 * @param volumes           to be mounted if there are none of these names
 * @param tenants           to be created if there are none of these names, with the rules for their directories and the
 *                          watchers that bring them files
 * @param autoCreateTenants a tenant that is not known is created by its first file
 * @param retry             when a failed file is tried again, for tenants that have no rule of their own
 * @param claimTerm         how long a bare claim lasts. Too short: a slow worker's result is refused; too long: the files of
 *                          a dead one wait so long
 * @param redoLimit         files up to this size share their syncs: their bytes are kept in the database until the volume was
 *                          synced. Too small: many syncs; too large: much is written twice
 * @param syncEvery         how often a volume is synced at most. Too small: the disk is busy with it; too large: the
 *                          database grows, and opening after a crash takes longer
 * @param history           how long it is known what became of a file that is gone, and idempotency keys; 1 to 30 days
 * @param uploadExpiry      how long a file that is written in pieces waits for its next piece
 * @param patience          how long a call on a volume may take before the volume counts as hanging
 * @param placement         which volume gets a new file
 * @param spareBelow        spare volumes are taken into use ahead of need when all others together have fewer available bytes;
 *                          with 0 only when no other has room for a file
 * @param probeEvery        how often volumes are tried
 * @param cleanup           what goes by itself, and when
 * @param recovery          what is done with an embedded database that is damaged or gone
 * @param platform          clocks, chance, system calls and backends
 */
public record PoolConfig(Path directory, Database database, List<VolumeSpec> volumes, TenantSeeds tenants,
        boolean autoCreateTenants, RetryPolicy retry, Duration claimTerm, int redoLimit, Duration syncEvery,
        Duration history, Duration uploadExpiry, Duration patience, Placement placement, long spareBelow,
        Duration probeEvery, QueueConfig queue, CleanupConfig cleanup, Recovery recovery,
        Platform platform) {
    public static final int LARGEST_REDO = 1 << 20;

    /**
     * What the pool stands on; replaced in tests.
     *
     * @param backends of volumes that are no directories, before those that are found on the class path
     */
    public record Platform(StoreConfig store, FileCalls calls, BootClock clock, PoolFaults faults,
            List<BackendProvider> backends) {

        public Platform {
            backends = List.copyOf(backends);
        }

        public static Platform system() {
            return new Platform(StoreConfig.of(), FileCalls.system(), BootClock.system(), PoolFaults.NONE,
                    List.of());
        }

        public Platform withStore(StoreConfig value) {
            return new Platform(value, calls, clock, faults, backends);
        }

        public Platform withCalls(FileCalls value) {
            return new Platform(store, value, clock, faults, backends);
        }

        public Platform withFaults(PoolFaults value) {
            return new Platform(store, calls, clock, value, backends);
        }

        public Platform withBackends(List<BackendProvider> value) {
            return new Platform(store, calls, clock, faults, value);
        }
    }

    public PoolConfig {
        volumes = List.copyOf(volumes);
        if (redoLimit < 0 || redoLimit > LARGEST_REDO || spareBelow < 0) {
            throw new InvalidSettingException("files of 0 to " + LARGEST_REDO + " bytes share their syncs, and what is"
                    + " available is not negative: " + redoLimit + ", " + spareBelow);
        }
        if (history.compareTo(Duration.ofDays(1)) < 0 || history.compareTo(Duration.ofDays(30)) > 0) {
            throw new InvalidSettingException("history is kept for 1 to 30 days: " + history);
        }
        for (Duration positive : List.of(claimTerm, syncEvery, uploadExpiry, patience, probeEvery)) {
            if (positive.isNegative() || positive.isZero()) {
                throw new InvalidSettingException("terms and intervals are longer than nothing: " + positive);
            }
        }
    }

    /**
     * From a TOML file: see {@code docs/configuration.md}.
     *
     * @throws ConfigurationException with all its mistakes
     */
    public static PoolConfig load(Path file) {
        return PoolSettings.read(file).value();
    }

    /** The defaults, with everything in one directory. */
    public static PoolConfig in(Path directory) {
        return new PoolConfig(directory, new Database.Embedded(), List.of(), TenantSeeds.NONE, false,
                RetryPolicy.DEFAULT,
                Duration.ofMinutes(30), 64 << 10, Duration.ofSeconds(1), Duration.ofDays(7), Duration.ofDays(1),
                Duration.ofSeconds(30), Placement.MOST_FREE, 0, Duration.ofSeconds(10), QueueConfig.DEFAULT,
                CleanupConfig.DEFAULT, Recovery.REFUSE, Platform.system());
    }

    public PoolConfig withDatabase(Database value) {
        return new PoolConfig(directory, value, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withVolumes(List<VolumeSpec> value) {
        return new PoolConfig(directory, database, value, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withTenants(List<TenantId> value) {
        return withTenants(tenants.withSpecs(value.stream().map(TenantSpec::of).toList()));
    }

    public PoolConfig withTenants(TenantSeeds value) {
        return new PoolConfig(directory, database, volumes, value, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withAutoCreateTenants(boolean value) {
        return new PoolConfig(directory, database, volumes, tenants, value, retry, claimTerm, redoLimit, syncEvery,
                history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery, platform);
    }

    public PoolConfig withRetry(RetryPolicy value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, value, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withClaimTerm(Duration value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, value, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withRedoLimit(int value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, value,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withSyncEvery(Duration value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                value, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withHistory(Duration value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, value, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withUploadExpiry(Duration value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, value, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withPatience(Duration value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, value, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withPlacement(Placement value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, value, spareBelow, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withSpareBelow(long value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, value, probeEvery, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withProbeEvery(Duration value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, value, queue, cleanup, recovery,
                platform);
    }

    public PoolConfig withQueue(QueueConfig value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, value, cleanup, recovery,
                platform);
    }

    public PoolConfig withCleanup(CleanupConfig value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, value, recovery,
                platform);
    }

    public PoolConfig withRecovery(Recovery value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, value,
                platform);
    }

    public PoolConfig withPlatform(Platform value) {
        return new PoolConfig(directory, database, volumes, tenants, autoCreateTenants, retry, claimTerm, redoLimit,
                syncEvery, history, uploadExpiry, patience, placement, spareBelow, probeEvery, queue, cleanup, recovery,
                value);
    }

    /** Brings volumes that are no directories: their schemes can be used by every volume's location. */
    public PoolConfig withBackends(BackendProvider... more) {
        List<BackendProvider> all = new ArrayList<>(platform.backends());
        all.addAll(List.of(more));
        return withPlatform(platform.withBackends(all));
    }

    public PoolConfig withVolume(VolumeSpec volume) {
        List<VolumeSpec> more = new ArrayList<>(volumes);
        more.add(volume);
        return withVolumes(more);
    }

    public PoolConfig withTenant(TenantId tenant) {
        return withTenant(TenantSpec.of(tenant));
    }

    public PoolConfig withTenant(TenantSpec tenant) {
        return withTenants(tenants.and(tenant));
    }

    public PoolConfig withQuota(QuotaRule rule) {
        return withTenants(tenants.and(rule));
    }

    public PoolConfig withWatcher(WatcherSpec watcher) {
        return withTenants(tenants.and(watcher));
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.Database;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.RecoveryWatch;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantSpec;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.Jobs;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.job.Task;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.Watchers;
import io.entrepot.posix.MountPools;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Postgres;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A pool that is open: what it stands on, in the order in which it is taken down again. */
public final class Opening implements AutoCloseable {
    private static final int THREADS_PER_MOUNT = 16;
    private static final Duration JOBS_PATIENCE = Duration.ofSeconds(10);
    private static final Duration UPLOADS_EVERY = Duration.ofMinutes(10);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Stores stores;
    private final Parts parts;
    private final Watchers watchers;
    private final Uploading uploading;
    private final CleanupDesk cleanup;
    private final Changing changing;
    private final ShardRescue shardRescue;
    private final List<RecoveryReport> recoveries = new ArrayList<>();

    Opening(PoolConfig config, RecoveryWatch watch) throws InterruptedException {
        try {
            StoreConfig storeConfig = storeConfig(config);
            stores = stores(config, storeConfig);
            MountPools mounts = keep(mounts(config));
            Backends backends = Backends.of(config, mounts);
            Optional<Completion> completion = Completion.begin(config, stores, backends);
            Measures measures = new Measures(storeConfig.ticker());
            Expiries expiries = new Expiries(measures);
            Queues queues = keep(Queues.open(stores, storeConfig, config.queue().withMemory(config.history()),
                    expiries));
            VolumeBook volumes = keep(new VolumeBook(stores, backends, storeConfig.nonces(), storeConfig.ticker(),
                    config.placement(), config.spareBelow()));
            Jobs jobs = config.queue().background()
                    ? Jobs.open(storeConfig.ticker(), storeConfig.wall(), JOBS_PATIENCE)
                    : Jobs.manual(storeConfig.ticker(), storeConfig.wall(), JOBS_PATIENCE);
            parts = Parts.of(config, stores, queues, volumes, jobs, measures);
            for (String note : Adoption.follow(stores.main(), config, backends)) {
                org.slf4j.LoggerFactory.getLogger(Opening.class).warn("{}", note);
            }
            volumes.open();
            if (completion.isPresent()) {
                recoveries.add(completion.get().run(parts, watch));
            }
            shardRescue = new ShardRescue(parts);
            recoveries.addAll(shardRescue.goOn(watch));
            seed(config);
            if (config.recovery().rebuilds()) {
                for (TenantId tenant : shardRescue.damaged()) {
                    recoveries.add(shardRescue.recover(tenant, watch));
                }
            }
            keep(parts.keepers());
            for (MountedVolume volume : volumes.all()) {
                parts.keepers().start(volume);
            }
            volumes.onOthers(parts.keepers());
            watchers = keep(Watchers.open(parts, mounts));
            for (WatcherSpec watcher : config.tenants().watchers()) {
                watchers.seed(watcher);
            }
            if (stores instanceof DataDirectory) {
                SettingsMirror mirror = keep(new SettingsMirror(parts));
                watchers.onChange(mirror::changed);
                mirror.start();
            }
            uploading = new Uploading(parts);
            uploading.expire();
            keep(jobs); // ends first, as jobs use everything else
            Drains drains = new Drains(parts);
            RoomWatch room = new RoomWatch(stores.main());
            jobs.register(Changing.PROBE, Schedule.every(config.probeEvery()), _ -> {
                room.look();
                volumes.probe();
                parts.keepers().nudgeAll();
                drains.again();
                return new JobResult(volumes.all().size() + " volumes were tried");
            });
            cleanup = new CleanupDesk(parts, expiries, backends);
            cleanup.register();
            changing = new Changing(parts, cleanup);
            drains.resume();
            jobs.register(new JobName("expire-uploads"), Schedule.every(UPLOADS_EVERY),
                    Task.withDryRun(_ -> new JobResult(uploading.expire() + " uploads were dropped"),
                            _ -> new JobResult("dry run: " + uploading.expired() + " uploads would be dropped")));
        } catch (InterruptedException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    public static Opening of(PoolConfig config, RecoveryWatch watch) throws InterruptedException {
        return Rescue.open(config, watch);
    }

    static MountPools mounts(PoolConfig config) {
        return new MountPools(config.platform().calls(), THREADS_PER_MOUNT, config.platform().clock());
    }

    /** With the tables of whoever keeps some beside the pool's. */
    static StoreConfig storeConfig(PoolConfig config) {
        StoreConfig store = config.platform().store();
        List<Schema> schemas = new ArrayList<>(List.of(Queues.SCHEMA, Pool.SCHEMA));
        schemas.addAll(store.schemas());
        return store.withSchemas(schemas);
    }

    public Parts parts() {
        return parts;
    }

    public Watchers watchers() {
        return watchers;
    }

    public Uploading uploading() {
        return uploading;
    }

    public CleanupDesk cleanup() {
        return cleanup;
    }

    /** Takes over what can be changed while it is open. */
    public void change(PoolConfig config) {
        changing.to(config);
    }

    public ShardRescue shardRescue() {
        return shardRescue;
    }

    /** What had to be recovered. */
    public List<RecoveryReport> recoveries() {
        return List.copyOf(recoveries);
    }

    public Stores stores() {
        return stores;
    }

    private Stores stores(PoolConfig config, StoreConfig storeConfig) {
        return switch (config.database()) {
            case Database.Embedded() -> keep(DataDirectory.open(config.directory(), storeConfig));
            case Database.OnPostgres(var where) -> {
                Store store = keep(Postgres.open(where, storeConfig));
                yield Stores.of(store);
            }
        };
    }

    private void seed(PoolConfig config) throws InterruptedException {
        for (VolumeSpec spec : config.volumes()) {
            parts.volumes().seed(spec);
        }
        if (parts.volumes().all().isEmpty()) {
            parts.volumes().seed(VolumeSpec.of("main", config.directory().resolve("files")));
        }
        List<TenantSpec> tenants = config.tenants().specs().isEmpty() && parts.tenants().all().isEmpty()
                ? List.of(TenantSpec.of(TenantId.DEFAULT))
                : config.tenants().specs();
        TenantAdmin admin = new TenantAdmin(parts);
        for (TenantSpec tenant : tenants) {
            try {
                if (parts.tenants().find(tenant.id()).isEmpty()) {
                    admin.create(tenant);
                }
            } catch (TenantExistsException e) {
                // Another process was quicker.
            } catch (NotDoneException e) {
                if (!e.isDiskFull()) {
                    throw e;
                }
                // Who opens it may be about to make room.
                org.slf4j.LoggerFactory.getLogger(Opening.class).error("tenant {} is not made: {}", tenant.id(),
                        e.getMessage());
            } catch (StoreDamagedException e) {
                if (!stores.sharded().contains(Owners.of(tenant.id()))) {
                    throw e;
                }
                org.slf4j.LoggerFactory.getLogger(Opening.class).error("tenant {}: {}", tenant.id(), e.getMessage());
            }
        }
        Set<String> patterns = parts.quotas().all().stream().map(QuotaRule::pattern).collect(Collectors.toSet());
        config.tenants().quotas().stream().filter(rule -> !patterns.contains(rule.pattern()))
                .forEach(parts.quotas()::set);
    }

    private <T extends AutoCloseable> T keep(T resource) {
        open.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                org.slf4j.LoggerFactory.getLogger(Opening.class).warn("closing the pool: {}", e.toString());
            }
        }
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.job.Jobs;
import io.entrepot.queue.Queues;
import io.entrepot.store.Stores;

/** What the parts of a pool share. */
public record Parts(ConfigNow now, Stores stores, Queues queues, TenantBook tenants, QuotaBook quotas,
        VolumeBook volumes, Directories directories, Gate gate, IdempotencyKeys keys, Numbers numbers,
        LiveWrites live, Keepers keepers, Removal removal, WriteOperation write, FinishOperation finish, Broom broom,
        Jobs jobs, Measures measures) {

    /** As it counts now: what can be changed while the pool is open is asked for each time. */
    public PoolConfig config() {
        return now.get();
    }

    public static Parts of(PoolConfig config, Stores stores, Queues queues, VolumeBook volumes, Jobs jobs,
            Measures measures) {
        var clocks = config.platform().store();
        TenantBook tenants = new TenantBook(stores, queues, clocks.ticker());
        QuotaBook quotas = new QuotaBook(stores.main(), clocks.ticker());
        Directories directories = new Directories();
        Gate gate = new Gate(quotas, directories, measures);
        IdempotencyKeys keys = new IdempotencyKeys(config.history());
        Removal removal = new Removal(gate);
        LiveWrites live = new LiveWrites(stores.main());
        ConfigNow now = new ConfigNow(config);
        return new Parts(now, stores, queues, tenants, quotas, volumes, directories, gate, keys,
                new Numbers(stores, queues, clocks.nonces()), live,
                new Keepers(stores, volumes, config.syncEvery(),
                        new ProtectedDirectories(config.cleanup().protectedDirectories()),
                        clocks.ticker(), config.platform().faults()),
                removal,
                new WriteOperation(tenants, directories, gate, keys, queues,
                        new UploadBook(gate, directories, now), volumes, live, removal),
                new FinishOperation(tenants, queues, removal),
                new Broom(stores.main(), clocks.ticker(), clocks.nonces()), jobs, measures);
    }
}

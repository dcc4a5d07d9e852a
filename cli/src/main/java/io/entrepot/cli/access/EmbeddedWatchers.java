package io.entrepot.cli.access;

import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import io.entrepot.pool.watch.Watchers;
import java.nio.file.Files;
import java.util.List;

/**
 * Watch folders of a pool in this process.
 *
 * @param tenantsAreMade whoever is named first is made then
 */
record EmbeddedWatchers(Pool pool, boolean tenantsAreMade) implements WatcherAccess {

    private Watchers watchers() {
        return pool.watchers();
    }

    @Override
    public List<WatcherSpec> list() {
        return watchers().list();
    }

    @Override
    public WatcherSpec get(WatcherId id) {
        return watchers().get(id);
    }

    @Override
    public WatcherStatus status(WatcherId id) {
        return watchers().status(id);
    }

    @Override
    public Added add(WatcherSpec spec) throws InterruptedException {
        requireTenant(spec);
        boolean there = Files.exists(spec.path());
        return new Added(watchers().add(spec), !there);
    }

    @Override
    public WatcherSpec update(WatcherSpec spec) throws InterruptedException {
        requireTenant(spec);
        return watchers().update(spec);
    }

    /** Somebody who mistypes a name should know now, and not when nothing is imported. */
    private void requireTenant(WatcherSpec spec) {
        if (spec.mode() instanceof WatchMode.OneTenant(TenantId tenant) && !tenantsAreMade) {
            pool.tenants().get(tenant);
        }
    }

    @Override
    public WatcherSpec setEnabled(WatcherId id, boolean enabled) throws InterruptedException {
        return enabled ? watchers().enable(id) : watchers().disable(id);
    }

    @Override
    public void remove(WatcherId id) throws InterruptedException {
        watchers().remove(id);
    }

    @Override
    public void scan(WatcherId id) throws InterruptedException {
        watchers().scanNow(id);
    }

    @Override
    public void stopScan(WatcherId id) {
        pool.jobs().cancel(id.job());
    }

    @Override
    public List<ParkedImport> parked(WatcherId id) {
        return watchers().parked(id);
    }

    @Override
    public boolean retry(WatcherId id, String path) {
        return watchers().retry(id, path);
    }

    @Override
    public int retryAll(WatcherId id) {
        return watchers().retryAll(id);
    }
}

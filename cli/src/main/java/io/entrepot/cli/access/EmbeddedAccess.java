package io.entrepot.cli.access;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import java.nio.file.Path;

/** A pool in this process. */
record EmbeddedAccess(Pool embedded, PoolConfig config) implements PoolAccess {

    @Override
    public FilePool pool() {
        return embedded;
    }

    @Override
    public TenantAccess tenants() {
        return new EmbeddedTenants(embedded.tenants());
    }

    @Override
    public VolumeAccess volumes() {
        return new EmbeddedVolumes(embedded.volumes());
    }

    @Override
    public QuotaAccess quotas() {
        return new EmbeddedQuotas(embedded.quotas());
    }

    @Override
    public WatcherAccess watchers() {
        return new EmbeddedWatchers(embedded, config.autoCreateTenants());
    }

    @Override
    public UploadAccess uploads() {
        return new EmbeddedUploads(embedded.uploads());
    }

    @Override
    public JobAccess jobs() {
        return new EmbeddedJobs(embedded.jobs());
    }

    @Override
    public CareAccess care() {
        return new EmbeddedCare(embedded, config.cleanup());
    }

    @Override
    public Path there(Path typed) {
        return typed.toAbsolutePath().normalize();
    }

    @Override
    public void close() {
        embedded.close();
    }
}

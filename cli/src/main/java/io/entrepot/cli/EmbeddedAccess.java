package io.entrepot.cli;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;

/** A pool in this process. */
record EmbeddedAccess(Pool embedded) implements PoolAccess {

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
    public void close() {
        embedded.close();
    }
}

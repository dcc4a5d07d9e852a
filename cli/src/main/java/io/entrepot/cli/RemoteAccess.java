package io.entrepot.cli;

import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.FilePool;

/** A pool behind a server. */
record RemoteAccess(EntrepotClient client) implements PoolAccess {

    @Override
    public FilePool pool() {
        return client;
    }

    @Override
    public TenantAccess tenants() {
        return new RemoteTenants(client);
    }

    @Override
    public VolumeAccess volumes() {
        return new RemoteVolumes(client.administration());
    }

    @Override
    public QuotaAccess quotas() {
        return new RemoteQuotas(client.administration());
    }

    @Override
    public void close() {
        client.close();
    }
}

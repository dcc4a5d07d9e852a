package io.entrepot.cli.access;

import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.FilePool;
import java.nio.file.Path;

/**
 * A pool behind a server.
 *
 * @param here the server is on this machine
 */
record RemoteAccess(EntrepotClient client, boolean here) implements PoolAccess {

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
    public WatcherAccess watchers() {
        return new RemoteWatchers(client.administration());
    }

    @Override
    public UploadAccess uploads() {
        return new RemoteUploads(client.administration());
    }

    @Override
    public JobAccess jobs() {
        return new RemoteJobs(client.administration());
    }

    @Override
    public CareAccess care() {
        return new RemoteCare(client.administration());
    }

    @Override
    public Path there(Path typed) {
        if (!here && !typed.isAbsolute()) {
            throw new IllegalArgumentException("the server is on another machine: write " + typed
                    + " as it is there, from the root");
        }
        return typed.toAbsolutePath().normalize();
    }

    @Override
    public void close() {
        client.close();
    }
}

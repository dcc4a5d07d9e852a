package io.entrepot.cli.access;

import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import java.nio.file.Path;

/**
 * A pool as commands use it, in this process or behind a server: beside files and work, what operators do. What is the same for
 * both is in the commands, what is not is here. Safe for use by many threads.
 */
public interface PoolAccess extends AutoCloseable {

    static PoolAccess embedded(PoolConfig config) throws InterruptedException {
        return new EmbeddedAccess(Pool.open(config), config);
    }

    static PoolAccess remote(ClientConfig config) {
        return new RemoteAccess(EntrepotClient.connect(config), config.sharedPaths());
    }

    FilePool pool();

    TenantAccess tenants();

    VolumeAccess volumes();

    QuotaAccess quotas();

    WatcherAccess watchers();

    UploadAccess uploads();

    JobAccess jobs();

    CareAccess care();

    /**
     * A directory as the pool's machine knows it, from its root.
     *
     * @throws IllegalArgumentException if it begins with the working directory, which says nothing on another machine
     */
    Path there(Path typed);

    @Override
    void close();
}

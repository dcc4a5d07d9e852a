package io.entrepot.cli;

import io.entrepot.pool.FilePool;

/**
 * A pool as commands use it, in this process or behind a server: beside files and work, what operators do. What is the same for
 * both is in the commands, what is not is here. Safe for use by many threads.
 */
interface PoolAccess extends AutoCloseable {

    FilePool pool();

    TenantAccess tenants();

    VolumeAccess volumes();

    QuotaAccess quotas();

    @Override
    void close();
}

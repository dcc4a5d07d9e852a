package io.entrepot.client;

import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract, on a pool in this process. */
final class EmbeddedPoolTest extends FilePoolContract {
    private Pool pool;

    @BeforeEach
    void open() throws Exception {
        pool = Pool.open(directory.resolve("data"));
        pool.tenants().create(ACME);
        pool.tenants().create(new TenantId("other"));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Override
    FilePool pool() {
        return pool;
    }

    @Override
    Pool underneath() {
        return pool;
    }
}

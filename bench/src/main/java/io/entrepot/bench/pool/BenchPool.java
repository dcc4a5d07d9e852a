package io.entrepot.bench.pool;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A pool of the bench's own in a new directory, which goes with it. */
public final class BenchPool implements AutoCloseable {
    public static final TenantId TENANT = new TenantId("bench");

    private final Path directory;
    private final Pool pool;

    private BenchPool(Path directory, Pool pool) {
        this.directory = directory;
        this.pool = pool;
    }

    public static BenchPool open(Path parent) throws Exception {
        Path directory = Files.createTempDirectory(parent, "pool");
        return new BenchPool(directory, Pool.open(PoolConfig.in(directory).withTenant(TENANT)));
    }

    /** Over a directory in which something was prepared. */
    static BenchPool over(Path directory) throws Exception {
        return new BenchPool(directory, Pool.open(PoolConfig.in(directory).withTenant(TENANT)));
    }

    public Pool pool() {
        return pool;
    }

    public FileKey write(byte[] content) throws InterruptedException {
        return pool.files().write(TENANT, NewFile.named("file.dat"), content).key();
    }

    @Override
    public void close() throws IOException {
        pool.close();
        delete(directory);
    }

    public static void delete(Path directory) throws IOException {
        List<Path> entries;
        try (Stream<Path> walk = Files.walk(directory)) {
            entries = walk.toList();
        }
        for (Path entry : entries.reversed()) {
            Files.delete(entry);
        }
    }
}

package io.entrepot.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;

/**
 * Makes the data that {@link EarlierVersionsTest} opens. Run it with {@code src/test/data/pool-N} as argument, while N is the newest
 * version of the tables and before N + 1 is begun; what it made for released versions is never changed.
 */
final class EarlierData {
    static final String NAMES = "names.properties";
    static final TenantId ACME = new TenantId("acme");
    static final TenantId GLOBEX = new TenantId("globex");
    /** What the name of the time is at which all sources were changed; versions before the third did not keep it. */
    static final String MODIFIED = "modified";
    static final String DATABASE = "entrepot.db";

    private static final Instant CHANGED = Instant.parse("2001-02-03T04:05:06.789Z");

    private EarlierData() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path target = Path.of(arguments[0]);
        Path work = Files.createTempDirectory("earlier");
        Properties names = new Properties();
        try (Pool pool = Pool.open(PoolConfig.in(work).withTenant(ACME))) {
            fill(pool, names);
        }
        Files.createDirectories(target);
        Files.copy(work.resolve(DATABASE), target.resolve(DATABASE));
        try (OutputStream out = Files.newOutputStream(target.resolve(NAMES))) {
            names.store(out, null);
        }
    }

    /** A file in each state, under its state's name. */
    private static void fill(Pool pool, Properties names) throws InterruptedException {
        pool.tenants().create(GLOBEX, TenantLimits.NONE.withFiles(7));
        pool.tenants().suspend(GLOBEX);
        pool.quotas().set(QuotaRule.of("acme/in/*", 9));
        names.setProperty(MODIFIED, CHANGED.toString());
        names.setProperty("deleted", write(pool, "deleted").toString());
        pool.files().delete(ACME, FileKey.parse(names.getProperty("deleted")), "not needed");
        names.setProperty("PERMANENTLY_FAILED", write(pool, "PERMANENTLY_FAILED").toString());
        pool.work().failForGood(pool.work().claim(ACME, "worker").orElseThrow().lease(), "hopeless 🐝");
        names.setProperty("COMPLETED", write(pool, "COMPLETED").toString());
        pool.work().completeAndKeep(pool.work().claim(ACME, "worker").orElseThrow().lease());
        names.setProperty("PROCESSING", write(pool, "PROCESSING").toString());
        names.setProperty("lease", pool.work().claim(ACME, "worker").orElseThrow().lease().toString());
        names.setProperty("PENDING", write(pool, "PENDING").toString());
    }

    private static FileKey write(Pool pool, String name) throws InterruptedException {
        return pool.files().write(ACME, NewFile.named(name + ".txt").in("in/box").withIdempotencyKey(name)
                .withLabels(Map.of("state", name)).withModified(CHANGED), name.getBytes(UTF_8)).key();
    }
}

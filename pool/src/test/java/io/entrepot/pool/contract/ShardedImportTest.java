package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherSpec;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** A watcher of many tenants, one of whom has a shard that is damaged. */
class ShardedImportTest extends WatchFolder {
    private static final TenantId OWN = new TenantId("own");

    ShardedImportTest() {
        super(PoolFixture.SQLITE);
    }

    @Test
    void scan_whenTheShardOfATenantIsDamaged_importsForTheOthersAndItsFilesWait() throws Exception {
        pool.tenants().createWithShard(OWN, TenantLimits.NONE);
        pool.watchers().add(WatcherSpec.ofAllTenants("in", folder));
        put("own/before.txt", "before");
        assertThat(scan()).isEqualTo(1);
        pool.close();
        Files.writeString(directory.resolve("shards/own.db"), "no database at all, just text ".repeat(500));
        pool = io.entrepot.pool.Pool.open(config);
        put("acme/a.txt", "a");
        put("own/b.txt", "b");
        put("other/deep/c.txt", "c");

        assertThat(scan()).isEqualTo(2);

        assertThat(contents(ACME)).containsExactly("a");
        assertThat(contents(OTHER)).containsExactly("c");
        assertThat(left(folder)).containsExactly("own/b.txt");
        assertThat(pool.watchers().status(IN).skipped()).containsEntry(SkipReason.TENANT_UNREADABLE, 1L);
        assertThat(pool.watchers().status(IN).problems()).anyMatch(problem -> problem.path().equals("own"));

        pool.recoverShard(OWN);
        assertThat(scan()).isEqualTo(1);
        assertThat(contents(OWN)).containsExactly("b", "before");
    }
}

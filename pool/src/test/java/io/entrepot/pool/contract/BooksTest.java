package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.store.DataDirectory;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Books that somebody has tampered with. */
class BooksTest extends PoolContract {
    private static final TenantId APART = new TenantId("apart");

    BooksTest() {
        super(PoolFixture.SQLITE);
    }

    private void tamper(String sql) throws Exception {
        tamper(DataDirectory.MAIN, sql);
    }

    private void tamper(String database, String sql) throws Exception {
        pool.close();
        try (Connection connection = DriverManager
                .getConnection("jdbc:sqlite:" + directory.resolve(database));
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).isPositive();
        }
        pool = Pool.open(config);
    }

    @Test
    void check_whenACounterIsWrong_saysSoAndRecountRepairsIt() throws Exception {
        write(ACME, "x");
        tamper("UPDATE counter SET n = n + 1 WHERE name = 'pool.files'");

        assertThat(pool.check().problems()).anyMatch(line -> line.contains("files: 2 were counted, there are 1"));
        assertThat(pool.quotas().recount(ACME).corrections()).hasSize(1);
        assertThat(pool.check().problems()).isEmpty();
    }

    @Test
    void check_whenAVolumesCounterIsWrong_saysSoAndRecountRepairsIt() throws Exception {
        write(ACME, "x");
        tamper("UPDATE counter SET n = n - 1 WHERE name = 'pool.volume.files'");

        assertThat(pool.check().problems()).singleElement().asString().contains("volume main");
        assertThat(pool.volumes().recount()).singleElement().asString()
                .contains("files on volume main: 0 were counted, there are 1");
        assertThat(pool.check().problems()).isEmpty();
        assertThat(pool.volumes().recount()).isEmpty();
        assertThat(events()).containsOnlyOnce("volume.recounted");
        assertThat(pool.volumes().get("main").files()).isEqualTo(1);
    }

    /** It was counted that it has files, and nobody could say otherwise. */
    @Test
    void unmount_whenACounterWasTooHighAndIsRepaired_succeeds() throws Exception {
        pool.tenants().createWithShard(APART, TenantLimits.NONE);
        FileKey key = write(APART, "x");
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        pool.files().delete(APART, key, "by mistake");
        tamper("shards/apart.db", "UPDATE counter SET n = n + 1 WHERE name = 'pool.volume.files'");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("main"));

        assertThat(pool.volumes().recount()).singleElement().asString().contains("database apart");

        pool.volumes().unmount("main");
    }

    @Test
    void check_whenAFileHasNoItem_saysSo() throws Exception {
        write(ACME, "x");
        tamper("DELETE FROM ready");
        assertThat(pool.check().problems()).isNotEmpty();
    }

    @Test
    void check_whenAnItemHasNoFile_saysSo() throws Exception {
        write(ACME, "x");
        tamper("DELETE FROM file");

        assertThat(pool.check().problems()).anyMatch(line -> line.startsWith("counters"));
        pool.quotas().recount(ACME);
        assertThat(pool.check().problems())
                .anyMatch(line -> line.contains("1 items in its queue and 0 files"));
    }

    @Test
    void backup_whenSomethingIsThere_overwritesNothing() throws Exception {
        Files.writeString(directory.resolveSibling("precious"), "x");

        assertRefused(io.entrepot.pool.PoolUnavailableException.class, "pool.unavailable.refused",
                () -> pool.backup(directory.resolveSibling("precious")));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> Pool.restore(directory.resolveSibling("precious"), directory.resolveSibling("new")));
    }
}

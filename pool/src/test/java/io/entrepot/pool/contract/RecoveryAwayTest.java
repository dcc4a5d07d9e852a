package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.store.DataDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A volume was away while the books were made anew: its files are in none of them, and are no rubbish. */
class RecoveryAwayTest extends PoolContract {

    RecoveryAwayTest() {
        super(PoolFixture.SQLITE);
    }

    @Test
    void orphans_ofAVolumeThatWasAwayDuringARebuild_areNotDeletedButImported() throws Exception {
        Path location = directory.resolveSibling("second");
        pool.volumes().mount(VolumeSpec.of("second", location));
        pool.volumes().setReadOnly("main");
        FileKey key = write(ACME, "on the second");
        reopen(); // the settings are written by then
        pool.close();
        Files.delete(directory.resolve(DataDirectory.MAIN));
        Path away = Files.move(location, directory.resolveSibling("away"));
        pool = Pool.open(config.withRecovery(Recovery.REBUILD));
        assertThat(pool.files().find(ACME, key)).isEmpty();
        assertThat(pool.recoveries().getFirst().unknown()).anyMatch(line -> line.contains("second"));
        pool.close();
        Files.move(away, location);

        pool = Pool.open(config);
        assertThat(pool.volumes().get("second").health()).isEqualTo(VolumeHealth.HEALTHY);
        CleanupReport refused = pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();
        assertThat(refused.counts().orphanedFilesRemoved()).isZero();
        assertThat(refused.problems()).anyMatch(problem -> problem.contains("away"));

        CleanupReport imported = pool.cleanup().orphans(OrphanAction.IMPORT, Duration.ZERO, false).await();
        assertThat(imported.counts().orphanedFilesImported()).isEqualTo(1);
        assertThat(pool.files().get(ACME, key).status()).isEqualTo(FileStatus.HELD);
        assertThat(read(ACME, key)).isEqualTo("on the second");
        clocks.pass(Duration.ofMinutes(1));
        pool.files().release(ACME, key);
        assertThat(pool.history(ACME, key).entries()).extracting(HistoryEntry::what).containsExactly("written",
                "rebuilt", "released");

        // From then on an orphan there is one like any other.
        Path path = pool.files().get(ACME, key).path().orElseThrow();
        String name = path.getFileName().toString();
        String other = (name.startsWith("0") ? "1" : "0") + name.substring(1);
        Path orphan = location.resolve("acme").resolve(other.substring(0, 2)).resolve(other.substring(2, 4))
                .resolve(other);
        Files.createDirectories(orphan.getParent());
        Files.writeString(orphan, "rubbish");
        CleanupReport usual = pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();
        assertThat(usual.problems()).isEmpty();
        assertThat(usual.counts().orphanedFilesRemoved()).isEqualTo(1);
    }
}

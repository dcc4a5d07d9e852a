package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.TenantId;
import io.entrepot.store.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;

/** A pool whose database can be damaged, and made anew from backups and from what the files carry. */
abstract class DamagedBooks extends PoolContract {
    static final TenantId SHARDED = new TenantId("sharded");

    Path main;
    PoolConfig rebuilding;

    DamagedBooks() {
        super(PoolFixture.SQLITE);
    }

    @BeforeEach
    void paths() {
        main = directory.resolve(DataDirectory.MAIN);
        rebuilding = config.withRecovery(Recovery.REBUILD.withBackups(directory.resolveSibling("backups")));
    }

    /** What can happen to a file. */
    enum Damage {
        GARBAGE {
            @Override
            void doTo(Path file) throws IOException {
                Files.writeString(file, "no database at all, just text ".repeat(500));
            }
        },
        TRUNCATED {
            @Override
            void doTo(Path file) throws IOException {
                byte[] all = Files.readAllBytes(file);
                Files.write(file, java.util.Arrays.copyOf(all, all.length / 2));
            }
        },
        EMPTY {
            @Override
            void doTo(Path file) throws IOException {
                Files.write(file, new byte[0]);
            }
        },
        DELETED {
            @Override
            void doTo(Path file) throws IOException {
                Files.delete(file);
            }
        };

        abstract void doTo(Path file) throws IOException;
    }

    final void closeAnd(Damage damage) throws IOException {
        pool.close();
        damage.doTo(main);
    }

    final RecoveryReport rebuild() throws Exception {
        pool = Pool.open(rebuilding);
        assertThat(pool.recoveries()).hasSize(1);
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        return pool.recoveries().getFirst();
    }

    final void backup() throws InterruptedException {
        pool.backup(directory.resolveSibling("backups").resolve(String.valueOf(clocks.millis())));
        clocks.pass(Duration.ofSeconds(1));
    }

    /**
     * A backup that has the bytes of a file itself: it syncs first, and this one is written right after that. No volume has them
     * any more. From then on volumes are synced before backups only.
     */
    final FileKey backupWithTheBytesOf(TenantId tenant, String content) throws Exception {
        AtomicBoolean backingUp = new AtomicBoolean();
        AtomicReference<FileKey> written = new AtomicReference<>();
        pool.volumes().sync(); // or the next one begins with what is left
        pool.close();
        config = config.withSyncEvery(Duration.ofDays(1));
        rebuilding = rebuilding.withSyncEvery(Duration.ofDays(1));
        pool = Pool.open(config.withPlatform(config.platform().withFaults(point -> {
            if (point == PoolFaults.Point.AFTER_SYNC && backingUp.compareAndSet(true, false)) {
                try {
                    written.set(write(tenant, content));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        })));
        write(tenant, "to be synced");
        backingUp.set(true);
        backup();
        Files.delete(pool.files().get(tenant, written.get()).path().orElseThrow());
        return written.get();
    }

    /** What keepers do before a backup, and otherwise now and then. */
    final void syncVolumes() throws Exception {
        pool.backup(directory.resolveSibling("synced-" + clocks.millis()));
        clocks.pass(Duration.ofSeconds(1));
    }

    /** One file is held, and its bytes are where they belong. */
    final FileKey assertHeld(TenantId tenant, String content) throws Exception {
        List<FileInfo> held = pool.files().list(FileQuery.of(tenant)).files().stream()
                .filter(file -> file.status() == FileStatus.HELD).toList();
        assertThat(held).hasSize(1);
        assertThat(pool.backlog().redo()).isZero();
        assertThat(read(tenant, held.getFirst().key())).isEqualTo(content);
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        return held.getFirst().key();
    }

    final void complete(TenantId tenant, FileKey key) throws Exception {
        Path path = pool.files().get(tenant, key).path().orElseThrow();
        pool.work().complete(pool.work().claim(tenant, key, "worker", TERM).lease());
        eventually(() -> !Files.exists(path));
    }

    final FileStatus status(TenantId tenant, FileKey key) {
        return pool.files().get(tenant, key).status();
    }
}

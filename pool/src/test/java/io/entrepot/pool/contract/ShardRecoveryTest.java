package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Faults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A shard is damaged or lost, or the database beside it: each is recovered for itself. */
class ShardRecoveryTest extends DamagedBooks {

    @Test
    void rebuild_whenOnlyTheMainDatabaseIsDamaged_leavesShardsAsTheyAre() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE.withFiles(3));
        FileKey key = write(SHARDED, "in a shard");
        FileKey inMain = write(ACME, "in main");
        closeAnd(Damage.GARBAGE);

        rebuild();

        assertThat(status(SHARDED, key)).isEqualTo(FileStatus.PENDING);
        assertThat(status(ACME, inMain)).isEqualTo(FileStatus.HELD);
        assertThat(pool.tenants().get(SHARDED).sharded()).isTrue();
        assertThat(claim(SHARDED).file().key()).isEqualTo(key);
    }

    @Test
    void shard_whenDamaged_stopsOnlyItsTenantAndCanBeRecovered() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE.withFiles(1));
        config = config.withTenants(List.of(ACME, OTHER, SHARDED));
        FileKey key = write(SHARDED, NewFile.named("a.txt").in("x"), "in a shard");
        FileKey others = write(ACME, "others");
        pool.close();
        Path shard = directory.resolve("shards/sharded.db");
        Damage.GARBAGE.doTo(shard);

        pool = Pool.open(config);

        assertRefused(PoolUnavailableException.class, "pool.unavailable.damaged", () -> pool.tenants().get(SHARDED));
        assertRefused(PoolUnavailableException.class, "pool.unavailable.damaged", () -> write(SHARDED, "x"));
        assertRefused(PoolUnavailableException.class, "pool.unavailable.damaged",
                () -> pool.work().claim(SHARDED, "worker"));
        assertThat(claim(ACME).file().key()).isEqualTo(others);
        write(ACME, "more");
        assertThat(pool.volumes().list()).hasSize(1);
        assertThat(pool.tenants().list()).extracting(Tenant::id).containsExactly(ACME, OTHER);
        assertThat(pool.check().problems()).anyMatch(problem -> problem.contains("sharded"));
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(77)); // and the settings know it all the same
        eventually(() -> Files.readString(directory.resolve("entrepot.settings")).contains("\t77\t"));

        RecoveryReport report = pool.recoverShard(SHARDED);

        assertThat(report.tenants()).containsOnlyKeys(SHARDED);
        assertThat(report.aside().orElseThrow().resolve("shards/sharded.db")).exists();
        assertThat(status(SHARDED, key)).isEqualTo(FileStatus.HELD);
        assertThat(pool.files().get(SHARDED, key).directory()).isEqualTo(new LogicalDirectory("x"));
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> write(SHARDED, "2nd"));
        pool.files().releaseAll(SHARDED);
        assertThat(claim(SHARDED).file().key()).isEqualTo(key);
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.recoverShard(SHARDED));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.recoverShard(ACME));
        reopen();
        assertThat(status(SHARDED, key)).isEqualTo(FileStatus.PROCESSING); // a restart takes nothing from its worker
    }

    @Test
    void unmount_whenADamagedShardMayHaveFilesThere_isRefusedUntilItIsRecovered() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withHeadroom(0));
        pool.volumes().setReadOnly("main");
        FileKey key = write(SHARDED, "on the second");
        pool.close();
        Damage.GARBAGE.doTo(directory.resolve("shards/sharded.db"));
        pool = Pool.open(config);

        assertThatThrownBy(() -> pool.volumes().unmount("second")).isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("tenant sharded");

        assertThat(pool.volumes().get("second").state()).isEqualTo(VolumeState.ACTIVE);
        pool.recoverShard(SHARDED);
        assertThat(read(SHARDED, key)).isEqualTo("on the second");
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> pool.volumes().unmount("second"));
        pool.files().delete(SHARDED, key, "test");
        pool.volumes().unmount("second");
    }

    @Test
    void unmount_whenAShardHasEndedAfterAFailure_isRefusedUntilThePoolIsOpenedAgain() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withHeadroom(0));
        pool.volumes().setReadOnly("second"); // so that nothing comes there
        AtomicBoolean broken = new AtomicBoolean();
        pool.close();
        pool = Pool.open(config.withPlatform(config.platform().withStore(config.platform().store()
                .withFaults(point -> {
                    if (broken.get() && point == Faults.Point.COMMIT
                            && Thread.currentThread().getName().contains("sharded")) {
                        throw new IllegalStateException("the disk is broken");
                    }
                }))));
        broken.set(true);
        assertThatThrownBy(() -> write(SHARDED, "x")).isInstanceOf(UnknownOutcomeException.class);

        assertThatThrownBy(() -> pool.volumes().unmount("second")).isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("tenant sharded");

        reopen();
        pool.volumes().unmount("second");
    }

    @Test
    void shard_whenItHasEndedAfterAFailure_keepsVolumesFromNobodyElse() throws Exception {
        List<TenantId> others = Stream.of("a", "b", "c", "d").map(TenantId::new).toList();
        others.forEach(tenant -> pool.tenants().createWithShard(tenant, TenantLimits.NONE));
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        AtomicBoolean broken = new AtomicBoolean();
        pool.close();
        pool = Pool.open(config.withSyncEvery(Duration.ofHours(1)).withPlatform(config.platform()
                .withStore(config.platform().store().withFaults(point -> {
                    if (broken.get() && point == Faults.Point.COMMIT
                            && Thread.currentThread().getName().contains("sharded")) {
                        throw new IllegalStateException("the disk is broken");
                    }
                }))));
        for (TenantId tenant : others) {
            pool.files().delete(tenant, write(tenant, "to go"), "test");
            write(tenant, "to stay");
        }
        broken.set(true);
        assertThatThrownBy(() -> write(SHARDED, "x")).isInstanceOf(UnknownOutcomeException.class);

        pool.volumes().sync();

        for (TenantId tenant : others) {
            assertThat(onDisk(tenant)).as(tenant.name()).hasSize(1);
        }
        broken.set(false);
        reopen(); // with what was left of it
        pool.volumes().sync();
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void open_whenAShardIsDamagedAndThereIsABackup_recoversIt(Damage damage) throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        FileKey waiting = write(SHARDED, "waiting");
        FileKey done = write(SHARDED, "done later");
        backup();
        complete(SHARDED, done);
        FileKey since = write(SHARDED, "since");
        pool.close();
        damage.doTo(directory.resolve("shards/sharded.db"));

        RecoveryReport report = rebuild();

        assertThat(report.backup()).isPresent();
        assertThat(status(SHARDED, waiting)).isEqualTo(FileStatus.PENDING);
        assertThat(status(SHARDED, since)).isEqualTo(FileStatus.HELD);
        assertThat(pool.files().find(SHARDED, done)).isEmpty();
    }

    /** The pool is open, and the shard cannot be. */
    private void openWithTheShardDamaged() throws Exception {
        pool.close();
        config = config.withRecovery(Recovery.REFUSE.withBackups(directory.resolveSibling("backups")));
        Damage.GARBAGE.doTo(directory.resolve("shards/sharded.db"));
        pool = Pool.open(config);
    }

    @Test
    void recoverShard_whenAFileOfTheBackupIsDoneSince_takesItOutOfTheBooks() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        FileKey waiting = write(SHARDED, "waiting");
        FileKey done = write(SHARDED, "done later");
        backup();
        complete(SHARDED, done);
        openWithTheShardDamaged();

        RecoveryReport report = pool.recoverShard(SHARDED);

        assertThat(report.total().lost()).isEqualTo(1);
        assertThat(pool.files().find(SHARDED, done)).isEmpty();
        assertThat(claim(SHARDED).file().key()).isEqualTo(waiting);
    }

    @Test
    void recoverShard_whenTheBackupHasTheBytesItself_writesThemBeforeTheDatabaseForgetsThem() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        backupWithTheBytesOf(SHARDED, "in the backup");
        openWithTheShardDamaged();

        pool.recoverShard(SHARDED);
        syncVolumes();

        assertHeld(SHARDED, "in the backup");
    }

    @Test
    void recoverShard_whileVolumesAreSyncedAndCleanedUp_losesNothingThatOnlyTheBackupHas() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        backupWithTheBytesOf(SHARDED, "in the backup");
        AtomicBoolean recovering = new AtomicBoolean();
        config = config.withPlatform(config.platform().withCalls(new HookedCalls((_, place) -> {
            if (place.toString().contains("/" + SHARDED) && recovering.compareAndSet(true, false)) {
                try {
                    syncVolumes();
                    pool.cleanup().filesWithoutBytes(true, false).await();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
            return true;
        })));
        openWithTheShardDamaged();

        recovering.set(true);
        pool.recoverShard(SHARDED);
        assertThat(recovering).isFalse();
        syncVolumes();

        assertHeld(SHARDED, "in the backup");
    }

    @Test
    void restore_whereThereIsNoDatabase_isCompletedWhenOpened() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        FileKey inShard = write(SHARDED, "waiting");
        FileKey waiting = write(ACME, "waiting");
        backup();
        FileKey since = write(ACME, "since");
        Path backup = DataDirectory.backupsIn(directory.resolveSibling("backups")).getFirst();
        pool.close();
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> Pool.restore(backup, directory));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> Pool.restore(directory, directory.resolveSibling("new")));
        Files.delete(main);
        Files.delete(directory.resolve("shards/sharded.db"));

        Pool.restore(backup, config);
        pool = Pool.open(config);

        assertThat(pool.recoveries()).singleElement().satisfies(report -> {
            assertThat(report.backup()).contains(backup.toAbsolutePath());
            assertThat(report.total().rebuilt()).isEqualTo(1);
        });
        assertThat(status(ACME, waiting)).isEqualTo(FileStatus.PENDING);
        assertThat(status(ACME, since)).isEqualTo(FileStatus.HELD);
        assertThat(status(SHARDED, inShard)).isEqualTo(FileStatus.PENDING);
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        reopen();
        assertThat(pool.recoveries()).isEmpty();
    }
}

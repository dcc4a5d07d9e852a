package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.RecoveryProgress;
import io.entrepot.pool.RecoveryWatch;
import io.entrepot.pool.TenantLimits;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A recovery may die anywhere in it, and is taken up again. */
class RecoveryDeathTest extends DamagedBooks {

    /** At every commit of a recovery in turn, until there is none left to die at. */
    @Test
    void rebuild_whenItDiesInTheMiddle_isTakenUpAgain() throws Exception {
        FileKey waiting = write(ACME, "waiting");
        FileKey done = write(ACME, "done later");
        backup();
        complete(ACME, done);
        FileKey since = write(ACME, NewFile.unnamed().in("x"), "since");
        pool.close();
        int died = 0;
        for (boolean again = true; again;) {
            Damage.GARBAGE.doTo(main);
            AtomicInteger commits = new AtomicInteger(++died);
            again = diesAt(commits);
            pool = Pool.open(config); // not told to recover: it goes on because it has begun
            assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key)
                    .containsExactlyInAnyOrder(waiting, since);
            assertThat(status(ACME, since)).isEqualTo(FileStatus.HELD);
            assertThat(pool.check().problems()).isEmpty();
            pool.close();
        }
        assertThat(died).isGreaterThan(5);
        pool = Pool.open(config);
    }

    /** At each thing that it tells in turn, until it comes to its end. */
    @Test
    void recover_whenItIsEndedByItsWatch_isGoneOnWith() throws Exception {
        FileKey waiting = write(ACME, "waiting");
        FileKey done = write(ACME, "done later");
        backup();
        complete(ACME, done);
        FileKey since = write(ACME, "since");
        pool.close();
        int told = 0;
        for (boolean again = true; again;) {
            Damage.GARBAGE.doTo(main);
            again = isEnded(++told, watch -> Pool.recover(rebuilding, watch));
            Pool.recover(rebuilding);
            pool = Pool.open(config);
            assertThat(pool.files().list(FileQuery.of(ACME)).files()).as("ended at %s", told)
                    .extracting(FileInfo::key).containsExactlyInAnyOrder(waiting, since);
            assertThat(status(ACME, since)).isEqualTo(FileStatus.HELD);
            assertThat(pool.check().problems()).isEmpty();
            pool.close();
        }
        assertThat(told).isGreaterThan(5);
        pool = Pool.open(config);
    }

    @Test
    void restore_whenItIsEndedByItsWatch_isGoneOnWithByTheSameCall() throws Exception {
        FileKey waiting = write(ACME, "waiting");
        backup();
        Path backup = DataDirectory.backupsIn(directory.resolveSibling("backups")).getFirst();
        FileKey since = write(ACME, "since");
        pool.close();
        int told = 0;
        for (boolean again = true; again;) {
            loseDatabase();
            Pool.restore(backup, config);
            again = isEnded(++told, watch -> Pool.open(config, watch).close());
            if (again) {
                assertThatThrownBy(() -> Pool.restore(directory.resolveSibling("synced"), config))
                        .isInstanceOf(InvalidSettingException.class).hasMessageContaining("overwrites nothing");
                Pool.restore(backup, config);
            }
            pool = Pool.open(config);
            assertThat(pool.files().list(FileQuery.of(ACME)).files()).as("ended at %s", told)
                    .extracting(FileInfo::key).containsExactlyInAnyOrder(waiting, since);
            assertThat(pool.check().problems()).isEmpty();
            pool.close();
        }
        assertThat(told).isGreaterThan(3);
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> Pool.restore(backup, config));
        pool = Pool.open(config);
    }

    @Test
    void recover_tellsWhereItIsAndWhatItHasRebuilt() throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE);
        write(ACME, "12345");
        write(SHARDED, "123");
        backup();
        write(ACME, "1234567");
        pool.close();
        Damage.GARBAGE.doTo(main);
        Damage.GARBAGE.doTo(directory.resolve("shards/sharded.db"));
        List<RecoveryProgress> told = new ArrayList<>();

        Pool.recover(rebuilding, told::add);

        assertThat(told).extracting(RecoveryProgress::doing).contains("volume main", "files of tenant acme",
                "files of tenant sharded");
        assertThat(told).anyMatch(progress -> progress.doing().equals("volume main") && progress.files() == 3);
        assertThat(told.getLast().rebuilt()).isZero(); // shards are looked through anew
        assertThat(told).anyMatch(progress -> progress.rebuilt() == 1 && progress.bytes() == 7);
        pool = Pool.open(config);
    }

    /** What is watched. */
    private interface Watched {
        void by(RecoveryWatch watch) throws InterruptedException;
    }

    /** Whether it came so far. */
    private static boolean isEnded(int times, Watched what) {
        AtomicInteger left = new AtomicInteger(times);
        try {
            what.by(_ -> {
                if (left.decrementAndGet() == 0) {
                    throw new InterruptedException("ended");
                }
            });
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void loseDatabase() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each : files.filter(path -> path.getFileName().toString().startsWith("entrepot.db")).toList()) {
                Files.delete(each);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rebuild_ofAShard_whenItDiesInTheMiddle_isTakenUpAgain(boolean mainToo) throws Exception {
        pool.tenants().createWithShard(SHARDED, TenantLimits.NONE.withFiles(3));
        FileKey key = write(SHARDED, NewFile.named("a.txt").in("x"), "in a shard");
        reopen(); // the settings are written by then
        pool.close();
        int died = 0;
        for (boolean again = true; again;) {
            Damage.GARBAGE.doTo(directory.resolve("shards/sharded.db"));
            if (mainToo) {
                Damage.GARBAGE.doTo(main);
            }
            again = diesAt(new AtomicInteger(++died));
            pool = Pool.open(config);
            assertThat(pool.files().list(FileQuery.of(SHARDED)).files()).as("died at commit %s", died)
                    .extracting(FileInfo::key).containsExactly(key);
            assertThat(pool.tenants().get(SHARDED).limits()).isEqualTo(TenantLimits.NONE.withFiles(3));
            assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
            pool.close();
        }
        assertThat(died).isGreaterThan(3);
        pool = Pool.open(config);
        assertThat(pool.recoveries()).isEmpty();
    }

    @Test
    void rebuild_whenItDiesBeforeADamagedBackupIsGivenUp_goesOnWithoutIt() throws Exception {
        FileKey key = write(ACME, "hello");
        backup();
        Path backup = DataDirectory.backupsIn(directory.resolveSibling("backups")).getFirst();
        closeAnd(Damage.GARBAGE);
        Files.writeString(directory.resolve("entrepot.recovering"), "replaced=false\ncause=it was damaged\n"
                + "aside=damaged-1\nbackup=" + backup.toAbsolutePath() + "\n");
        Damage.TRUNCATED.doTo(backup.resolve(DataDirectory.MAIN));

        pool = Pool.open(config); // it goes on because it has begun

        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
        assertThat(pool.recoveries().getFirst().unknown()).anyMatch(line -> line.contains("could not be used"));
        assertThat(directory.resolve("damaged-1").resolve(DataDirectory.MAIN)).exists();
    }

    /** Whether there was such a commit. */
    private boolean diesAt(AtomicInteger commits) throws InterruptedException {
        PoolConfig dying = rebuilding.withPlatform(config.platform().withStore(config.platform().store()
                .withFaults(point -> {
                    if (point == Faults.Point.COMMIT && commits.decrementAndGet() == 0) {
                        throw new IllegalStateException("dead");
                    }
                })));
        try {
            Pool.open(dying).close();
            return commits.get() <= 0;
        } catch (RuntimeException e) {
            return true;
        }
    }
}

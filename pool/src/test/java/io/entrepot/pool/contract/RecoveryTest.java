package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.posix.Stat;
import io.entrepot.store.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database is damaged or lost: what is there and what is known comes back, and what was done does not. */
class RecoveryTest extends DamagedBooks {

    @ParameterizedTest
    @EnumSource(Damage.class)
    void open_whenTheDatabaseIsDamaged_isRefusedUnlessToldOtherwise(Damage damage) throws Exception {
        write(ACME, "hello");
        closeAnd(damage);
        Optional<byte[]> before = Files.exists(main) ? Optional.of(Files.readAllBytes(main)) : Optional.empty();

        assertRefused(PoolUnavailableException.class, "pool.unavailable.damaged", () -> Pool.open(config));

        assertThat(Files.exists(main) ? Optional.of(Files.readAllBytes(main)) : Optional.empty())
                .usingRecursiveComparison().isEqualTo(before);
        assertThat(onDisk(ACME)).hasSize(1);
        pool = Pool.open(rebuilding);
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void rebuild_withoutABackup_holdsEverythingUntilItIsReleased(Damage damage) throws Exception {
        NewFile said = NewFile.named("Rechnung März.pdf").in("invoices").withPriority(7)
                .withLabels(Map.of("kind", "invoice")).from("upload")
                .withModified(Instant.parse("2001-02-03T04:05:06.789Z"));
        FileKey key = write(ACME, said, "hello");
        FileKey large = write(ACME, "x".repeat(200_000));
        FileKey others = write(OTHER, "other");
        FileInfo before = pool.files().get(ACME, key);
        closeAnd(damage);
        byte[] damaged = Files.exists(main) ? Files.readAllBytes(main) : new byte[0];

        RecoveryReport report = rebuild();

        FileInfo after = pool.files().get(ACME, key);
        assertThat(after).usingRecursiveComparison().ignoringFields("status", "since").isEqualTo(before);
        assertThat(after.status()).isEqualTo(FileStatus.HELD);
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
        assertThat(pool.tenants().usage(ACME).held()).isEqualTo(2);
        assertThat(report.tenants().get(ACME)).isEqualTo(new RecoveryReport.Files(2, 200_005, 0, 0, 0, 0));
        assertThat(report.tenants().get(OTHER)).isEqualTo(new RecoveryReport.Files(1, 5, 0, 0, 0, 0));
        assertThat(report.unknown()).isEmpty();
        assertThat(Files.readString(report.file())).contains(key.toString()).contains(large.toString());
        if (damage != Damage.DELETED) {
            assertThat(report.aside().orElseThrow().resolve(DataDirectory.MAIN)).hasBinaryContent(damaged);
        }
        assertThat(events()).contains("file.rebuilt", "pool.recovered");
        assertThat(pool.history(ACME, key).entries()).anyMatch(entry -> entry.what().equals("rebuilt"));
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();

        assertThat(pool.files().release(ACME, key)).isTrue();
        assertThat(claim(ACME).file().key()).isEqualTo(key);
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
        assertThat(pool.files().releaseAll(ACME)).isEqualTo(1);
        assertThat(claim(ACME).file().key()).isEqualTo(large);
        assertThat(pool.files().releaseAll(ACME)).isZero();
        assertThat(write(ACME, "new").number()).isGreaterThan(large.number());
        reopen();
        assertThat(pool.recoveries()).isEmpty();
        assertThat(status(OTHER, others)).isEqualTo(FileStatus.HELD);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 200_000})
    void rebuild_ofFilesThatWereMoved_stillKnowsWhenTheirSourcesWereChanged(int size) throws Exception {
        Instant time = Instant.parse("2001-02-03T04:05:06.789Z");
        FileKey key = write(ACME, NewFile.named("x.txt").withModified(time), "x".repeat(size));
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        pool.volumes().drain("main").await(Duration.ofSeconds(30));
        assertThat(pool.files().get(ACME, key).volume()).isEqualTo("second");
        assertThat(pool.files().get(ACME, key).modified()).contains(time);
        pool.volumes().unmount("main");
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.files().get(ACME, key).modified()).contains(time);
    }

    @Test
    void rebuild_withABackup_bringsBackWhatWaitedAndNothingThatWasDone() throws Exception {
        FileKey waiting = write(ACME, "waiting");
        FileKey doneLater = write(ACME, "done later");
        FileKey doneBefore = write(ACME, "done before");
        complete(ACME, doneBefore);
        backup();
        complete(ACME, doneLater);
        FileKey doneSince = write(ACME, "written and done since");
        complete(ACME, doneSince);
        FileKey writtenSince = write(ACME, "written since");
        closeAnd(Damage.GARBAGE);

        RecoveryReport report = rebuild();

        assertThat(report.backup()).isPresent();
        assertThat(report.tenants().get(ACME)).isEqualTo(new RecoveryReport.Files(1, 13, 0, 0, 0, 1));
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key)
                .containsExactlyInAnyOrder(waiting, writtenSince);
        assertThat(status(ACME, waiting)).isEqualTo(FileStatus.PENDING);
        assertThat(status(ACME, writtenSince)).isEqualTo(FileStatus.HELD);
        assertThat(pool.history(ACME, doneLater).gone().orElseThrow().why()).contains("gone after a restore");
        assertThat(claim(ACME).file().key()).isEqualTo(waiting);
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
        assertThat(report.unknown()).singleElement().asString().contains("1 files are as the backup says");
        assertThat(pool.files().releaseAll(ACME)).isEqualTo(1);
        assertThat(claim(ACME).file().key()).isEqualTo(writtenSince);
        assertThat(write(ACME, "new").number()).isGreaterThan(writtenSince.number());
    }

    @Test
    void rebuild_whenTheBooksKnowThatItIsGone_deletesTheBytesInsteadOfRevivingThem() throws Exception {
        FileKey key = write(ACME, "done");
        Path path = pool.files().get(ACME, key).path().orElseThrow();
        Path copy = Files.copy(path, directory.resolveSibling("copy"), StandardCopyOption.COPY_ATTRIBUTES);
        complete(ACME, key);
        backup();
        pool.close();
        Files.createDirectories(path.getParent());
        Files.move(copy, path);
        Damage.GARBAGE.doTo(main);

        RecoveryReport report = rebuild();

        assertThat(report.tenants().get(ACME)).isEqualTo(new RecoveryReport.Files(0, 0, 0, 0, 1, 0));
        assertThat(pool.files().find(ACME, key)).isEmpty();
        assertThat(path).doesNotExist();
    }

    @Test
    void rebuild_whenTheBackupHasTheBytesItself_holdsThemAsOneNewFile() throws Exception {
        FileKey key = backupWithTheBytesOf(ACME, "in the backup");
        closeAnd(Damage.GARBAGE);

        RecoveryReport report = rebuild();
        syncVolumes();

        FileKey held = assertHeld(ACME, "in the backup");
        assertThat(held).isNotEqualTo(key);
        assertThat(report.total().held()).isEqualTo(1);
        assertThat(pool.files().find(ACME, key)).isEmpty();
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void rebuild_whenTheNewestBackupIsDamaged_usesTheOneBefore() throws Exception {
        FileKey first = write(ACME, "first");
        backup();
        write(ACME, "second");
        backup();
        Path newest = DataDirectory.backupsIn(directory.resolveSibling("backups")).getFirst();
        Damage.GARBAGE.doTo(newest.resolve(DataDirectory.MAIN));
        closeAnd(Damage.GARBAGE);

        RecoveryReport report = rebuild();

        assertThat(report.backup()).isPresent().get().isNotEqualTo(newest);
        assertThat(report.unknown()).anyMatch(line -> line.contains(newest.toString()));
        assertThat(status(ACME, first)).isEqualTo(FileStatus.PENDING);
        assertThat(pool.tenants().usage(ACME).held()).isEqualTo(1);
    }

    @Test
    void rebuild_whenAFileHasNoDescription_knowsWhatItsPathAndItsBytesSay() throws Exception {
        FileKey key = write(ACME, NewFile.named("a.pdf").in("x"), "hello");
        Path path = pool.files().get(ACME, key).path().orElseThrow();
        FileInfo before = pool.files().get(ACME, key);
        closeAnd(Damage.DELETED);
        Files.getFileAttributeView(path, UserDefinedFileAttributeView.class).delete("entrepot");

        rebuild();

        FileInfo after = pool.files().get(ACME, key);
        assertThat(after.sha256()).isEqualTo(before.sha256());
        assertThat(after.size()).isEqualTo(5);
        assertThat(after.extension()).isEqualTo(".pdf");
        assertThat(after.name()).isEmpty();
        assertThat(after.directory()).isEqualTo(LogicalDirectory.ROOT);
        pool.files().release(ACME, key);
        assertThat(claim(ACME).file().key()).isEqualTo(key);
    }

    @Test
    void rebuild_whenAFileWasCutShortWhileItWasWritten_makesNoneOfIt() throws Exception {
        FileKey key = write(ACME, NewFile.named("a.pdf"), "half of it");
        Path path = pool.files().get(ACME, key).path().orElseThrow();
        closeAnd(Damage.DELETED);
        Files.setAttribute(path, "unix:mode", 0640 | Stat.UNFINISHED);
        Files.getFileAttributeView(path, UserDefinedFileAttributeView.class).delete("entrepot");

        RecoveryReport report = rebuild();

        assertThat(pool.files().find(ACME, key)).isEmpty();
        assertThat(report.unknown()).anySatisfy(line -> assertThat(line).contains(key.toString(), "being written"));
        assertThat(path).exists();
    }

    @Test
    void rebuild_whenTheWholeDirectoryIsLost_findsEverythingOnTheVolumes() throws Exception {
        Path elsewhere = directory.resolveSibling("elsewhere");
        pool.volumes().mount(VolumeSpec.of("elsewhere", elsewhere).withDepth(1));
        pool.volumes().setReadOnly("main");
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(1));
        FileKey key = write(ACME, "hello");
        pool.close();
        deleteAll(directory);
        rebuilding = rebuilding.withVolumes(List.of(VolumeSpec.of("elsewhere", elsewhere)));

        assertRefused(PoolUnavailableException.class, "pool.unavailable.damaged",
                () -> Pool.open(rebuilding.withRecovery(Recovery.REFUSE)));
        pool = Pool.open(rebuilding);

        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
        assertThat(read(ACME, key)).isEqualTo("hello");
        assertThat(pool.volumes().get("elsewhere").depth()).isEqualTo(1);
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> write(ACME, "second"));
        assertThat(pool.recoveries().getFirst().unknown()).anyMatch(line -> line.contains("volume main"));
    }

    @Test
    void rebuild_whenNothingIsKnownAtAll_takesTheFilesAndSaysSo() throws Exception {
        FileKey key = write(ACME, "hello");
        closeAnd(Damage.DELETED);
        Files.delete(directory.resolve("entrepot.settings"));
        Files.delete(directory.resolve("files/.entrepot/settings"));

        RecoveryReport report = rebuild();

        assertThat(report.settings()).isEmpty();
        assertThat(report.unknown()).anyMatch(line -> line.contains("no settings"))
                .anyMatch(line -> line.contains("tenant acme"));
        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
        assertThat(read(ACME, key)).isEqualTo("hello");
    }

    @Test
    void rebuild_whenFilesWereMovedAfterTheBackup_findsThemWhereTheyAre() throws Exception {
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        pool.volumes().setReadOnly("second");
        FileKey moved = write(ACME, "moved");
        FileKey copied = write(ACME, "copied");
        backup();
        Path from = pool.files().get(ACME, moved).path().orElseThrow();
        Path stays = pool.files().get(ACME, copied).path().orElseThrow();
        pool.close();
        Path first = directory.resolve("files");
        Path to = directory.resolve("second").resolve(first.relativize(from));
        Files.createDirectories(to.getParent());
        Files.move(from, to);
        Path second = to.resolveSibling(stays.getFileName());
        Files.copy(stays, second, StandardCopyOption.COPY_ATTRIBUTES);
        Damage.GARBAGE.doTo(main);

        RecoveryReport report = rebuild();

        assertThat(report.tenants().get(ACME)).isEqualTo(new RecoveryReport.Files(0, 0, 0, 1, 1, 0));
        assertThat(pool.files().get(ACME, moved).volume()).isEqualTo("second");
        assertThat(pool.files().get(ACME, copied).volume()).isEqualTo("main");
        assertThat(read(ACME, moved)).isEqualTo("moved");
        assertThat(second).doesNotExist();
        assertThat(status(ACME, moved)).isEqualTo(FileStatus.PENDING);
    }

    @Test
    void rebuild_whenAnUploadWasNotFinishedAtTheBackup_dropsItAndKeepsWhatItBecame() throws Exception {
        UploadId upload = pool.uploads().begin(ACME, NewFile.unnamed(), 5);
        pool.uploads().append(ACME, upload, 0, "hello".getBytes(UTF_8));
        backup();
        FileKey key = pool.uploads().finish(ACME, upload).key();
        closeAnd(Damage.GARBAGE);

        RecoveryReport report = rebuild();

        assertThat(pool.uploads().list(ACME)).isEmpty();
        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
        assertThat(report.unknown()).anyMatch(line -> line.contains("uploads"));
        assertThat(pool.volumes().get("main").inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Damage.class)
    void recover_whateverTheDamage_bringsFilesBack(Damage damage) throws Exception {
        FileKey key = write(ACME, "hello");
        closeAnd(damage);
        assertThat(Pool.recover(config)).hasSize(1);
        pool = Pool.open(config);
        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
    }

    @Test
    void recover_whenPagesInTheMiddleAreNoise_findsThat() throws Exception {
        FileKey key = write(ACME, "hello");
        pool.close();
        assertThat(Pool.recover(config)).isEmpty();
        byte[] all = Files.readAllBytes(main);
        byte[] noise = new byte[all.length / 2];
        new Random(1).nextBytes(noise);
        System.arraycopy(noise, 0, all, all.length - noise.length, noise.length);
        Files.write(main, all);

        List<RecoveryReport> reports = Pool.recover(config);

        assertThat(reports).hasSize(1);
        pool = Pool.open(config);
        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
    }

    @Test
    void restore_ofADamagedBackup_isRefusedAndLeavesNothingBehind() throws Exception {
        FileKey key = write(ACME, "hello");
        backup();
        Path backup = DataDirectory.backupsIn(directory.resolveSibling("backups")).getFirst();
        pool.close();
        Files.delete(main);
        Damage.TRUNCATED.doTo(backup.resolve(DataDirectory.MAIN));

        assertThatThrownBy(() -> Pool.restore(backup, config)).isInstanceOf(PoolUnavailableException.class);

        rebuild();
        assertThat(status(ACME, key)).isEqualTo(FileStatus.HELD);
    }

    @Test
    void open_whenSomethingElseIsWrong_setsNothingAside() throws Exception {
        pool.close();
        Files.delete(main);
        Files.createDirectory(main);

        assertThatThrownBy(() -> Pool.open(rebuilding)).isInstanceOf(PoolUnavailableException.class);

        assertThat(main).isDirectory();
        Files.delete(main);
        pool = Pool.open(rebuilding);
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

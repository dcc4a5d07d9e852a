package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.CheckDepth;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recovery;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.posix.Stat;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database is damaged or lost: what is there and what is known comes back, and what was done does not. */
class RecoveryTest extends PoolContract {
    private static final TenantId SHARDED = new TenantId("sharded");

    private Path main;
    private PoolConfig rebuilding;

    RecoveryTest() {
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

    private void closeAnd(Damage damage) throws IOException {
        pool.close();
        damage.doTo(main);
    }

    private RecoveryReport rebuild() throws Exception {
        pool = Pool.open(rebuilding);
        assertThat(pool.recoveries()).hasSize(1);
        assertThat(pool.check(CheckDepth.BYTES).problems()).isEmpty();
        return pool.recoveries().getFirst();
    }

    private void backup() throws InterruptedException {
        pool.backup(directory.resolveSibling("backups").resolve(String.valueOf(clocks.millis())));
        clocks.pass(Duration.ofSeconds(1));
    }

    private void complete(TenantId tenant, FileKey key) throws Exception {
        Path path = pool.files().get(tenant, key).path().orElseThrow();
        pool.work().complete(pool.work().claim(tenant, key, "worker", TERM).lease());
        eventually(() -> !Files.exists(path));
    }

    private FileStatus status(TenantId tenant, FileKey key) {
        return pool.files().get(tenant, key).status();
    }

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
                .withLabels(Map.of("kind", "invoice")).from("upload");
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
    void rebuild_whateverWasDecided_isStillSo() throws Exception {
        TenantId paused = new TenantId("paused");
        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(10).withBytes(1_000_000).warningAt(50));
        pool.tenants().setRetry(ACME, Optional.of(new RetryPolicy(Duration.ofSeconds(1), Duration.ofSeconds(9), 7,
                false)));
        pool.tenants().suspend(OTHER);
        pool.tenants().create(paused);
        pool.tenants().setPaused(paused, true);
        pool.quotas().set(QuotaRule.of("acme/in*", 5).withInherited(false));
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")).withDepth(1).withHeadroom(123));
        pool.volumes().setReadOnly("second");
        for (int i = 0; i < 10; i++) {
            write(ACME, "x");
        }
        List<Tenant> tenants = pool.tenants().list();
        List<QuotaRule> rules = pool.quotas().rules();
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.tenants().list()).isEqualTo(tenants);
        assertThat(pool.quotas().rules()).isEqualTo(rules);
        VolumeInfo second = pool.volumes().get("second");
        assertThat(second.depth()).isEqualTo(1);
        assertThat(second.headroom()).isEqualTo(123);
        assertThat(second.state()).isEqualTo(io.entrepot.pool.VolumeState.READ_ONLY);
        assertRefused(TenantQuotaExceededException.class, "pool.tenant-quota-exceeded", () -> write(ACME, "11th"));
        assertThat(pool.tenants().get(OTHER).status()).isEqualTo(TenantStatus.SUSPENDED);
    }

    /** What they have imported is not known any more: kept sources would be imported again. */
    @Test
    void rebuild_withoutABackup_bringsWatchersBackDisabled() throws Exception {
        Path in = directory.resolveSibling("in");
        WatcherSpec kept = pool.watchers().add(WatcherSpec.ofTenant("kept", ACME, in)
                .withPostImport(new PostImport.Keep()).withLabels(Map.of("from", "in")).withMarker(Optional.of("-")));
        WatcherSpec all = pool.watchers().add(WatcherSpec.ofAllTenants("all", directory.resolveSibling("all"))
                .withPatterns(List.of("*.pdf", "a/b")).withPriority(3));
        pool.watchers().add(WatcherSpec.ofTenant("gone", ACME, directory.resolveSibling("gone")));
        pool.watchers().remove(new WatcherId("gone"));
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.watchers().list()).containsExactly(all.withEnabled(false), kept.withEnabled(false));
        assertThat(pool.recoveries().getFirst().unknown()).anyMatch(line -> line.startsWith("watcher kept is back"));
        pool.watchers().enable(kept.id());
        assertThat(pool.watchers().get(kept.id())).isEqualTo(kept);
    }

    @Test
    void rebuild_withABackup_hasWatchersAsTheyWereDecidedSince() throws Exception {
        WatcherSpec before = pool.watchers().add(WatcherSpec.ofTenant("before", ACME, directory.resolveSibling("in")));
        pool.watchers().add(WatcherSpec.ofTenant("gone", ACME, directory.resolveSibling("gone")));
        backup();
        WatcherSpec changed = pool.watchers().update(before.withPriority(7));
        pool.watchers().remove(new WatcherId("gone"));
        WatcherSpec since = pool.watchers().add(WatcherSpec.ofTenant("since", ACME,
                directory.resolveSibling("since")));
        closeAnd(Damage.DELETED);

        rebuild();

        assertThat(pool.watchers().list()).containsExactly(changed, since.withEnabled(false));
    }

    @Test
    void settings_afterEveryChange_areBesideTheDatabaseAndOnEveryVolume() throws Exception {
        Path beside = directory.resolve("entrepot.settings");
        Path onVolume = directory.resolve("files/.entrepot/settings");

        pool.tenants().setLimits(ACME, TenantLimits.NONE.withFiles(4711));
        eventually(() -> Files.exists(onVolume) && Files.readString(onVolume).contains("4711"));
        assertThat(Files.readString(beside)).isEqualTo(Files.readString(onVolume));
        pool.quotas().set(QuotaRule.of("acme/quoted", 1));
        eventually(() -> Files.readString(onVolume).contains("acme/quoted"));
        pool.quotas().remove("acme/quoted");
        eventually(() -> !Files.readString(onVolume).contains("acme/quoted"));
        pool.volumes().mount(VolumeSpec.of("another", directory.resolve("another")));
        eventually(() -> Files.exists(directory.resolve("another/.entrepot/settings")));
        pool.watchers().add(WatcherSpec.ofTenant("watched", ACME, directory.resolveSibling("in")));
        eventually(() -> Files.readString(onVolume).contains("watched"));
        pool.watchers().remove(new WatcherId("watched"));
        eventually(() -> !Files.readString(onVolume).contains("watched"));
        pool.tenants().create(new TenantId("last"));
        pool.close();

        assertThat(Files.readString(onVolume)).contains("last").isEqualTo(Files.readString(beside));
        for (Path file : List.of(beside, onVolume)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        }
        pool = Pool.open(config);
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

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
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
}

package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.Database;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import io.entrepot.posix.Stat;
import io.entrepot.store.Event;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nobody needs goes when its time has come, and not before. */
abstract class CleanupContract extends PoolContract {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration HOUR = Duration.ofHours(1);
    /** Among several processes. */
    private static final Duration LEAST = Duration.ofMinutes(10);
    private final AtomicBoolean cut = new AtomicBoolean();

    CleanupContract(PoolFixture fixture) {
        super(fixture);
    }

    @BeforeEach
    void beAbleToCut() throws Exception {
        pool.close();
        config = config.withPlatform(config.platform().withFaults(point -> {
            if (point == PoolFaults.Point.PLACED && cut.getAndSet(false)) {
                throw new IllegalStateException("cut");
            }
        }));
        pool = Pool.open(config);
    }

    /** The clock of a shared database is heard with every write, and one may have come while the clocks were being moved. */
    private void pass(Duration time) {
        clocks.pass(time);
        pool.tenants().enable(OTHER);
    }

    private void reopen(CleanupConfig cleanup) throws Exception {
        pool.close();
        config = config.withCleanup(cleanup);
        pool = Pool.open(config);
    }

    private String lastEvent(String type) {
        return pool.events().after(0, 1000).stream().filter(event -> event.type().equals(type)).map(Event::body)
                .reduce((_, last) -> last).orElseThrow();
    }

    private CleanupReport orphans(OrphanAction action, Duration age, boolean dryRun) throws Exception {
        if (age.isZero() && isShared()) {
            pool.cleanup().orphans(OrphanAction.REPORT, age, true).await();
            pass(LEAST);
        }
        return pool.cleanup().orphans(action, age, dryRun).await();
    }

    private boolean isShared() {
        return !(config.database() instanceof Database.Embedded);
    }

    /** Bytes of a file that is not in the books, as a crash before the commit leaves them. */
    private Path orphan(NewFile file, String content) throws Exception {
        List<Path> before = onDisk(ACME);
        cut.set(true);
        // With a key, since that is placed before it is made known.
        assertThatThrownBy(() -> write(ACME, file.withIdempotencyKey("of " + content), content)).hasMessage("cut");
        return onDisk(ACME).stream().filter(path -> !before.contains(path)).findFirst().orElseThrow();
    }

    @Test
    void permanentlyFailed_whenTheirTimeIsOver_goWithTheirBytes() throws Exception {
        FileKey early = write(ACME, "early");
        pool.work().failForGood(claim(ACME).lease(), "no");
        pass(Duration.ofDays(1));
        FileKey late = write(ACME, "late");
        pool.work().failForGood(claim(ACME).lease(), "no");
        FileKey waits = write(ACME, "waits");
        pass(Duration.ofDays(6).minusMillis(1));
        assertThat(pool.cleanup().permanentlyFailed(WEEK, false).await().counts().permanentlyFailedFilesRemoved())
                .isZero();
        pass(Duration.ofMillis(1));

        CleanupReport dry = pool.cleanup().permanentlyFailed(WEEK, true).await();
        assertThat(dry.counts().permanentlyFailedFilesRemoved()).isEqualTo(1);
        assertThat(dry.details()).singleElement().asString().contains(early.toString());
        assertThat(pool.files().get(ACME, early).status()).isEqualTo(FileStatus.PERMANENTLY_FAILED);
        CleanupReport report = pool.cleanup().permanentlyFailed(WEEK, false).await();

        assertThat(report.counts().permanentlyFailedFilesRemoved()).isEqualTo(1);
        assertThat(report.counts().spaceFreed()).isEqualTo(5);
        assertThat(pool.cleanup().statistics().permanentlyFailedFilesRemoved()).isEqualTo(1);
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key).containsExactly(late,
                waits);
        eventually(() -> onDisk(ACME).size() == 2);
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        assertThat(lastEvent("file.deleted")).contains("it had failed for good, and was kept for 7 days");
        assertThat(pool.history(ACME, early).gone().orElseThrow().why()).contains("kept for 7 days");
    }

    @Test
    void permanentlyFailed_ofATenantThatIsDisabled_stayUntilItIsEnabled() throws Exception {
        FileKey key = write(ACME, "failed");
        pool.work().failForGood(claim(ACME).lease(), "no");
        pool.tenants().disable(ACME);
        pass(WEEK);

        assertThat(pool.cleanup().permanentlyFailed(WEEK, true).await().counts().permanentlyFailedFilesRemoved())
                .isZero();
        assertThat(pool.cleanup().permanentlyFailed(WEEK, false).await().counts().permanentlyFailedFilesRemoved())
                .isZero();

        pool.tenants().enable(ACME);
        assertThat(read(ACME, key)).isEqualTo("failed");
        assertThat(pool.cleanup().permanentlyFailed(WEEK, false).await().counts().permanentlyFailedFilesRemoved())
                .isEqualTo(1);
    }

    @Test
    void permanentlyFailed_ofOneTenant_leaveThoseOfOthersAndWhatIsYounger() throws Exception {
        FileKey early = write(ACME, "early");
        pool.work().failForGood(claim(ACME).lease(), "no");
        FileKey others = write(OTHER, "other");
        pool.work().failForGood(claim(OTHER).lease(), "no");
        pass(Duration.ofDays(1));
        FileKey late = write(ACME, "late");
        pool.work().failForGood(claim(ACME).lease(), "no");

        CleanupReport dry = pool.cleanup().permanentlyFailed(ACME, Duration.ofHours(1), true).await();
        assertThat(dry.details()).singleElement().asString().contains(early.toString());
        assertThat(pool.files().find(ACME, early)).isPresent();
        CleanupReport report = pool.cleanup().permanentlyFailed(ACME, Duration.ofHours(1), false).await();

        assertThat(report.counts().permanentlyFailedFilesRemoved()).isEqualTo(1);
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key).containsExactly(late);
        assertThat(pool.files().find(OTHER, others)).isPresent();
        assertThat(pool.cleanup().permanentlyFailed(ACME, Duration.ZERO, false).await().counts()
                .permanentlyFailedFilesRemoved()).isEqualTo(1);
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void permanentlyFailed_ofATenantThatIsNotThereOrDisabled_saySo() throws Exception {
        pool.tenants().disable(ACME);
        for (TenantId tenant : List.of(ACME, new TenantId("nobody"))) {
            RunReport ended = DrainContract.ended(pool.cleanup().permanentlyFailed(tenant, Duration.ZERO, false).job());
            assertThat(ended.state()).isEqualTo(JobState.FAILED);
            assertThat(ended.error().orElseThrow()).contains(tenant.name());
        }
    }

    @Test
    void completedRecords_ofOneTenant_leaveThoseOfOthersAndWhatFailed() throws Exception {
        write(ACME, "kept");
        pool.work().completeAndKeep(claim(ACME).lease());
        FileKey failed = write(ACME, "failed");
        pool.work().failForGood(claim(ACME).lease(), "no");
        FileKey others = write(OTHER, "kept");
        pool.work().completeAndKeep(claim(OTHER).lease());

        assertThat(pool.cleanup().completedRecords(ACME, Duration.ZERO, true).await().counts()
                .completedRecordsRemoved()).isEqualTo(1);
        assertThat(pool.cleanup().completedRecords(ACME, Duration.ZERO, false).await().counts()
                .completedRecordsRemoved()).isEqualTo(1);

        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key).containsExactly(failed);
        assertThat(pool.files().find(OTHER, others)).isPresent();
    }

    @Test
    void completedRecords_whenThereIsNoExport_goWithTheirBytes() throws Exception {
        write(ACME, "kept");
        pool.work().completeAndKeep(claim(ACME).lease());
        pass(WEEK);

        assertThat(pool.cleanup().completedRecords(WEEK, false).await().counts().completedRecordsRemoved())
                .isEqualTo(1);

        assertThat(fileCount(ACME)).isZero();
        eventually(() -> onDisk(ACME).isEmpty());
    }

    @Test
    void completedRecords_inADryRun_areToldAndStay() throws Exception {
        Path export = directory.resolveSibling("export");
        reopen(CleanupConfig.DEFAULT.withCompletedRetention(Optional.of(WEEK), Optional.of(export)));
        FileKey key = write(ACME, "kept");
        pool.work().completeAndKeep(claim(ACME).lease());
        pass(WEEK);

        for (CleanupReport dry : List.of(pool.cleanup().completedRecords(WEEK, true).await(),
                pool.cleanup().run(true).await())) {
            assertThat(dry.counts().completedRecordsRemoved()).isEqualTo(1);
            assertThat(dry.counts().spaceFreed()).isEqualTo(4);
            assertThat(dry.details()).anyMatch(line -> line.contains(key.toString()));
        }

        assertThat(read(ACME, key)).isEqualTo("kept");
        assertThat(pool.files().get(ACME, key).status()).isEqualTo(FileStatus.COMPLETED);
        assertThat(export).doesNotExist();
        assertThat(events()).doesNotContain("file.deleted");
        assertThat(pool.cleanup().statistics().completedRecordsRemoved()).isZero();
    }

    @Test
    void compact_inADryRun_saysWhatIsKnownBefore() throws Exception {
        CompactionResult dry = pool.cleanup().compact(true).await();

        assertThat(dry.dryRun()).isTrue();
        assertThat(dry.databases()).isEqualTo(1);
        assertThat(dry.sizeBefore()).isPositive();
        assertThat(dry.unknown()).isEqualTo(isShared() ? 1 : 0);
        assertThat(events()).doesNotContain("pool.compacted");
        assertThat(pool.cleanup().statistics().databaseSpaceReclaimed()).isZero();
    }

    @Test
    void completedRecords_whenThereIsAnExport_goThereFirst() throws Exception {
        Path export = directory.resolveSibling("export");
        reopen(CleanupConfig.DEFAULT.withCompletedRetention(Optional.of(WEEK), Optional.of(export)));
        FileKey good = write(ACME, NewFile.named("a.txt"), "kept");
        String large = "x".repeat(200_000);
        FileKey second = write(ACME, large);
        FileKey bad = write(ACME, "bad");
        for (int i = 0; i < 3; i++) {
            pool.work().completeAndKeep(claim(ACME).lease());
        }
        Files.writeString(pool.files().get(ACME, bad).path().orElseThrow(), "BAD");
        pass(WEEK);

        CleanupReport report = pool.cleanup().run(false).await();

        assertThat(report.counts().completedRecordsRemoved()).isEqualTo(2);
        assertThat(report.problems()).singleElement().asString().contains(bad.toString());
        assertThat(Files.readString(export.resolve("acme").resolve(good + ".txt"), UTF_8)).isEqualTo("kept");
        assertThat(Files.readString(export.resolve("acme").resolve(second.toString()), UTF_8)).isEqualTo(large);
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key).containsExactly(bad);
        assertThat(pool.history(ACME, good).gone().orElseThrow().why()).contains(export.toString());
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void timedOutProcessing_whenLeasesRanOut_resetsTheFiles() throws Exception {
        FileKey key = write(ACME, "x");
        claim(ACME);
        pass(Duration.ofMinutes(30));

        CleanupReport dry = pool.cleanup().timedOutProcessing(true).await();
        assertThat(dry.counts().timedOutFilesReset()).isEqualTo(1);
        assertThat(dry.details()).singleElement().asString().contains("its lease has run out");
        assertThat(pool.cleanup().timedOutProcessing(TERM, true).await().counts().timedOutFilesReset())
                .as("a lease that has run out is nobody's to take away").isEqualTo(1);
        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.PROCESSING);
        assertThat(pool.cleanup().timedOutProcessing(false).await().counts().timedOutFilesReset()).isEqualTo(1);

        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.PENDING);
        assertThat(pool.cleanup().statistics().timedOutFilesReset()).isEqualTo(1);
    }

    @Test
    void timedOutProcessing_whenTheTimeoutIsShorter_takesFilesFromTheirWorkers() throws Exception {
        write(ACME, "1");
        FileKey second = write(ACME, "2");
        ClaimedFile slow = claim(ACME);
        pass(Duration.ofMinutes(10));
        ClaimedFile quick = claim(ACME);
        pool.work().renew(slow.lease());
        pass(Duration.ofSeconds(1));

        assertThat(pool.cleanup().timedOutProcessing(Duration.ofMinutes(10), true).await().counts()
                .timedOutFilesReset()).isEqualTo(1);
        pool.work().renew(slow.lease());
        assertThat(pool.cleanup().timedOutProcessing(Duration.ofMinutes(10), false).await().counts()
                .timedOutFilesReset()).isEqualTo(1);

        assertRefused(FileLeaseLostException.class, "pool.lease-lost", () -> pool.work().complete(slow.lease()));
        assertThat(lastEvent("file.reset")).contains("for too long");
        assertThat(pool.work().status(ACME, second)).isEqualTo(FileStatus.PROCESSING);
        pool.work().complete(quick.lease());
        assertThat(claim(ACME).key()).isEqualTo(slow.key());
    }

    @Test
    void orphans_whenTheyAreOldAndKnown_areDeleted() throws Exception {
        FileKey file = write(ACME, "a file");
        Path orphan = orphan(NewFile.unnamed(), "orphan");
        Files.writeString(orphan.getParent().resolve("notes.txt"), "not ours");

        assertThat(orphans(OrphanAction.DELETE, HOUR, false).counts().orphanedFilesRemoved()).isZero();
        pass(HOUR);
        reopen(); // known all the same
        assertThat(orphans(OrphanAction.REPORT, HOUR, false).details()).anyMatch(line -> line.contains(
                orphan.getFileName().toString()));
        CleanupReport dry = orphans(OrphanAction.DELETE, HOUR, true);
        assertThat(dry.counts().orphanedFilesRemoved()).isEqualTo(1);
        assertThat(dry.counts().strays()).isEqualTo(1);
        assertThat(orphan).exists();
        CleanupReport report = orphans(OrphanAction.DELETE, HOUR, false);

        assertThat(report.counts().orphanedFilesRemoved()).isEqualTo(1);
        assertThat(report.counts().spaceFreed()).isEqualTo(6);
        eventually(() -> !Files.exists(orphan));
        assertThat(lastEvent("file.orphan-removed")).contains("no file has these bytes");
        assertThat(orphan.getParent().resolve("notes.txt")).exists();
        assertThat(read(ACME, file)).isEqualTo("a file");
        assertThat(orphans(OrphanAction.DELETE, Duration.ZERO, false).counts().orphanedFilesRemoved()).isZero();
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void orphans_whenOtherProcessesMayBeWriting_areLeftForTenMinutesAtLeast() throws Exception {
        Path orphan = orphan(NewFile.unnamed(), "orphan");

        pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();
        pass(LEAST.minusMillis(1));
        long removed = pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await().counts()
                .orphanedFilesRemoved();

        assertThat(removed).isZero();
        if (isShared()) {
            assertThat(orphan).exists();
            pass(Duration.ofMillis(1));
            assertThat(pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await().counts()
                    .orphanedFilesRemoved()).isEqualTo(1);
        }
        eventually(() -> !Files.exists(orphan));
    }

    @Test
    void orphans_whenTheyAreNotKnownForLongEnough_stayHoweverOldTheyLook() throws Exception {
        Path orphan = orphan(NewFile.unnamed(), "orphan");

        assertThat(orphans(OrphanAction.DELETE, HOUR, false).counts().orphanedFilesRemoved()).isZero();
        pass(HOUR.minusMillis(1));
        assertThat(orphans(OrphanAction.DELETE, HOUR, false).counts().orphanedFilesRemoved()).isZero();
        assertThat(orphan).exists();
        pass(Duration.ofMillis(1));
        assertThat(orphans(OrphanAction.DELETE, HOUR, false).counts().orphanedFilesRemoved()).isEqualTo(1);
    }

    @Test
    void orphans_whenTheyAreImported_areHeldAndKnownAsTheyWere() throws Exception {
        NewFile said = NewFile.named("Rechnung.pdf").in("invoices").withPriority(3).withLabels(Map.of("k", "v"))
                .from("upload").withModified(Instant.parse("2001-02-03T04:05:06.789Z"));
        Path orphan = orphan(said, "content");
        FileKey key = FileKey.parse(orphan.getFileName().toString().substring(0, 32));
        Path damaged = orphan(NewFile.unnamed(), "content");
        Files.writeString(damaged, "CONTENT");
        assertThat(orphans(OrphanAction.IMPORT, Duration.ZERO, true).counts().orphanedFilesImported()).isEqualTo(2);
        assertThat(pool.tenants().usage(ACME).files()).isZero();

        CleanupReport report = orphans(OrphanAction.IMPORT, Duration.ZERO, false);

        assertThat(report.counts().orphanedFilesImported()).isEqualTo(1);
        assertThat(report.problems()).singleElement().asString().contains("its bytes are not those that were written");
        FileInfo file = pool.files().get(ACME, key);
        assertThat(file.status()).isEqualTo(FileStatus.HELD);
        assertThat(file.name()).contains("Rechnung.pdf");
        assertThat(file.directory()).isEqualTo(new LogicalDirectory("invoices"));
        assertThat(file.labels().all()).isEqualTo(Map.of("k", "v"));
        assertThat(file.priority()).isEqualTo(3);
        assertThat(file.modified()).isEqualTo(said.modified());
        assertThat(read(ACME, key)).isEqualTo("content");
        assertThat(pool.history(ACME, key).entries()).extracting(HistoryEntry::what).contains("rebuilt");
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(1);
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        pool.files().release(ACME, key);
        assertThat(claim(ACME).key()).isEqualTo(key);
        assertThat(orphans(OrphanAction.IMPORT, Duration.ZERO, false).counts().orphanedFilesImported()).isZero();
    }

    @Test
    void orphans_whenTheyWereCutShort_goAlsoWhereOthersAreImported() throws Exception {
        Path cutShort = orphan(NewFile.unnamed(), "half of it");
        Files.setAttribute(cutShort, "unix:mode", 0640 | Stat.UNFINISHED);
        Files.getFileAttributeView(cutShort, UserDefinedFileAttributeView.class).delete("entrepot");
        Path whole = orphan(NewFile.unnamed(), "whole");

        CleanupReport report = orphans(OrphanAction.IMPORT, Duration.ZERO, false);

        assertThat(report.counts().orphanedFilesImported()).isEqualTo(1);
        assertThat(report.counts().orphanedFilesRemoved()).isEqualTo(1);
        assertThat(report.problems()).isEmpty();
        eventually(() -> !Files.exists(cutShort));
        assertThat(whole).exists();
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(1);
    }

    /** Directories that are empty may just be on their way out. */
    private static boolean isWritten(Path path, String content) throws IOException {
        try {
            Files.createDirectories(path.getParent());
            Files.writeString(path, content);
            return true;
        } catch (NoSuchFileException | FileAlreadyExistsException e) {
            return false;
        }
    }

    @Test
    void orphans_whenTheFileIsOver_areNeverImported() throws Exception {
        FileKey key = write(ACME, "done");
        Path path = pool.files().get(ACME, key).path().orElseThrow();
        pool.work().complete(claim(ACME).lease());
        eventually(() -> onDisk(ACME).isEmpty());
        eventually(() -> isWritten(path, "done"));

        eventually(() -> { // as long as the first bytes are on their way out, these are taken for them
            orphans(OrphanAction.IMPORT, Duration.ZERO, false);
            return !Files.exists(path);
        });

        assertThat(pool.cleanup().statistics().orphanedFilesRemoved()).isEqualTo(1);
        assertThat(pool.cleanup().statistics().orphanedFilesImported()).isZero();
        assertThat(pool.tenants().usage(ACME).files()).isZero();
    }

    @Test
    void orphans_whenACopyWasLeftByAMove_goesUnlessItIsTheLast() throws Exception {
        FileKey key = write(ACME, "moved");
        Path old = pool.files().get(ACME, key).path().orElseThrow();
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        DrainContract.ended(pool.volumes().drain("main"));
        Path now = pool.files().get(ACME, key).path().orElseThrow();
        Files.createDirectories(old.getParent());
        Files.copy(now, old);
        Path aside = Files.move(now, directory.resolve("aside"));

        CleanupReport refused = orphans(OrphanAction.DELETE, Duration.ZERO, false);
        assertThat(refused.problems()).singleElement().asString().contains("may be the last");
        assertThat(old).exists();
        Files.move(aside, now);
        assertThat(orphans(OrphanAction.DELETE, Duration.ZERO, false).counts().orphanedFilesRemoved()).isEqualTo(1);

        eventually(() -> !Files.exists(old));
        assertThat(read(ACME, key)).isEqualTo("moved");
    }

    /** As by commands that are over before a volume is synced. What the one leaves the next one sees to, however short it is. */
    @Test
    void open_whenThePoolIsOnlyEverOpenForMoments_removesTheBytesOfFilesThatAreGone() throws Exception {
        config = config.withSyncEvery(Duration.ofHours(1));
        reopen();
        for (int i = 0; i < 3; i++) {
            write(ACME, "completed");
            pool.files().delete(ACME, write(ACME, "deleted"), "test");
            reopen();
            pool.work().complete(claim(ACME).lease());
            reopen();

            reopen();

            assertThat(onDisk(ACME)).isEmpty();
            assertThat(pool.backlog().doomed()).isZero();
        }
        FileKey key = write(ACME, "stays");
        assertThat(pool.backlog().redo()).as("it waits for others to share its sync").isEqualTo(1);
        reopen();
        reopen();
        assertThat(pool.backlog().redo()).isZero();
        assertThat(read(ACME, key)).isEqualTo("stays");
    }

    @Test
    void filesWithoutBytes_areToldAndRemovedOnlyIfAskedFor() throws Exception {
        pool.close();
        config = config.withSyncEvery(Duration.ofHours(1)).withRedoLimit(10);
        pool = Pool.open(config);
        FileKey inDatabase = write(ACME, "small");
        FileKey lost = write(ACME, "a larger one, which is not");
        FileKey there = write(ACME, "a third one, that is there");
        Files.delete(pool.files().get(ACME, inDatabase).path().orElseThrow());
        Files.delete(pool.files().get(ACME, lost).path().orElseThrow());

        CleanupReport told = pool.cleanup().filesWithoutBytes(false, false).await();
        assertThat(told.counts().filesWithoutBytes()).isEqualTo(1);
        assertThat(told.details()).singleElement().asString().contains(lost.toString());
        assertThat(read(ACME, inDatabase)).isEqualTo("small");
        assertThat(pool.cleanup().filesWithoutBytes(true, true).await().counts().filesWithoutBytesRemoved())
                .isEqualTo(1);
        assertThat(pool.files().find(ACME, lost)).isPresent();
        assertThat(pool.cleanup().filesWithoutBytes(true, false).await().counts().filesWithoutBytesRemoved())
                .isEqualTo(1);

        assertThat(pool.files().list(FileQuery.of(ACME)).files()).extracting(FileInfo::key)
                .containsExactly(inDatabase, there);
        assertThat(pool.history(ACME, lost).gone().orElseThrow().why()).isEqualTo("its bytes are gone");
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    @Test
    void forgetOld_whenTheTimeIsOver_forgetsFilesKeysAndEvents() throws Exception {
        NewFile named = NewFile.unnamed().withIdempotencyKey("once");
        NewFile stays = NewFile.unnamed().withIdempotencyKey("stays");
        FileKey kept = write(ACME, stays, "stays");
        FileKey gone = write(ACME, named, "x");
        pool.files().delete(ACME, gone, "test");
        pass(Duration.ofDays(6));
        pool.cleanup().forgetOld(false).await();
        assertThat(pool.history(ACME, gone).gone()).isPresent();
        assertThat(write(ACME, named, "x")).isEqualTo(gone);
        pass(Duration.ofDays(2));

        CleanupReport dry = pool.cleanup().forgetOld(true).await();
        assertThat(pool.history(ACME, gone).gone()).isPresent();
        assertThat(pool.events().after(0, 1000)).extracting(Event::type).contains("tenant.created");
        CleanupReport report = pool.cleanup().forgetOld(false).await();

        assertThat(report.counts().recordsForgotten()).isGreaterThan(2);
        assertThat(dry.counts()).as("files, keys and events").isEqualTo(report.counts());
        assertThat(pool.jobs().get(new JobName("cleanup-forget")).run().orElseThrow().progress().done())
                .isEqualTo(report.counts().recordsForgotten());
        assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.history(ACME, gone));
        StoredFile again = pool.files().write(ACME, named, "x".getBytes(UTF_8));
        assertThat(again.created()).isTrue();
        assertThat(write(ACME, stays, "stays")).isEqualTo(kept);
        assertThat(pool.events().after(0, 1000)).extracting(Event::type).contains("file.written")
                .doesNotContain("tenant.created", "file.deleted");
    }

    @Test
    void run_whenOnePartFails_doesTheOthers() throws Exception {
        Path export = Files.writeString(directory.resolveSibling("export"), "not a directory");
        reopen(CleanupConfig.DEFAULT.withCompletedRetention(Optional.of(Duration.ZERO), Optional.of(export)));
        write(ACME, "kept");
        pool.work().completeAndKeep(claim(ACME).lease());
        write(ACME, "failed");
        pool.work().failForGood(claim(ACME).lease(), "no");
        Path empty = Files.createDirectories(directory.resolve("files/acme/00/11"));
        pass(WEEK);

        CleanupReport report = pool.cleanup().run(false).await();

        assertThat(report.problems()).singleElement().asString().contains("export");
        assertThat(report.counts().permanentlyFailedFilesRemoved()).isEqualTo(1);
        assertThat(report.counts().emptyDirectoriesRemoved()).isPositive();
        assertThat(empty).doesNotExist();
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).hasSize(1);
    }
}

package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CompactionResult;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.store.Event;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Cleaning, where the kind of database does not matter. */
class CleanupTest extends PoolContract {
    private static final JobName CLEANUP = new JobName("cleanup");
    private static final JobName COMPACT = new JobName("compact");
    private static final Duration LONG = Duration.ofDays(36_500);

    CleanupTest() {
        super(PoolFixture.SQLITE);
    }

    private void reopen(CleanupConfig cleanup) throws Exception {
        pool.close();
        config = config.withCleanup(cleanup);
        pool = Pool.open(config);
    }

    @Test
    void orphans_whenEightWriteAndMoveAllTheTime_takesNothingThatWasAcknowledged() throws Exception {
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        Map<FileKey, String> written = new ConcurrentHashMap<>();
        AtomicBoolean over = new AtomicBoolean();
        Crowd<Boolean> writers = Crowd.start(8, caller -> {
            for (int i = 0; i < 60; i++) {
                String content = (i % 10 == 0 ? "x".repeat(70_000) : "") + caller + " " + i;
                written.put(write(ACME, content), content);
                if (i % 4 == 0) {
                    for (ClaimedFile claimed : pool.work().claim(ACME, "w" + caller).stream().toList()) {
                        pool.work().complete(claimed.lease());
                        written.remove(claimed.key());
                    }
                }
            }
            return true;
        });
        Crowd<Long> scans = Crowd.start(1, _ -> {
            long removed = 0;
            for (int i = 0; !over.get() || i < 3; i++) {
                // No minimum age: nothing but the order of things protects what is being written.
                CleanupReport report = pool.cleanup().orphans(i % 2 == 0 ? OrphanAction.DELETE : OrphanAction.IMPORT,
                        Duration.ZERO, false).await();
                assertThat(report.problems()).isEmpty();
                removed += report.counts().orphanedFilesRemoved() + report.counts().orphanedFilesImported();
            }
            return removed;
        });
        Crowd<Boolean> mover = Crowd.start(1, _ -> {
            for (String volume = "main"; !over.get(); volume = volume.equals("main") ? "second" : "main") {
                DrainContract.ended(pool.volumes().drain(volume));
                pool.volumes().activate(volume);
            }
            return true;
        });
        writers.results();
        clocks.pass(Duration.ofSeconds(1)); // what was claimed ahead for the workers waits for them no longer
        pool.tick();
        over.set(true);
        mover.results();

        assertThat(scans.results()).containsExactly(0L);
        assertThat(pool.files().list(FileQuery.of(ACME).withLimit(1000)).files()).hasSize(written.size());
        for (Map.Entry<FileKey, String> file : written.entrySet()) {
            assertThat(read(ACME, file.getKey())).isEqualTo(file.getValue());
        }
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
        assertThat(pool.cleanup().filesWithoutBytes(false, false).await().counts().filesWithoutBytes()).isZero();
    }

    @Test
    void orphans_whenTheyAreYoungByTheClockOfTheStorage_stayHoweverLongTheyAreKnown() throws Exception {
        Path orphan = Files.createDirectories(directory.resolve("files/acme/00/00"))
                .resolve(new FileKey(1, 1).toString());
        Files.writeString(orphan, "x");
        Duration hour = Duration.ofHours(1);
        pool.cleanup().orphans(OrphanAction.DELETE, hour, true).await();
        clocks.pass(hour);
        pool.close();
        Instant early = Instant.parse("2001-01-01T00:00:00Z"); // files are younger than that
        pool = Pool.open(config.withPlatform(config.platform()
                .withStore(config.platform().store().withClocks(() -> early, clocks.ticker))));

        assertThat(pool.cleanup().orphans(OrphanAction.DELETE, hour, false).await().counts().orphanedFilesRemoved())
                .isZero();
        reopen();
        assertThat(pool.cleanup().orphans(OrphanAction.DELETE, hour, false).await().counts().orphanedFilesRemoved())
                .isEqualTo(1);
    }

    @Test
    void orphans_whenTheTenantIsUnknown_areDeletedAndNotImported() throws Exception {
        TenantId gone = new TenantId("gone");
        pool.tenants().create(gone);
        FileKey key = write(gone, "x");
        Path path = pool.files().get(gone, key).path().orElseThrow();
        pool.tenants().delete(gone, true);
        eventually(() -> !Files.exists(path));
        eventually(() -> {
            try {
                Files.createDirectories(path.getParent());
                Files.writeString(path, "x");
                return true;
            } catch (NoSuchFileException e) {
                return false; // the empty directories are just being removed
            }
        });

        assertThat(pool.cleanup().orphans(OrphanAction.IMPORT, Duration.ZERO, false).await().problems())
                .allMatch(problem -> problem.contains("there is no such tenant"));
        assertThat(path).exists();
        eventually(() -> {
            pool.cleanup().orphans(gone, OrphanAction.DELETE, Duration.ZERO, false).await();
            return !Files.exists(path);
        });
    }

    @Test
    void emptyDirectories_whenSomeAreProtected_theyStay() throws Exception {
        reopen(CleanupConfig.DEFAULT.withProtectedDirectories(List.of("acme/aa/*", "other")));
        Path files = directory.resolve("files");
        for (String path : List.of("acme/aa/bb", "acme/aa", "acme/cc/dd", "acme/ee", "other/11/22")) {
            Files.createDirectories(files.resolve(path));
        }
        FileKey key = write(OTHER, "x");
        Path parent = pool.files().get(OTHER, key).path().orElseThrow().getParent();

        assertThat(pool.cleanup().emptyDirectories(true).await().counts().emptyDirectoriesRemoved()).isEqualTo(5);
        assertThat(files.resolve("acme/cc/dd")).exists();
        assertThat(pool.cleanup().emptyDirectories(ACME, false).await().counts().emptyDirectoriesRemoved())
                .isEqualTo(3);
        assertThat(files.resolve("acme/aa/bb")).exists();
        assertThat(files.resolve("acme/cc")).doesNotExist();
        assertThat(files.resolve("other/11/22")).exists();
        assertThat(pool.cleanup().emptyDirectories(false).await().counts().emptyDirectoriesRemoved()).isEqualTo(2);
        assertThat(bodies("volume.directories-removed")).containsExactly(
                "{\"directories\":3,\"why\":\"they were empty\"}", "{\"directories\":2,\"why\":\"they were empty\"}");
        pool.files().delete(OTHER, key, "test");

        eventually(() -> !Files.exists(parent));
        assertThat(files.resolve("other")).exists();
        pool.volumes().sync(); // then the keeper's round is over
        assertThat(pool.cleanup().statistics().emptyDirectoriesRemoved()).isEqualTo(5 + 2);
        assertThat(bodies("volume.directories-removed")).last()
                .isEqualTo("{\"directories\":2,\"why\":\"their last file was removed\"}");
    }

    private List<String> bodies(String type) {
        return pool.events().after(0, 1000).stream().filter(event -> event.type().equals(type)).map(Event::body)
                .toList();
    }

    /** Something that is done at a point, from outside of the pool. */
    private void at(PoolFaults.Point point, Runnable what) throws Exception {
        pool.close();
        config = config.withPlatform(config.platform().withFaults(now -> {
            if (now == point) {
                what.run();
            }
        }));
        pool = Pool.open(config);
    }

    @Test
    void delete_whenTheSyncAfterItFails_tellsOfTheDirectoriesAllTheSame() throws Exception {
        AtomicBoolean failing = new AtomicBoolean();
        at(PoolFaults.Point.BEFORE_SYNC, () -> {
            if (failing.get()) {
                throw new IllegalStateException("cut");
            }
        });
        FileKey key = write(ACME, "x");
        pool.volumes().sync();
        failing.set(true);
        pool.files().delete(ACME, key, "test");

        eventually(() -> !Files.exists(directory.resolve("files/acme")));

        eventually(() -> bodies("volume.directories-removed")
                .equals(List.of("{\"directories\":3,\"why\":\"their last file was removed\"}")));
        failing.set(false);
        pool.volumes().sync();
        assertThat(bodies("volume.directories-removed")).hasSize(1);
    }

    @Test
    void temporaryFiles_whenTheyAreOldAndNoUpload_go() throws Exception {
        Path incoming = directory.resolve("files/.entrepot/incoming");
        UploadId begun = pool.uploads().begin(ACME, NewFile.unnamed());
        pool.uploads().append(ACME, begun, 0, "upload".getBytes(StandardCharsets.UTF_8));
        Path upload;
        try (Stream<Path> files = Files.list(incoming)) {
            upload = files.findFirst().orElseThrow();
        }
        Path left = Files.writeString(incoming.resolve("00000000000000aa-1"), "left");

        assertThat(pool.cleanup().temporaryFiles(LONG, false).await().counts().temporaryFilesRemoved()).isZero();
        assertThat(pool.cleanup().temporaryFiles(Duration.ofDays(1), true).await().counts().temporaryFilesRemoved())
                .isEqualTo(1);
        assertThat(left).exists();
        CleanupReport report = pool.cleanup().temporaryFiles(Duration.ofDays(1), false).await();

        assertThat(report.counts().temporaryFilesRemoved()).isEqualTo(1);
        assertThat(report.counts().spaceFreed()).isEqualTo(4);
        assertThat(left).doesNotExist();
        assertThat(upload).exists();
        assertThat(events()).contains("volume.temporary-removed");
    }

    @Test
    void cleanup_whenAnHourIsOver_runsByItself() throws Exception {
        write(ACME, "x");
        pool.work().failForGood(claim(ACME).lease(), "no");
        clocks.pass(Duration.ofDays(7));
        pool.tick();

        eventually(() -> pool.jobs().get(CLEANUP).state() == JobState.DONE);

        assertThat(fileCount(ACME)).isZero();
        assertThat(pool.jobs().get(CLEANUP).lastResult()).hasValueSatisfying(
                text -> assertThat(text).contains("1 permanently failed"));
        clocks.pass(Duration.ofMinutes(59));
        pool.tick();
        assertThat(pool.jobs().get(CLEANUP).runs()).isEqualTo(1);
    }

    @Test
    void compact_whenItIsDue_runsAlthoughThePoolWasOpenedAgainSince() throws Exception {
        for (int i = 0; i < 6; i++) {
            clocks.pass(Duration.ofDays(1));
            reopen();
            assertThat(pool.jobs().get(COMPACT).state()).isEqualTo(JobState.WAITING);
        }
        clocks.pass(Duration.ofDays(1).plusMinutes(1));
        pool.tick();

        eventually(() -> pool.jobs().get(COMPACT).state() == JobState.DONE);
        assertThat(events()).contains("pool.compacted");
    }

    @Test
    void compact_whenMuchWasDeleted_givesSpaceBack() throws Exception {
        TenantId apart = new TenantId("apart");
        pool.tenants().createWithShard(apart, TenantLimits.NONE);
        Crowd.run(8, _ -> {
            for (int i = 0; i < 40; i++) {
                write(ACME, "x".repeat(60_000));
            }
            return true;
        });
        pool.tenants().delete(ACME, true);
        eventually(() -> onDisk(ACME).isEmpty());

        CompactionResult dry = pool.cleanup().compact(true).await();
        assertThat(dry.spaceReclaimed()).isGreaterThan(1_000_000);
        CompactionResult result = pool.cleanup().compact().await();

        assertThat(result.databases()).isEqualTo(2);
        assertThat(result.spaceReclaimed()).isCloseTo(dry.spaceReclaimed(), withinPercentage(20));
        assertThat(result.problems()).isEmpty();
        assertThat(result.sizeAfter()).isLessThan(result.sizeBefore());
        assertThat(result.percentReclaimed()).isBetween(1.0, 100.0);
        assertThat(pool.cleanup().statistics().databaseSpaceReclaimed()).isEqualTo(result.spaceReclaimed());
    }

    @Test
    void orphans_whenAMoveIsUnderWay_leaveItsCopyAlone() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        pool.close();
        config = config.withPlatform(config.platform().withFaults(point -> {
            if (point == PoolFaults.Point.MOVE_COPIED) {
                inside.countDown();
                await(goOn);
            }
        }));
        pool = Pool.open(config);
        write(ACME, "so that the drain does not end");
        claim(ACME);
        FileKey key = write(ACME, "x");
        pool.volumes().mount(VolumeSpec.of("second", directory.resolve("second")));
        JobHandle drain = pool.volumes().drain("main");
        await(inside);

        // The copy has a name on the second volume, and no row names it: the scan must see it and leave it.
        CleanupReport report = pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await();
        assertThat(report.counts().orphanedFilesRemoved()).isZero();
        drain.cancel();
        goOn.countDown();

        assertThat(DrainContract.ended(drain).state()).isEqualTo(JobState.CANCELLED);
        assertThat(read(ACME, key)).isEqualTo("x");
        assertThat(pool.volumes().get("second").files()).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void settings_whenTheyMakeNoSense_areRefused() {
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> CleanupConfig.DEFAULT.withEvery(Optional.of(Duration.ZERO)));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> CleanupConfig.DEFAULT.withFailedRetention(Duration.ofDays(-1)));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting",
                () -> CleanupConfig.DEFAULT.withProtectedDirectories(List.of("/acme/")));
    }
}

package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupRun;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Cleaning that is stopped, or fails, in the middle of it: it ends, and all that was done until then is told and counted. */
class CleanupCancelTest extends PoolContract {
    private static final HookedCalls.Hook NOTHING = (_, _) -> true;

    private volatile HookedCalls.Hook hook = NOTHING;

    CleanupCancelTest() {
        super(PoolFixture.SQLITE);
    }

    @BeforeEach
    void hookCalls() throws Exception {
        config = config.withPlatform(config.platform().withCalls(new HookedCalls(new HookedCalls.Hook() {
            @Override
            public boolean before(String call, BytePath directory) throws PosixException {
                return hook.before(call, directory);
            }

            @Override
            public void after(String call, BytePath directory) {
                hook.after(call, directory);
            }
        })));
        reopen();
    }

    /** At the first call in there, or below. */
    private void cancelWithin(Path directory, String job) {
        hook = (_, path) -> {
            if (path.toString().startsWith(directory.toString())) {
                pool.jobs().cancel(new JobName(job));
            }
            return true;
        };
    }

    private static CleanupReport cancelled(CleanupRun<CleanupReport> run) throws InterruptedException {
        CleanupReport report = run.await();
        assertThat(run.job().report().state()).isEqualTo(JobState.CANCELLED);
        return report;
    }

    private List<String> removals() {
        return pool.events().after(0, 1000).stream().filter(event -> event.type()
                .equals("volume.directories-removed")).map(Event::body).toList();
    }

    private void makeEmptyDirectories() throws Exception {
        for (int i = 0; i < 5; i++) {
            Files.createDirectories(directory.resolve("files/acme/0" + i));
        }
    }

    @Test
    void emptyDirectories_whenCancelled_areCountedAndToldAsFarAsTheyWent() throws Exception {
        makeEmptyDirectories();
        AtomicInteger removed = new AtomicInteger();
        hook = new HookedCalls.Hook() {
            @Override
            public boolean before(String call, BytePath path) {
                return true;
            }

            @Override
            public void after(String call, BytePath path) {
                if (call.equals("removeDirectory") && removed.incrementAndGet() == 3) {
                    pool.jobs().cancel(new JobName("cleanup-empty-directories"));
                }
            }
        };
        CleanupRun<CleanupReport> run = pool.cleanup().emptyDirectories(false);

        assertThat(cancelled(run).counts().emptyDirectoriesRemoved()).isEqualTo(3);
        assertThat(run.job().report().progress().done()).isEqualTo(3);
        assertThat(removals()).containsExactly("{\"directories\":3,\"why\":\"they were empty\"}");
        assertThat(pool.cleanup().statistics().emptyDirectoriesRemoved()).isEqualTo(3);
        assertThat(pool.cleanup().emptyDirectories(false).await().counts().emptyDirectoriesRemoved()).isEqualTo(3);
    }

    @Test
    void emptyDirectories_whenTheVolumeFailsMidway_areToldAsFarAsTheyWent() throws Exception {
        makeEmptyDirectories();
        AtomicInteger tried = new AtomicInteger();
        hook = (call, path) -> {
            if (call.equals("removeDirectory") && tried.incrementAndGet() == 3) {
                throw new PosixException(call, path.toString(), Errno.EIO);
            }
            return true;
        };

        CleanupReport report = pool.cleanup().emptyDirectories(false).await();

        assertThat(report.problems()).hasSize(1);
        assertThat(report.counts().emptyDirectoriesRemoved()).isEqualTo(2);
        assertThat(removals()).containsExactly("{\"directories\":2,\"why\":\"they were empty\"}");
    }

    @Test
    void delete_whenTheVolumeFailsAboveTheDirectory_tellsOfTheDirectoryAllTheSame() throws Exception {
        FileKey key = write(ACME, "x");
        pool.volumes().sync();
        AtomicInteger tried = new AtomicInteger();
        hook = (call, path) -> {
            if (call.equals("removeDirectory") && tried.incrementAndGet() == 2) {
                throw new PosixException(call, path.toString(), Errno.EIO);
            }
            return true;
        };

        pool.files().delete(ACME, key, "test");

        eventually(() -> removals().equals(List.of("{\"directories\":1,\"why\":\"their last file was removed\"}")));
    }

    @Test
    void orphans_whenCancelled_areGoneOnTheVolumesThatWereDoneAndStayOnTheOthers() throws Exception {
        Path second = directory.resolve("second");
        pool.volumes().mount(VolumeSpec.of("second", second));
        Path here = orphan(directory.resolve("files"), 1);
        Path there = orphan(second, 2);
        cancelWithin(second.resolve("acme"), "orphans");

        CleanupReport report = cancelled(pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false));

        assertThat(report.counts().orphanedFilesRemoved()).isEqualTo(1);
        eventually(() -> !Files.exists(here));
        assertThat(there).exists();
        hook = NOTHING;
        assertThat(pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false).await().counts()
                .orphanedFilesRemoved()).isEqualTo(1);
        eventually(() -> !Files.exists(there));
        assertThat(pool.cleanup().statistics().orphanedFilesRemoved()).isEqualTo(2);
    }

    private static Path orphan(Path volume, long number) throws Exception {
        return Files.writeString(Files.createDirectories(volume.resolve("acme/00/00"))
                .resolve(new FileKey(number, 1).toString()), "x");
    }

    @Test
    void completedRecords_whenCancelledWhileTheyAreExported_stayAndGoTheNextTime() throws Exception {
        Path export = directory.resolveSibling("export");
        pool.close();
        config = config.withCleanup(
                CleanupConfig.DEFAULT.withCompletedRetention(Optional.of(Duration.ZERO), Optional.of(export)));
        pool = Pool.open(config);
        for (int i = 0; i < 3; i++) {
            write(ACME, "kept " + i);
            pool.work().completeAndKeep(claim(ACME).lease());
        }
        cancelWithin(export, "cleanup-completed");

        CleanupReport report = cancelled(pool.cleanup().completedRecords(Duration.ZERO, false));

        assertThat(report.counts().completedRecordsRemoved()).isZero();
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(3);
        hook = NOTHING;
        assertThat(pool.cleanup().completedRecords(Duration.ZERO, false).await().counts().completedRecordsRemoved())
                .isEqualTo(3);
        try (var files = Files.list(export.resolve("acme"))) {
            assertThat(files).hasSize(3);
        }
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }
}

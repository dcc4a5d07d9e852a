package io.entrepot.chaos.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.chaos.ChaosRuns;
import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.HookedCalls;
import io.entrepot.lab.LabDisk;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.queue.Queues;
import io.entrepot.store.Counter;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Faults;
import io.entrepot.store.Owner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chaos is worth something only if it finds the bugs it is there for. Here they are, one at a time. */
class SeededBugsTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Token TOKEN = new Token("test", 2, 30_000);

    private final History history = new History();
    private final Recorder recorder = history.recorder("test");
    private final AtomicBoolean dead = new AtomicBoolean();
    private Place place;

    @BeforeEach
    void makePlace(@TempDir Path directory) throws Exception {
        place = Place.create();
        place.lieOn(directory.resolve("first"), directory.resolve("second"));
    }

    @AfterEach
    void forgetPlace() throws Exception {
        place.forget();
    }

    @Test
    void powerCuts_whenCommitsDoNotSync_areFoundOut() throws Exception {
        assertThat(cuts(Bug.COMMITS_DO_NOT_SYNC)).anyMatch(text -> text.contains("NOTHING_LOST"));
    }

    @Test
    void powerCuts_whenRowsGoBeforeTheVolumeIsSynced_areFoundOut() throws Exception {
        assertThat(cuts(Bug.VOLUMES_DO_NOT_SYNC)).anyMatch(text -> text.contains("cannot be read"));
    }

    private static List<String> cuts(Bug bug) throws Exception {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
        return ChaosRuns.run(12, run -> new CrashRounds(run, bug, CrashRounds.Death.CUT).run()).violations();
    }

    @Test
    void crashes_whenNothingIsWrong_findNothing() throws Exception {
        ChaosRuns.Finding finding = ChaosRuns.run(9, run -> new CrashRounds(run, Bug.NONE, CrashRounds.Death.values())
                .run());
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.checks()).isPositive();
    }

    @Test
    void write_whenItIsAcknowledgedBeforeTheCommit_isFoundOut() throws Exception {
        try (Pool pool = Pool.open(dying())) {
            dead.set(true);
            workload(pool, Bug.ANSWERS_FIRST).write(TOKEN);
        }
        assertThat(violations()).anyMatch(text -> text.contains("NOTHING_LOST"));
    }

    @Test
    void complete_whenItUnlinksBeforeTheCommit_isFoundOut() throws Exception {
        try (Pool pool = Pool.open(dying())) {
            PoolWorkload workload = workload(pool, Bug.UNLINKS_FIRST);
            workload.write(TOKEN);
            ClaimedFile claimed = pool.work().claim(TOKEN.tenant(), "test").orElseThrow();
            dead.set(true);
            assertThatThrownBy(() -> workload.end(Call.Step.Kind.FINISH, claimed, false))
                    .isInstanceOf(PoolException.class);
        }
        assertThat(violations()).anyMatch(text -> text.contains("cannot be read"));
    }

    @Test
    void complete_whenItsBytesStay_isFoundOut() throws Exception {
        AtomicInteger unlinks = new AtomicInteger();
        AtomicInteger syncs = new AtomicInteger();
        PoolConfig config = place.config(Duration.ofMillis(1));
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (call.equals("syncFileSystem")) {
                syncs.incrementAndGet();
            }
            boolean unlink = call.equals("unlink") && !directory.toString().contains(".entrepot");
            unlinks.addAndGet(unlink ? 1 : 0);
            return !unlink;
        });
        try (Pool pool = Pool.open(config.withPlatform(config.platform().withCalls(calls)))) {
            PoolWorkload workload = workload(pool, Bug.NONE);
            workload.write(TOKEN);
            remove(pool);
            // Two more rounds of each of the three keepers: by then the row that doomed it is gone.
            int enough = Integer.MAX_VALUE;
            for (int number = 10; syncs.get() < enough; number += 2) {
                workload.write(new Token("test", number, 10));
                enough = enough == Integer.MAX_VALUE && unlinks.get() > 0 ? syncs.get() + 9 : enough;
            }
        }
        assertThat(violations()).anyMatch(text -> text.contains("belong to no file"));
    }

    @Test
    void quota_whenItIsCountedTwice_isFoundOut() throws Exception {
        written();
        PoolConfig config = place.config(LONG);
        try (DataDirectory data = DataDirectory.open(config.directory(),
                config.platform().store().withSchemas(List.of(Queues.SCHEMA, Pool.SCHEMA)))) {
            data.main().write(Owner.SYSTEM, tx -> {
                long tenant = tx.first("SELECT id FROM tenant WHERE name = 'acme'", row -> row.getLong(1))
                        .orElseThrow();
                tx.add(new Counter("pool.files", tenant), 1);
                return true;
            });
        }
        assertThat(violations()).anyMatch(text -> text.contains("counts")).anyMatch(text -> text.contains("corrected"));
    }

    @Test
    void bytes_whenTheyChange_areFoundOut() throws Exception {
        written();
        try (Pool pool = Pool.open(place.config(LONG))) {
            Files.write(only(pool).path().orElseThrow(), new byte[]{'x'}, StandardOpenOption.WRITE);
        }
        assertThat(violations()).anyMatch(text -> text.contains("bytes"));
    }

    @Test
    void file_whenItWasCompletedAndComesBack_isFoundOut() throws Exception {
        written();
        try (Pool pool = Pool.open(place.config(LONG))) {
            remove(pool);
            pool.files().write(TOKEN.tenant(), TOKEN.file(), TOKEN.content()); // as if its row had stayed
        }
        assertThat(violations()).anyMatch(text -> text.contains("FINISHED_STAYS_FINISHED"));
    }

    @Test
    void file_whenNothingIsWrong_isNotAccused() throws Exception {
        written();
        assertThat(violations()).isEmpty();
    }

    /** Fails every commit when it is dead, as if the process were. */
    private PoolConfig dying() {
        PoolConfig config = place.config(LONG);
        Faults faults = point -> {
            if (point == Faults.Point.COMMIT && dead.get()) {
                throw new IllegalStateException("dead");
            }
        };
        return config.withPlatform(
                config.platform().withStore(config.platform().store().withFaults(faults)));
    }

    private void remove(Pool pool) {
        long number = recorder.began("test", new Call.Remove(TOKEN.word()));
        pool.files().delete(TOKEN.tenant(), only(pool).key(), "test");
        recorder.ended(number, new Answer.Removed());
    }

    private PoolWorkload workload(Pool pool, Bug bug) {
        return new PoolWorkload("test", pool, recorder, new Random(1), LONG, () -> {}, _ -> {}, bug, Set.of());
    }

    private void written() throws Exception {
        try (Pool pool = Pool.open(place.config(LONG))) {
            workload(pool, Bug.NONE).write(TOKEN);
        }
    }

    private static FileInfo only(Pool pool) {
        return pool.files().list(FileQuery.of(TOKEN.tenant())).files().getFirst();
    }

    private List<String> violations() throws Exception {
        return ChaosRuns.run(1, run -> new Inspection(run, history, "a seeded bug", false, false).of(place))
                .violations();
    }
}

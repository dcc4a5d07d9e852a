package io.entrepot.chaos.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.chaos.ChaosRuns;
import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.HookedCalls;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.PowerCut;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFaults;
import io.entrepot.queue.Queues;
import io.entrepot.store.Counter;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Faults;
import io.entrepot.store.Owner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chaos is worth something only if it finds the bugs it is there for. Here they are, one at a time. That it finds nothing where nothing
 * is wrong is what {@code .ci/run} asks of {@code ./entrepot chaos pool --short}.
 */
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
        assertFoundByCuts(Bug.COMMITS_DO_NOT_SYNC,
                text -> text.contains("NOTHING_LOST") || text.contains("cannot be opened"));
    }

    @Test
    void powerCuts_whenRowsGoBeforeTheVolumeIsSynced_areFoundOut() throws Exception {
        assertFoundByCuts(Bug.VOLUMES_DO_NOT_SYNC, text -> text.contains("cannot be read"));
    }

    private static void assertFoundByCuts(Bug bug, Predicate<String> isIt) throws Exception {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
        assertThat(ChaosRuns.search(isIt, 12, run -> new CrashRounds(run, bug, CrashRounds.Death.CUT).run()))
                .anyMatch(isIt);
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
    void import_whenItsSourceGoesBeforeItsRecord_isFoundOut() throws Exception {
        PoolConfig config = dying();
        PoolFaults removing = point -> {
            if (point == PoolFaults.Point.PLACED) {
                dead.set(true);
                sources().forEach(SeededBugsTest::delete);
            }
        };
        try (Pool pool = Pool.open(config.withPlatform(config.platform().withFaults(removing)))) {
            assertThat(pool.watchers().list()).hasSize(2);
            send(1);
            await(() -> dead.get() && sources().isEmpty());
        }
        assertThat(violations()).anyMatch(text -> text.contains("NOTHING_LOST"))
                .anyMatch(text -> text.contains("1 to 1 sources were sent, and 0 imported"));
    }

    @Test
    void import_whenItHappensTwice_isFoundOut() throws Exception {
        Token token = send(1);
        try (Pool pool = Pool.open(place.config(LONG))) {
            await(() -> sources().isEmpty());
            Path folder = place.folder(Place.IN).resolve(token.folder());
            Files.write(folder.resolve(token.name()), token.content()); // as if its record had been lost
            await(() -> pool.watchers().status(Place.IN).importedFiles() == 2);
        }
        assertThat(violations()).anyMatch(text -> text.contains("is there 2 times"));
    }

    @Test
    void import_whenASourceThatIsToStayGoes_isFoundOut() throws Exception {
        Token token = send(5);
        delete(place.folder(Place.KEPT).resolve(token.folder()).resolve(token.name()));
        assertThat(violations()).anyMatch(text -> text.contains("was to stay and is gone"));
    }

    @Test
    void import_whenNothingIsWrong_isNotAccused() throws Exception {
        send(1);
        send(5);
        assertThat(violations()).isEmpty();
    }

    @Test
    void slowCopies_whenAgeIsTooShort_areFoundOut() throws Exception {
        Predicate<String> isIt = text -> text.contains("slow copy");
        assertThat(ChaosRuns.search(isIt, 1, run -> new SlowRounds(run, Duration.ofMillis(1)).run())).anyMatch(isIt);
    }

    @Test
    void orphanScan_whenItKnowsOfNoWriters_isFoundOut() throws Exception {
        Predicate<String> isIt = text -> text.contains("orphans were there");
        assertThat(ChaosRuns.search(isIt, 1, run -> new OrphanRounds(run, Bug.SCANS_IGNORE_WRITES).run()))
                .anyMatch(isIt);
    }

    @Test
    void drain_whenItDoesNotSync_isFoundOut() throws Exception {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
        assertThat(drainedAndCut(false)).anyMatch(text -> text.contains("cannot be read"));
        assertThat(drainedAndCut(true)).isEmpty();
    }

    /** What a power cut leaves right after a drain has ended. */
    private static List<String> drainedAndCut(boolean sync) throws Exception {
        History its = new History();
        Place moved = Place.create();
        try (LabDisk first = LabDisk.create(DiskOptions.forCuts());
                LabDisk second = LabDisk.create(DiskOptions.forCuts())) {
            moved.lieOn(first.root(), second.root());
            List<LabDisk> after = drainAndCut(moved, its, sync, List.of(first, second));
            try {
                moved.lieOn(after.get(0).root(), after.get(1).root());
                return ChaosRuns.run(1, run -> new Inspection(run, its, "a cut after a drain", true, true).of(moved));
            } finally {
                after.get(0).close();
                after.get(1).close();
            }
        } finally {
            moved.forget();
        }
    }

    private static List<LabDisk> drainAndCut(Place moved, History its, boolean sync, List<LabDisk> disks)
            throws Exception {
        AtomicBoolean syncs = new AtomicBoolean(true);
        HookedCalls calls = new HookedCalls(
                (call, _) -> syncs.get() || !Set.of("sync", "syncFileSystem").contains(call));
        PoolConfig config = moved.config(LONG);
        try (Pool pool = Pool.open(config.withPlatform(config.platform().withCalls(calls)))) {
            PoolWorkload workload = new PoolWorkload("test", pool, its.recorder("test"), new Random(1), LONG, () -> {},
                    _ -> {}, Bug.NONE, Set.of());
            for (int number = 2; number < 20; number += 2) {
                workload.write(new Token("test", number, 100));
            }
            pool.volumes().sync();
            syncs.set(sync);
            pool.volumes().drain("v0").await(LONG);
            return List.of(PowerCut.of(disks.get(0)), PowerCut.of(disks.get(1)));
        }
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

    private Token send(int number) throws Exception {
        return new Sender("test", place, recorder, new Random(1)).send(number);
    }

    /** In the folder whose sources go. */
    private List<Path> sources() {
        try {
            return Tree.all(place.folder(Place.IN).toRealPath()).stream()
                    .filter(path -> Files.isRegularFile(path) && !path.toString().contains("/.entrepot-probe-"))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(Path.of("something that is just going"));
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
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
        return ChaosRuns.run(1, run -> new Inspection(run, history, "a seeded bug", false, false).of(place));
    }
}

package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.Crowd.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a store ends, none of its threads and none of its open files outlive it. */
class CleanEndTest {
    private static final Owner ACME = new Owner("acme");
    private static final StoreConfig CONFIG = StoreConfig.of();

    @TempDir
    private Path root;
    private Path directory;
    private Path backup;
    private volatile Faults faults = Faults.NONE;

    @BeforeEach
    void paths() {
        directory = root.resolve("data");
        backup = root.resolve("backup");
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("store-"));
        assertThat(openFiles()).isEmpty();
    }

    /** The files under the test's directory that this process has open. */
    private List<String> openFiles() {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    if (target.startsWith(root.toString())) {
                        open.add(target);
                    }
                } catch (IOException e) {
                    assertThat(descriptor).doesNotExist(); // the one this list was read through
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return open;
    }

    private DataDirectory open() {
        return DataDirectory.open(directory, CONFIG.withFaults(point -> faults.reach(point)));
    }

    private static void fill(Store store, int mebibytes) {
        store.write(ACME, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x BLOB)"));
        for (int i = 0; i < mebibytes; i++) {
            store.write(ACME, tx -> tx.update("INSERT INTO t (x) WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL"
                    + " SELECT i + 1 FROM n WHERE i < 500) SELECT zeroblob(2000) FROM n"));
        }
    }

    @Test
    void close_whenEverythingWasUsed_leavesNothing() {
        try (DataDirectory data = open()) {
            data.giveShard(ACME);
            fill(data.store(ACME), 1);
            fill(data.main(), 1);
            Crowd.start(20, _ -> data.main().<Long>read(Snapshot::now)).results();
            data.main().check();
            data.main().compact();
            data.backup(backup);
            assertThat(openFiles()).isNotEmpty();
        }
        DataDirectory.restore(backup, root.resolve("restored"), CONFIG);
        assertThat(directory.resolve("entrepot.db-wal")).doesNotExist();
        assertThat(directory.resolve("entrepot.db-shm")).doesNotExist();
    }

    @Test
    void close_whenACommitFailed_leavesNothing() {
        DataDirectory data = open();
        fill(data.main(), 1);
        faults = point -> {
            if (point == Faults.Point.COMMIT) {
                throw new IllegalStateException("no");
            }
        };
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> fill(data.main(), 1));
        faults = Faults.NONE;
        data.close();
        try (DataDirectory again = open()) {
            assertThat(again.main().<Integer>read(s -> s.query("SELECT id FROM t", row -> row.getLong(1)).size()))
                    .isEqualTo(500);
        }
    }

    @Test
    void open_whenItFails_leavesNothing() throws IOException {
        open().close();
        byte[] sound = Files.readAllBytes(directory.resolve(DataDirectory.MAIN));
        byte[] garbage = sound.clone();
        Arrays.fill(garbage, 0, 100, (byte) 'x');
        Files.write(directory.resolve(DataDirectory.MAIN), garbage);
        assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(this::open);
        nothingIsLeft();
        Arrays.fill(garbage, 100, garbage.length, (byte) 'x');
        System.arraycopy(sound, 0, garbage, 0, 4096);
        Files.write(directory.resolve(DataDirectory.MAIN), garbage);
        assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(this::open);
        nothingIsLeft();
        Files.write(directory.resolve(DataDirectory.MAIN), sound);
        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> DataDirectory.open(directory,
                StoreConfig.of(new Schema("nowhere", CleanEndTest.class, 1))));
        nothingIsLeft();
        open().close();
    }

    @Test
    void open_whenItsCallerIsInterrupted_isNotDoneAndLeavesNothing() {
        for (int life = 0; life < 2; life++) { // first a new directory, then one with a database
            Crowd<Boolean> caller = Crowd.start(1, _ -> {
                Thread.currentThread().interrupt();
                assertThatExceptionOfType(NotDoneException.class).isThrownBy(this::open)
                        .satisfies(e -> assertThat(e.code()).isEqualTo("store.interrupted"));
                return Thread.currentThread().isInterrupted();
            });
            assertThat(caller.results()).containsExactly(true);
            nothingIsLeft();
            open().close();
        }
    }

    @Test
    void maintenance_whenItsCallerIsInterrupted_endsAndLeavesNothing() {
        try (DataDirectory data = open()) {
            fill(data.main(), 2);
            for (Runnable work : List.<Runnable>of(() -> data.backup(backup), () -> data.main().backup(backup),
                    () -> data.main().check(), () -> data.main().compact())) {
                Crowd<Boolean> caller = Crowd.start(1, _ -> {
                    Thread.currentThread().interrupt();
                    assertThatExceptionOfType(NotDoneException.class).isThrownBy(work::run).satisfies(e -> {
                        assertThat(e.code()).isEqualTo("store.interrupted");
                        assertThat(e.advice()).isEqualTo(Advice.RETRY);
                    });
                    return Thread.currentThread().isInterrupted();
                });
                assertThat(caller.results()).containsExactly(true);
                assertThat(backup).doesNotExist();
                assertThat(root.toFile().list()).containsExactly("data");
            }
            assertThat(data.main().check().sound()).isTrue();
        }
    }

    @Test
    void backup_whenInterruptedInTheMiddle_isWholeOrNotThere() {
        try (DataDirectory data = open()) {
            fill(data.main(), 30);
            Crowd<Integer> caller = new Crowd<>();
            Thread thread = caller.start(() -> {
                data.backup(backup);
                return 0;
            });
            awaitCopying();
            thread.interrupt();
            assertWholeOrNotThere(caller.outcomes().getFirst(), NotDoneException.class);
        }
    }

    @Test
    void close_whenABackupIsUnderWay_endsItFirst() {
        DataDirectory data = open();
        fill(data.main(), 30);
        Crowd<Integer> caller = new Crowd<>();
        caller.start(() -> {
            data.backup(backup);
            return 0;
        });
        awaitCopying();
        data.close();
        nothingIsLeft();
        assertWholeOrNotThere(caller.outcomes().getFirst(), StoreClosedException.class);
    }

    private void awaitCopying() {
        Path copy = root.resolve("backup.unfinished/entrepot.db.unfinished");
        Awaitility.await().pollInSameThread().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> copy.toFile().length() > 0 || Files.exists(backup));
    }

    private void assertWholeOrNotThere(Outcome<Integer> outcome, Class<? extends Exception> failure) {
        if (outcome.succeeded()) {
            DataDirectory.restore(backup, root.resolve("restored"), CONFIG);
        } else {
            assertThat(outcome.failure()).isInstanceOf(failure);
            assertThat(backup).doesNotExist();
        }
        assertThat(root.resolve("backup.unfinished")).doesNotExist();
    }

    @Test
    void close_whenCompactionIsUnderWay_endsItFirst() {
        DataDirectory data = open();
        fill(data.main(), 10);
        data.main().write(ACME, tx -> tx.update("DELETE FROM t"));
        Crowd<CompactionReport> caller = Crowd.start(1, _ -> data.main().compact());
        data.close();
        nothingIsLeft();
        Outcome<CompactionReport> outcome = caller.outcomes().getFirst();
        if (!outcome.succeeded()) {
            assertThat(outcome.failure()).isInstanceOf(StoreClosedException.class);
        }
    }

    @Test
    void snapshotOrTransaction_whenUsedByOthersOrLater_isRefused() {
        try (DataDirectory data = open()) {
            Snapshot snapshot = data.main().read(s -> s);
            Transaction tx = data.main().write(ACME, t -> t);
            for (Snapshot leaked : List.of(snapshot, tx)) {
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> leaked.query("SELECT 1", row -> row.getInt(1)));
            }
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> tx.publish(ACME, "t", "s", "b"));
            List<Throwable> thrown = new ArrayList<>();
            data.main().write(ACME, t -> {
                t.afterCommit(() -> thrown.add(catchThrowable(() -> t.update("CREATE TABLE sneaked (x TEXT)"))));
                thrown.addAll(Crowd.start(1, _ -> t.update("CREATE TABLE sneaked (x TEXT)")).outcomes().stream()
                        .map(Outcome::failure).toList());
                return 0;
            });
            assertThat(thrown).hasSize(2).allSatisfy(e -> assertThat(e).isInstanceOf(IllegalStateException.class));
        }
    }
}

package io.entrepot.store;

import static io.entrepot.lease.Protection.FENCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backup while running, and restore. */
class BackupTest {
    private static final Owner ACME = new Owner("acme");
    private static final Counter SEQUENCE = new Counter("backup.test", 1);
    private static final StoreConfig CONFIG = StoreConfig.of();

    @TempDir
    private Path root;
    private Path directory;
    private Path backup;
    private Path restored;

    @BeforeEach
    void paths() {
        directory = root.resolve("data");
        backup = root.resolve("backups/first");
        restored = root.resolve("restored");
    }

    private DataDirectory open() {
        return DataDirectory.open(directory, CONFIG);
    }

    private static void createTables(Store store) {
        store.write(ACME, tx -> tx.update("CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT)")
                + tx.update("CREATE TABLE b (id INTEGER PRIMARY KEY, x TEXT)"));
    }

    /** The invariant: a and b have the same rows, numbered without gaps, as many as the sequence and the events. */
    private static long write(Store store) {
        return store.write(ACME, tx -> {
            long id = tx.next(SEQUENCE, 1);
            tx.update("INSERT INTO a VALUES (?, ?)", id, "x".repeat(500));
            tx.update("INSERT INTO b VALUES (?, ?)", id, "y");
            tx.publish(ACME, "made", String.valueOf(id), "");
            return id;
        });
    }

    private static List<Long> ids(Store store, String table) {
        return store
                .read(snapshot -> snapshot.query("SELECT id FROM " + table + " ORDER BY id", row -> row.getLong(1)));
    }

    private static void assertInvariant(Store store, long rows) {
        List<Long> expected = LongStream.rangeClosed(1, rows).boxed().toList();
        assertThat(ids(store, "a")).isEqualTo(expected);
        assertThat(ids(store, "b")).isEqualTo(expected);
        assertThat(store.<Long>read(snapshot -> snapshot.count(SEQUENCE))).isEqualTo(rows);
        assertThat(store.events().last()).isEqualTo(rows);
        assertThat(store.check().problems()).isEmpty();
    }

    private static Map<String, String> content(Path directory) {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(directory.relativize(file).toString(),
                        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return content;
    }

    private List<String> names() {
        try (Stream<Path> files = Files.list(root)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void backup_whileManyWrite_isOneStateWithEverythingAcknowledgedBefore() {
        long before;
        try (DataDirectory data = open()) {
            createTables(data.main());
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger written = new AtomicInteger();
            Crowd<Integer> writers = Crowd.start(16, _ -> {
                while (!done.get()) {
                    write(data.main());
                    written.incrementAndGet();
                }
                return 0;
            });
            Awaitility.await().until(() -> written.get() > 500);
            before = write(data.main());
            data.backup(backup);
            long during = data.main().<Long>read(snapshot -> snapshot.count(SEQUENCE));
            done.set(true);
            writers.results();
            assertThat(during).isGreaterThan(before);
        }
        DataDirectory.restore(backup, restored, CONFIG);
        try (DataDirectory data = DataDirectory.open(restored, CONFIG)) {
            long rows = data.main().read(snapshot -> snapshot.count(SEQUENCE));
            assertThat(rows).isGreaterThanOrEqualTo(before);
            assertInvariant(data.main(), rows);
            assertThat(write(data.main())).isEqualTo(rows + 1);
        }
    }

    /** A copy that may have something of it is of no use; but it is not made over and over for as long as that goes on. */
    @Test
    void backup_whileUnitsAreUndoneAllTheTime_isMadeAndHasNothingOfThem() {
        try (DataDirectory data = open()) {
            Store store = data.main();
            createTables(store);
            store.write(ACME, tx -> tx.update("CREATE TABLE undone (x INTEGER PRIMARY KEY)"));
            store.write(ACME, tx -> tx.update("CREATE TABLE much (x INTEGER PRIMARY KEY, bytes BLOB)"));
            store.write(ACME,
                    tx -> tx.update("WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000)"
                            + " INSERT INTO much SELECT x, randomblob(1000) FROM n")); // so that to copy it takes a while
            AtomicBoolean done = new AtomicBoolean();
            Crowd<Integer> writers = Crowd.start(4, caller -> {
                for (int i = 0; !done.get(); i++) {
                    int x = caller + 4 * i;
                    store.write(ACME, tx -> {
                        tx.update("INSERT INTO undone VALUES (?)", x);
                        tx.meanwhile(undoneBy("DELETE FROM undone WHERE x = " + x));
                        return x;
                    });
                }
                return 0;
            });
            try {
                assertTimeoutPreemptively(Duration.ofMinutes(1), () -> data.backup(backup));
            } finally {
                done.set(true);
            }
            writers.results();
        }
        DataDirectory.restore(backup, restored, CONFIG);
        try (DataDirectory data = DataDirectory.open(restored, CONFIG)) {
            assertThat(data.main().<Integer>read(
                    snapshot -> snapshot.query("SELECT x FROM undone", row -> row.getInt(1)).size())).isZero();
        }
    }

    private static Meanwhile undoneBy(String sql) {
        return new Meanwhile() {
            @Override
            public boolean hasEnded() {
                return false;
            }

            @Override
            public void undo(Transaction tx) {
                tx.update(sql);
            }
        };
    }

    @Test
    void restore_whenDone_isANewLifeAndTheBackupIsAsItWas() {
        Incarnation first;
        try (DataDirectory data = open()) {
            createTables(data.main());
            write(data.main());
            first = data.main().incarnation();
            assertThat(first.number()).isEqualTo(1);
            data.backup(backup);
            write(data.main());
        }
        Map<String, String> before = content(backup);
        assertThat(before).containsOnlyKeys("backup.properties", DataDirectory.MAIN);
        DataDirectory.restore(backup, restored, CONFIG);
        DataDirectory.restore(backup, root.resolve("again"), CONFIG);
        assertThat(content(backup)).isEqualTo(before);
        try (DataDirectory one = DataDirectory.open(restored, CONFIG);
                DataDirectory two = DataDirectory.open(root.resolve("again"), CONFIG)) {
            assertInvariant(one.main(), 1);
            assertThat(one.main().incarnation().number()).isEqualTo(2);
            assertThat(List.of(first.id(), one.main().incarnation().id(), two.main().incarnation().id()))
                    .doesNotHaveDuplicates();
        }
        try (DataDirectory one = DataDirectory.open(restored, CONFIG); DataDirectory data = open()) {
            assertThat(one.main().incarnation().number()).isEqualTo(2);
            assertThat(data.main().incarnation()).isEqualTo(first);
        }
    }

    @Test
    void restore_whenLeasesWereHeld_endsThemAndRefusesOldFencesOfTheSameEpoch() {
        Duration term = Duration.ofHours(1);
        Fence old;
        Fence older;
        try (DataDirectory data = open()) {
            older = ((Verdict.Granted) data.main().leases().request("x", "a", term, FENCED)).lease().fence();
            data.backup(backup);
            data.main().leases().gone("x", older);
            old = ((Verdict.Granted) data.main().leases().request("x", "b", term, FENCED)).lease().fence();
        }
        DataDirectory.restore(backup, restored, CONFIG);
        try (DataDirectory data = DataDirectory.open(restored, CONFIG)) {
            Leases leases = data.main().leases();
            assertThat(leases.current("x")).isEmpty();
            assertThat(leases.renew("x", older)).isInstanceOf(Renewal.Lost.class);
            Fence current = ((Verdict.Granted) leases.request("x", "c", term, FENCED)).lease().fence();
            assertThat(current.epoch()).isEqualTo(old.epoch());
            for (Fence fence : List.of(old, older)) {
                assertThat(leases.renew("x", fence)).isInstanceOf(Renewal.Lost.class);
                assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> data.main().write(ACME, tx -> {
                    leases.require(tx, "x", fence);
                    return 0;
                }));
            }
        }
    }

    private void makeBackup() {
        try (DataDirectory data = open()) {
            createTables(data.main());
            write(data.main());
            data.giveShard(ACME);
            data.backup(backup);
        }
    }

    @Test
    void restore_whenBackupWasTamperedWith_isRefusedAndLeavesNothing() throws IOException {
        makeBackup();
        Path list = backup.resolve("backup.properties");
        String sound = Files.readString(list, StandardCharsets.ISO_8859_1);
        byte[] database = Files.readAllBytes(backup.resolve(DataDirectory.MAIN));
        byte[] flipped = database.clone();
        flipped[flipped.length / 2] ^= 1;
        Files.write(backup.resolve(DataDirectory.MAIN), flipped);
        assertRestoreRefused(StoreDamagedException.class, "not what was written");
        Files.write(backup.resolve(DataDirectory.MAIN), new byte[0]);
        assertRestoreRefused(StoreDamagedException.class, "not what was written");
        Files.delete(backup.resolve(DataDirectory.MAIN));
        assertRestoreRefused(StoreDamagedException.class, "lacks");
        Files.write(backup.resolve(DataDirectory.MAIN), database);
        Files.writeString(list, sound.replace("format=1", "format=2"));
        assertRestoreRefused(IncompatibleDataException.class, "format 2");
        Files.writeString(list, "format=1\n");
        assertRestoreRefused(StoreDamagedException.class, "does not list");
        Files.writeString(list, sound + "sha256.../../escaped=00\n");
        assertRestoreRefused(StoreDamagedException.class, "lacks");
        Files.writeString(list, sound.lines().filter(line -> !line.contains("shards"))
                .reduce("", (a, b) -> a + b + "\n"));
        assertRestoreRefused(StoreDamagedException.class, "missing");
        Files.delete(list);
        assertRestoreRefused(NotDoneException.class, "not a backup");
        Files.writeString(list, sound);
        DataDirectory.restore(backup, restored, CONFIG);
    }

    private void assertRestoreRefused(Class<? extends StoreException> how, String why) {
        assertThatExceptionOfType(how).isThrownBy(() -> DataDirectory.restore(backup, restored, CONFIG))
                .withMessageContaining(why).satisfies(e -> assertThat(e.code()).startsWith("store."));
        assertThat(names()).containsExactly("backups", "data");
    }

    @Test
    void restore_whenSomethingIsThereAlready_isRefused() throws IOException {
        makeBackup();
        Files.createDirectories(restored);
        Files.createFile(restored.resolve("precious"));
        assertThatExceptionOfType(NotDoneException.class)
                .isThrownBy(() -> DataDirectory.restore(backup, restored, CONFIG)).withMessageContaining("already");
        assertThatExceptionOfType(NotDoneException.class)
                .isThrownBy(() -> DataDirectory.restore(backup, directory, CONFIG)).withMessageContaining("already");
        Files.delete(restored.resolve("precious"));
        DataDirectory.restore(backup, restored, CONFIG);
        assertThat(restored.resolve(DataDirectory.MAIN)).isRegularFile();
    }

    @Test
    void backup_whenSomethingIsThereAlready_isRefused() throws IOException {
        Files.createDirectories(backup);
        Files.createFile(backup.resolve("precious"));
        try (DataDirectory data = open()) {
            assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> data.backup(backup))
                    .withMessageContaining("already");
            assertThatExceptionOfType(NotDoneException.class)
                    .isThrownBy(() -> data.main().backup(backup.resolve("precious"))).withMessageContaining("already");
            Files.delete(backup.resolve("precious"));
            data.backup(backup);
        }
        assertThat(backup.resolve("backup.properties")).isRegularFile();
    }

    @Test
    void backup_whenCalledTwiceAtOnceForOnePlace_writesOneWholeBackup() {
        try (DataDirectory data = open()) {
            createTables(data.main());
            write(data.main());
            Crowd<Integer> crowd = Crowd.start(4, _ -> {
                data.backup(backup);
                return 0;
            });
            assertThat(crowd.outcomes()).filteredOn(Crowd.Outcome::succeeded).hasSize(1);
        }
        DataDirectory.restore(backup, restored, CONFIG);
    }

    @Test
    void backup_whenLeftoversOfAnInterruptedOneAreThere_replacesThem() throws IOException {
        Files.createDirectories(backup.resolveSibling("first.unfinished/shards"));
        Files.writeString(backup.resolveSibling("first.unfinished/shards/old.db"), "old");
        Files.createDirectories(root.resolve("restored.restoring"));
        Files.writeString(root.resolve("restored.restoring/entrepot.db"), "old");
        makeBackup();
        assertThat(backup.resolve("shards/old.db")).doesNotExist();
        DataDirectory.restore(backup, restored, CONFIG);
        assertThat(names()).containsExactly("backups", "data", "restored");
        DataDirectory.open(restored, CONFIG).close();
    }

    @Test
    void backup_whenItFails_leavesNothing() {
        try (DataDirectory data = open()) {
            data.giveShard(ACME);
            data.store(ACME).close();
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> data.backup(backup));
        }
        assertThat(root.resolve("backups")).isEmptyDirectory();
    }
}

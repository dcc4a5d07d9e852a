package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.FullDisk;
import io.entrepot.lab.LabDisk;
import io.entrepot.store.contract.Gate;
import io.entrepot.store.contract.Mounts;
import io.entrepot.store.contract.SqliteFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk without room, or that cannot be written to. */
class FullDiskTest {
    private static final Owner ACME = new Owner("acme");
    private static final Counter ADDED = new Counter("added", 1);

    @TempDir
    private Path root;

    private static int insert(Store store, long id, int bytes) {
        return store.write(ACME, tx -> {
            tx.requireRoom();
            return tx.update("INSERT INTO t (id, x) VALUES (?, ?)", id, new byte[bytes]);
        });
    }

    private static int delete(Store store, long id) {
        return store.write(ACME, tx -> tx.update("DELETE FROM t WHERE id = ?", id));
    }

    private static void assertFull(ThrowingCallable call) {
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(call).withMessageContaining(" left, ")
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo("store.disk-full");
                    assertThat(e.advice()).isEqualTo(Advice.RETRY);
                });
    }

    private static void createTable(Store store) {
        store.write(ACME, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x BLOB)"));
    }

    private static List<Long> ids(Store store) {
        return store.read(snapshot -> snapshot.query("SELECT id FROM t ORDER BY id", row -> row.getLong(1)));
    }

    @Test
    void write_whenLessIsFreeThanTheHeadroom_addsNothingAndFreesAndReads() {
        AtomicLong free = new AtomicLong(Long.MAX_VALUE);
        try (DataDirectory data = DataDirectory.open(root.resolve("data"),
                StoreConfig.of().withHeadroom(16 << 20).withSpace(_ -> free.get()))) {
            Store store = data.main();
            createTable(store);
            insert(store, 1, 1);
            insert(store, 2, 1);
            assertThat(store.room()).hasValueSatisfying(room -> assertThat(room.isEnough()).isTrue());
            free.set((16 << 20) - 1);
            awaitLevel(store, Room.Level.SHORT);
            for (int i = 0; i < 3; i++) {
                assertFull(() -> insert(store, 3, 1));
                assertFull(store::requireRoom);
                assertFull(() -> data.giveShard(new Owner("beta")));
            }
            assertThat(delete(store, 1)).isEqualTo(1);
            assertThat(ids(store)).containsExactly(2L);
            assertThat(store.check().sound()).isTrue();
            assertThat(store.room()).hasValue(new Room(Room.Level.SHORT, (16 << 20) - 1, 16 << 20));
            free.set(20 << 20);
            insert(store, 3, 1);
            store.requireRoom();
            assertThat(ids(store)).containsExactly(2L, 3L);
        }
    }

    /** One that adds is refused, and the others of its group are not. */
    @Test
    void write_whenOneOfAGroupAdds_isRefusedAlone() {
        AtomicLong free = new AtomicLong(Long.MAX_VALUE);
        try (DataDirectory data = DataDirectory.open(root.resolve("data"),
                StoreConfig.of().withHeadroom(16 << 20).withSpace(_ -> free.get()))) {
            Store store = data.main();
            createTable(store);
            insert(store, 1, 1);
            free.set(16 << 19);
            awaitLevel(store, Room.Level.SHORT);
            Crowd<Integer> crowd = new Crowd<>();
            try (Gate gate = Gate.shut(store)) {
                crowd.start(() -> insert(store, 2, 1));
                crowd.awaitWaiting();
                crowd.start(() -> delete(store, 1));
                crowd.awaitWaiting();
                gate.open();
            }
            assertThat(crowd.outcomes().get(0).failure()).isInstanceOfSatisfying(NotDoneException.class,
                    e -> assertThat(e.code()).isEqualTo("store.disk-full"));
            assertThat(crowd.outcomes().get(1).value()).isEqualTo(1);
            assertThat(ids(store)).isEmpty();
        }
    }

    @Test
    void write_whenThereIsTooLittleForAnything_isRefusedUntilThereIsMore() {
        AtomicLong free = new AtomicLong(Long.MAX_VALUE);
        try (DataDirectory data = DataDirectory.open(root.resolve("data"),
                StoreConfig.of().withHeadroom(16 << 20).withSpace(_ -> free.get()))) {
            Store store = data.main();
            createTable(store);
            insert(store, 1, 1);
            free.set((256 << 10) - 1);
            awaitLevel(store, Room.Level.SHORT); // there is the reserve
            assertFull(() -> delete(store, 1));
            awaitLevel(store, Room.Level.FULL);
            assertThat(ids(store)).containsExactly(1L);
            free.set(256 << 10);
            assertThat(delete(store, 1)).isEqualTo(1);
        }
    }

    /** It is seen within 10 ms. */
    private static void awaitLevel(Store store, Room.Level level) {
        Awaitility.await().until(() -> store.room().orElseThrow().level() == level);
    }

    @Test
    void write_whenSpaceReturns_isDoneAgain() throws IOException {
        Path disk = root.resolve("disk");
        try (Mounts _ = Mounts.tmpfs(disk, 64)) {
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), StoreConfig.of())) {
                createTable(data.main());
                insert(data.main(), 1, 10);
                Path ballast = Files.write(disk.resolve("ballast"), new byte[50 << 20]);
                awaitLevel(data.main(), Room.Level.SHORT);
                assertFull(() -> insert(data.main(), 2, 10));
                Files.delete(ballast);
                insert(data.main(), 3, 10);
                assertThat(ids(data.main())).containsExactly(1L, 3L);
            }
        }
    }

    /** Others have filled the disk to the last byte: what frees goes on from the reserve, for as much as there ever was. */
    @Test
    void write_whenOthersHaveFilledTheDisk_freesFromTheReserve() throws IOException {
        Assumptions.assumeTrue(LabDisk.obstacle().isEmpty());
        try (FullDisk disk = FullDisk.create(128L << 20)) {
            Path reserve = disk.root().resolve("data").resolve("entrepot.reserve");
            try (DataDirectory data = DataDirectory.open(disk.root().resolve("data"), StoreConfig.of())) {
                createTable(data.main());
                for (long id = 0; id < 200; id++) {
                    insert(data.main(), id, 5000);
                }
                assertThat(reserve).hasSize(4 << 20);
                disk.fill(0);
                awaitLevel(data.main(), Room.Level.SHORT);
                assertFull(() -> insert(data.main(), 1000, 5000));
                assertThat(reserve).doesNotExist();
                for (long id = 0; id < 150; id++) {
                    delete(data.main(), id);
                }
                assertFull(() -> insert(data.main(), 1000, 5000));
            }
            disk.fill(2 << 20); // with what was the log's
            try (DataDirectory data = DataDirectory.open(disk.root().resolve("data"), StoreConfig.of())) {
                assertFull(() -> insert(data.main(), 1000, 5000));
                for (long id = 150; id < 190; id++) {
                    delete(data.main(), id);
                }
                assertThat(data.main().compact().after()).isPositive();
                disk.free();
                insert(data.main(), 1000, 5000);
                assertThat(reserve).hasSize(4 << 20);
                assertThat(ids(data.main())).hasSize(11);
                assertThat(data.main().check().sound()).isTrue();
            }
        }
    }

    /** What is written while room is short takes no more of it, however much it is. */
    @Test
    void log_whileRoomIsShort_isCopiedAtOnceAndGrowsNoFurther() throws IOException {
        AtomicLong free = new AtomicLong(Long.MAX_VALUE);
        Path directory = root.resolve("data");
        Path log = directory.resolve(DataDirectory.MAIN + "-wal");
        try (DataDirectory data = DataDirectory.open(directory, StoreConfig.of().withSpace(_ -> free.get()))) {
            Store store = data.main();
            createTable(store);
            for (long id = 0; id < 100; id++) {
                insert(store, id, 20_000);
            }
            long before = Files.size(directory.resolve(DataDirectory.MAIN));
            assertThat(before).isLessThan(1 << 20); // it is all in the log
            long length = Files.size(log);
            free.set(16 << 20);
            Awaitility.await().until(() -> Files.size(directory.resolve(DataDirectory.MAIN)) > 2_000_000);
            for (int i = 0; i < 2000; i++) {
                long id = i % 100;
                store.write(ACME, tx -> tx.update("UPDATE t SET x = ? WHERE id = ?", new byte[20_000], id));
            }
            assertThat(Files.size(log)).isLessThan(length + (2 << 20));
        }
    }

    /** A disk that is filled while nobody has the data directory open. */
    @Test
    void open_whenOthersHaveFilledTheDisk_opensFromTheReserve() throws IOException {
        Assumptions.assumeTrue(LabDisk.obstacle().isEmpty());
        try (FullDisk disk = FullDisk.create(64L << 20)) {
            try (DataDirectory data = DataDirectory.open(disk.root().resolve("data"), StoreConfig.of())) {
                createTable(data.main());
                insert(data.main(), 1, 5000);
                insert(data.main(), 2, 5000);
            }
            disk.fill(0);
            try (DataDirectory data = DataDirectory.open(disk.root().resolve("data"), StoreConfig.of())) {
                delete(data.main(), 1);
                assertThat(ids(data.main())).containsExactly(2L);
            }
        }
    }

    /** Without headroom the disk is full in the middle of it: nothing is in doubt, and the same store goes on. */
    @Test
    void write_whenTheDiskFillsUp_isNotDoneAndGoesOnWhenThereIsRoom() throws IOException {
        Path disk = root.resolve("disk");
        try (Mounts _ = Mounts.tmpfs(disk, 16)) {
            StoreConfig config = StoreConfig.of().withHeadroom(0).withWalBytes(1 << 20);
            Path ballast = Files.write(disk.resolve("ballast"), new byte[10 << 20]);
            List<Long> acknowledged = new ArrayList<>();
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), config)) {
                Store store = data.main();
                createTable(store);
                fill(store, acknowledged);
                fill(store, acknowledged);
                assertThat(ids(store)).isEqualTo(acknowledged);
                assertThat(store.events().last()).isEqualTo(acknowledged.size());
                // What is on the disk at this moment is what was acknowledged, and nothing else.
                Path crashed = root.resolve("crashed");
                SqliteFixture.copyDatabases(disk.resolve("data"), crashed);
                try (DataDirectory copy = DataDirectory.open(crashed, config)) {
                    assertThat(ids(copy.main())).isEqualTo(acknowledged);
                    assertThat(copy.main().check().sound()).isTrue();
                }
                Files.delete(ballast);
                long next = 1_000_000;
                addWithEvent(store, next);
                acknowledged.add(next);
                assertThat(ids(store)).isEqualTo(acknowledged);
                assertThat(store.<Long>read(snapshot -> snapshot.count(ADDED))).isEqualTo(acknowledged.size());
                assertThat(store.events().after(0, 100_000)).hasSize(acknowledged.size());
            }
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), config)) {
                assertThat(ids(data.main())).isEqualTo(acknowledged);
                assertThat(data.main().check().sound()).isTrue();
            }
        }
    }

    private static void addWithEvent(Store store, long id) {
        store.write(ACME, tx -> {
            tx.update("INSERT INTO t (id, x) VALUES (?, ?)", id, new byte[20_000]);
            tx.add(ADDED, 1);
            tx.publish(ACME, "added", "" + id, "");
            return true;
        });
    }

    private static void fill(Store store, List<Long> acknowledged) {
        long first = acknowledged.isEmpty() ? 0 : acknowledged.getLast() + 1;
        for (long id = first; id < 10_000; id++) {
            try {
                addWithEvent(store, id);
                acknowledged.add(id);
            } catch (NotDoneException e) {
                assertThat(e.code()).isEqualTo("store.disk-full");
                return;
            }
        }
        throw new AssertionError("the disk was never full");
    }

    /** The log that a crash has left is written anew before it is read: in its place, if there is no room for another. */
    @Test
    void open_whenTheLogCannotBeCopied_securesItWhereItIsAndLosesNothing() throws IOException {
        Path disk = root.resolve("disk");
        Path crashed = disk.resolve("crashed");
        try (Mounts _ = Mounts.tmpfs(disk, 64)) {
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), StoreConfig.of())) {
                createTable(data.main());
                for (long id = 0; id < 100; id++) {
                    insert(data.main(), id, 20_000);
                }
                SqliteFixture.copyDatabases(disk.resolve("data"), crashed);
            }
            Path ballast = disk.resolve("ballast");
            Files.write(ballast, new byte[(int) Files.getFileStore(disk).getUsableSpace() - (1 << 20)]);
            assertThat(crashed.resolve(DataDirectory.MAIN + "-wal").toFile().length()).isGreaterThan(1 << 20);
            try (DataDirectory data = DataDirectory.open(crashed, StoreConfig.of())) {
                assertThat(ids(data.main())).hasSize(100);
                assertThat(data.main().check().sound()).isTrue();
            }
        }
    }

    @Test
    void open_whenTheDirectoryIsReadOnly_saysSo() throws IOException {
        Path directory = root.resolve("data");
        try (DataDirectory data = DataDirectory.open(directory, StoreConfig.of())) {
            createTable(data.main());
        }
        Path view = root.resolve("view");
        try (Mounts _ = Mounts.readOnly(directory, view)) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(NotDoneException.class)
                        .isThrownBy(() -> DataDirectory.open(view, StoreConfig.of()))
                        .withMessageContaining(view.toString()).satisfies(e -> {
                            assertThat(e.code()).isEqualTo("store.not-writable");
                            assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                        });
            }
            assertThatExceptionOfType(NotDoneException.class)
                    .isThrownBy(() -> DataDirectory.open(view.resolve("new"), StoreConfig.of()))
                    .satisfies(e -> assertThat(e.code()).isEqualTo("store.not-writable"));
        }
    }
}

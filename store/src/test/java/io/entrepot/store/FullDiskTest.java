package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.store.contract.Mounts;
import io.entrepot.store.contract.SqliteFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk without room, or that cannot be written to. */
class FullDiskTest {
    private static final Owner ACME = new Owner("acme");

    @TempDir
    private Path root;

    private static int insert(Store store, long id, int bytes) {
        return store.write(ACME, tx -> tx.update("INSERT INTO t (id, x) VALUES (?, ?)", id, new byte[bytes]));
    }

    private static void createTable(Store store) {
        store.write(ACME, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x BLOB)"));
    }

    private static List<Long> ids(Store store) {
        return store.read(snapshot -> snapshot.query("SELECT id FROM t ORDER BY id", row -> row.getLong(1)));
    }

    @Test
    void write_whenLessIsFreeThanTheHeadroom_isRefusedAndReadsGoOn() {
        try (DataDirectory data = DataDirectory.open(root.resolve("data"), StoreConfig.of())) {
            createTable(data.main());
        }
        try (DataDirectory data = DataDirectory.open(root.resolve("data"),
                StoreConfig.of().withHeadroom(Long.MAX_VALUE))) {
            for (int i = 0; i < 3; i++) {
                assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> insert(data.main(), 1, 1))
                        .withMessageContaining("bytes left").satisfies(e -> {
                            assertThat(e.code()).isEqualTo("store.disk-full");
                            assertThat(e.advice()).isEqualTo(Advice.RETRY);
                        });
            }
            assertThat(ids(data.main())).isEmpty();
            assertThat(data.main().check().sound()).isTrue();
        }
    }

    @Test
    void write_whenSpaceReturns_isDoneAgain() throws IOException {
        Path disk = root.resolve("disk");
        try (Mounts _ = Mounts.tmpfs(disk, 64)) {
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), StoreConfig.of())) {
                createTable(data.main());
                insert(data.main(), 1, 10);
                Path ballast = Files.write(disk.resolve("ballast"), new byte[50 << 20]);
                assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> insert(data.main(), 2, 10))
                        .satisfies(e -> assertThat(e.code()).isEqualTo("store.disk-full"));
                Files.delete(ballast);
                insert(data.main(), 3, 10);
                assertThat(ids(data.main())).containsExactly(1L, 3L);
            }
        }
    }

    /** Without headroom the disk is full in the middle of it: whatever was acknowledged is there afterwards. */
    @Test
    void write_whenTheDiskFillsUp_losesNothingThatWasAcknowledged() throws IOException {
        Path disk = root.resolve("disk");
        try (Mounts _ = Mounts.tmpfs(disk, 16)) {
            StoreConfig config = StoreConfig.of().withHeadroom(0).withWalBytes(1 << 20);
            List<Long> acknowledged = new ArrayList<>();
            List<Long> unknown = new ArrayList<>();
            Path ballast = Files.write(disk.resolve("ballast"), new byte[10 << 20]);
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), config)) {
                createTable(data.main());
                fill(data.main(), acknowledged, unknown);
            }
            Files.delete(ballast);
            try (DataDirectory data = DataDirectory.open(disk.resolve("data"), config)) {
                List<Long> found = ids(data.main());
                assertThat(found).containsAll(acknowledged);
                found.removeAll(acknowledged);
                assertThat(unknown).containsAll(found);
                assertThat(data.main().check().sound()).isTrue();
                insert(data.main(), 1_000_000, 10);
            }
        }
    }

    /** The log that a crash has left is written anew before it is read, and there is no room for that. */
    @Test
    void open_whenTheLogCannotBeSecured_saysDiskFullAndLosesNothing() throws IOException {
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
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(NotDoneException.class)
                        .isThrownBy(() -> DataDirectory.open(crashed, StoreConfig.of()))
                        .satisfies(e -> assertThat(e.code()).isEqualTo("store.disk-full"));
            }
            Files.delete(ballast);
            try (DataDirectory data = DataDirectory.open(crashed, StoreConfig.of())) {
                assertThat(ids(data.main())).hasSize(100);
            }
        }
    }

    private static void fill(Store store, List<Long> acknowledged, List<Long> unknown) {
        for (long id = 0; id < 10_000; id++) {
            try {
                insert(store, id, 20_000);
                acknowledged.add(id);
            } catch (NotDoneException e) {
                assertThat(e.code()).isEqualTo("store.disk-full");
                return;
            } catch (OutcomeUnknownException e) {
                unknown.add(id);
                assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> insert(store, -1, 1));
                return;
            }
        }
        throw new AssertionError("the disk was never full");
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

package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The write-ahead log does not grow for ever. */
class LogTest {
    private static final Owner ACME = new Owner("acme");
    private static final long WAL = 1 << 20;

    @TempDir
    private Path root;
    private volatile Faults faults = Faults.NONE;
    private DataDirectory data;
    private Store store;
    private long written;

    @BeforeEach
    void open() {
        open(config().withSync(false));
    }

    private StoreConfig config() {
        return StoreConfig.of().withWalBytes(WAL).withFaults(point -> faults.reach(point));
    }

    private void open(StoreConfig config) {
        data = DataDirectory.open(root.resolve("data"), config);
        store = data.main();
        store.write(ACME, tx -> tx.update("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, x BLOB)"));
    }

    @AfterEach
    void close() {
        data.close();
    }

    private long log() {
        try {
            return Files.size(root.resolve("data").resolve(DataDirectory.MAIN + "-wal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes {@code mebibytes}, and returns how long the log has been at most. */
    private long write(int mebibytes) {
        long longest = 0;
        for (int i = 0; i < mebibytes * 16; i++) {
            long id = written++ % 500;
            store.write(ACME, tx -> tx.update("INSERT OR REPLACE INTO t VALUES (?, ?)", id, new byte[64 << 10]));
            longest = Math.max(longest, log());
        }
        return longest;
    }

    @Test
    void log_whenMuchIsWritten_staysShort() {
        // Whoever copies it runs beside the writer, and may be late on a busy machine; without him it would be 60 times as long.
        assertThat(write(60)).isLessThan(20 * WAL);
        Awaitility.await().untilAsserted(() -> {
            write(1);
            assertThat(log()).isLessThan(4 * WAL);
        });
    }

    @Test
    void log_whenOthersReadAllTheTime_staysShort() {
        AtomicBoolean done = new AtomicBoolean();
        Crowd<Integer> readers = Crowd.start(8, _ -> {
            int reads = 0;
            for (; !done.get(); reads++) {
                store.read(snapshot -> {
                    long rows = snapshot.first("SELECT count(*) FROM t", row -> row.getLong(1)).orElseThrow();
                    LockSupport.parkNanos(5_000_000); // a slow reader: there is always one that began before the last write
                    return rows;
                });
            }
            return reads;
        });
        long longest = write(30);
        done.set(true);
        assertThat(readers.results()).allSatisfy(reads -> assertThat(reads).isPositive());
        // Whoever copies it may be late here, too; without him it would be 30 times as long.
        assertThat(longest).isLessThan(20 * WAL);
    }

    @Test
    void log_whenASnapshotWasHeld_isShortAgainAfterIt() throws InterruptedException {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Crowd<Integer> reader = Crowd.start(1, _ -> store.read(snapshot -> {
            int before = snapshot.query("SELECT id FROM t", row -> row.getLong(1)).size();
            reading.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertThat(snapshot.query("SELECT id FROM t", row -> row.getLong(1))).hasSize(before);
            return before;
        }));
        reading.await();
        write(30);
        assertThat(log()).isGreaterThan(20 * WAL);
        done.countDown();
        assertThat(reader.results()).containsExactly(0);
        Awaitility.await().untilAsserted(() -> {
            write(1);
            assertThat(log()).isLessThan(4 * WAL);
        });
    }

    @Test
    void log_whenCommitsAreSynced_isLongerThanWhatIsInItUntilItIsAsLongAsAllowed() {
        data.close();
        open(config());
        store.write(ACME, tx -> tx.update("INSERT OR REPLACE INTO t VALUES (1, NULL)"));
        Awaitility.await().until(() -> log() >= 256 << 10);
        assertThat(write(4)).isLessThan(4 * WAL);
        assertThat(log()).isGreaterThanOrEqualTo(WAL);
    }

    /** What is ahead of the log in its file is not taken for a part of it. */
    @Test
    void open_whenTheLogIsLongerThanWhatIsInIt_findsEverything() throws IOException {
        data.close();
        open(config());
        Path crashed = Files.createDirectory(root.resolve("crashed"));
        for (int i = 0; i < 5; i++) {
            long id = i;
            store.write(ACME, tx -> tx.update("INSERT INTO t VALUES (?, x'01')", id));
        }
        // The file is made longer once the callers have their answers.
        Awaitility.await().until(() -> log() >= 256 << 10);
        for (String suffix : new String[]{"", "-wal"}) {
            Files.copy(root.resolve("data").resolve(DataDirectory.MAIN + suffix),
                    crashed.resolve(DataDirectory.MAIN + suffix));
        }
        try (DataDirectory copy = DataDirectory.open(crashed, config())) {
            assertThat(copy.main().<Integer>read(
                    snapshot -> snapshot.query("SELECT id FROM t", row -> row.getLong(1)).size())).isEqualTo(5);
            assertThat(copy.main().check().sound()).isTrue();
        }
    }

    @Test
    void close_whenThereIsALog_putsItIntoTheDatabase() {
        write(2);
        data.close();
        assertThat(root.resolve("data").resolve(DataDirectory.MAIN + "-wal")).doesNotExist();
    }

    @Test
    void checkpoint_whenItFails_endsTheStoreAndLosesNothing() {
        write(1);
        faults = point -> {
            if (point == Faults.Point.CHECKPOINT) {
                throw new IllegalStateException("the sync failed");
            }
        };
        long acknowledged = written;
        try {
            while (true) {
                write(1);
                acknowledged = written;
            }
        } catch (StoreClosedException e) {
            assertThat(e).hasMessageContaining("the sync failed");
        }
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.read(Snapshot::now));
        data.close();
        faults = Faults.NONE;
        open();
        assertThat(store.<Integer>read(snapshot -> snapshot.query("SELECT id FROM t", row -> row.getLong(1)).size()))
                .isGreaterThanOrEqualTo((int) Math.min(500, acknowledged));
        assertThat(store.check().sound()).isTrue();
    }
}

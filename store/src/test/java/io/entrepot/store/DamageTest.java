package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lease.Protection;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is not what it should be: a clear error, and nothing is thrown away. */
class DamageTest {
    private static final Owner ACME = new Owner("acme");
    private static final StoreConfig CONFIG = StoreConfig.of();

    @TempDir
    private Path root;
    private Path directory;
    private Path file;

    @BeforeEach
    void someData() {
        directory = root.resolve("data");
        file = directory.resolve(DataDirectory.MAIN);
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            data.main().write(ACME, tx -> tx.update("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
                    + tx.update("CREATE INDEX t_x ON t (x)"));
            data.main().write(ACME, tx -> tx.update("INSERT INTO t WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL"
                    + " SELECT i + 1 FROM n WHERE i < 5000) SELECT i, 'text of row ' || i || hex(zeroblob(50)) FROM n"));
            data.main().write(ACME, tx -> {
                for (int i = 0; i < 20; i++) {
                    tx.publish(ACME, "type", "subject " + i, "body");
                }
                return 0;
            });
            data.main().leases().request("lease", "me", Duration.ofSeconds(1), Protection.FENCED);
        }
    }

    private void assertDamaged() throws IOException {
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(() -> DataDirectory.open(directory, CONFIG))
                .withMessageContaining(file.toString()).withMessageContaining("backup").satisfies(e -> {
                    assertThat(e.code()).isEqualTo("store.damaged");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                    assertThat(e.getMessage()).doesNotContain("\tat ").doesNotContain("Exception");
                });
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private void overwrite(long from, byte[] bytes) throws IOException {
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            f.seek(from);
            f.write(bytes);
        }
    }

    @Test
    void open_whenHeaderIsGarbage_saysDamaged() throws IOException {
        overwrite(0, "no database at all, just text".getBytes(StandardCharsets.US_ASCII));
        assertDamaged();
    }

    @Test
    void open_whenFileIsTruncated_saysDamaged() throws IOException {
        try (RandomAccessFile f = new RandomAccessFile(file.toFile(), "rw")) {
            f.setLength(f.length() / 2);
        }
        assertDamaged();
    }

    @Test
    void open_whenFileIsEmpty_saysDamagedAndDoesNotBeginAnew() throws IOException {
        Files.write(file, new byte[0]);
        assertDamaged();
    }

    @Test
    void open_whenFileIsGoneButItsLogIsThere_saysDamagedAndKeepsTheLog() throws IOException {
        Files.delete(file);
        Path log = Files.write(directory.resolve(DataDirectory.MAIN + "-wal"), new byte[]{1, 2, 3});
        assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(() -> DataDirectory.open(directory, CONFIG));
        assertThat(log).hasBinaryContent(new byte[]{1, 2, 3});
        assertThat(file).doesNotExist();
    }

    @Test
    void open_whenADirectoryIsInThePlaceOfTheFile_saysSo() throws IOException {
        Files.delete(file);
        Files.createDirectories(file.resolve("inside"));
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> DataDirectory.open(directory, CONFIG))
                .withMessageContaining("not a file").satisfies(e -> {
                    assertThat(e.code()).isEqualTo("store.not-writable");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                });
        assertThat(file.resolve("inside")).isDirectory();
    }

    @Test
    void open_whenAValueMakesNoSense_saysDamaged() throws Exception {
        for (String change : new String[]{"UPDATE meta SET value = 'noon' WHERE key = 'time'",
                "UPDATE lease SET protection = 'NONE'"}) {
            byte[] sound = Files.readAllBytes(file);
            sql(change);
            assertDamaged();
            Files.write(file, sound);
        }
    }

    @Test
    void open_whenItIsAnotherProgramsDatabase_refusesAndChangesNothing() throws Exception {
        Files.delete(file);
        sql("CREATE TABLE bookmarks (url TEXT)");
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(IncompatibleDataException.class)
                .isThrownBy(() -> DataDirectory.open(directory, CONFIG)).withMessageContaining("another program");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void open_whenWrittenByANewerVersion_refusesAndChangesNothing() throws Exception {
        sql("UPDATE schema_version SET version = 4711 WHERE component = 'store'");
        byte[] before = Files.readAllBytes(file);
        assertThatExceptionOfType(IncompatibleDataException.class)
                .isThrownBy(() -> DataDirectory.open(directory, CONFIG)).withMessageContaining("4711")
                .withMessageContaining("newer").satisfies(e -> {
                    assertThat(e.code()).isEqualTo("store.incompatible");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                });
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    /** Pages from the middle on are noise, but the first ones are sound: it opens, and then says what it meets. */
    @Test
    void anyCall_whenPagesInTheMiddleAreNoise_saysDamagedAndNeverLies() throws IOException {
        byte[] noise = new byte[(int) Files.size(file) / 2];
        new Random(1).nextBytes(noise);
        overwrite(Files.size(file) - noise.length, noise);
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            Store store = data.main();
            IntegrityReport report = store.check();
            assertThat(report.sound()).isFalse();
            assertThat(report.problems()).isNotEmpty();
            assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(
                    () -> store
                            .read(snapshot -> snapshot.query("SELECT x FROM t ORDER BY id", row -> row.getString(1))));
            assertThatExceptionOfType(StoreDamagedException.class)
                    .isThrownBy(() -> store.write(ACME, tx -> tx.update("UPDATE t SET x = x || 'y'")));
            assertThatExceptionOfType(StoreClosedException.class)
                    .isThrownBy(() -> store.write(ACME, tx -> tx.update("DELETE FROM t")))
                    .withMessageContaining("damaged");
        }
    }

    @Test
    void check_whenEventsWereTamperedWith_saysWhich() throws Exception {
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(data.main().check().problems()).isEmpty();
            data.main().write(ACME, tx -> {
                tx.publish(ACME, "t", "s", "b");
                return 0;
            });
        }
        sql("UPDATE event SET entries = substr(entries, 1, length(entries) - 3) WHERE first = 1",
                "UPDATE event SET first = 30 WHERE first = 21");
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(data.main().check().problems()).singleElement().asString().contains("event 1");
            assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(() -> data.main().events().after(0, 5));
        }
        sql("UPDATE event SET entries = (SELECT entries FROM event WHERE first = 30), n = 1 WHERE first = 1");
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(data.main().check().problems()).singleElement().asString().contains("30");
        }
    }

    @Test
    void check_whenAnIndexDoesNotFitItsTable_saysSo() throws Exception {
        sql("PRAGMA writable_schema = ON",
                "UPDATE sqlite_schema SET sql = 'CREATE INDEX t_x ON t (id)' WHERE name = 't_x'");
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(data.main().check().sound()).isFalse();
        }
    }

    @Test
    void check_whenBytesInTheFileAreFlipped_findsItOrNothingIsLost() throws IOException {
        byte[] sound = Files.readAllBytes(file);
        Random random = new Random(2);
        int found = 0;
        for (int i = 0; i < 30; i++) {
            byte[] damaged = sound.clone();
            // The beginning of a page says where its rows are: 64 flipped bits there cannot go unnoticed.
            int page = 2 + random.nextInt(damaged.length / 4096 - 2);
            for (int at = page * 4096; at < page * 4096 + 8; at++) {
                damaged[at] ^= (byte) 0xff;
            }
            Files.write(file, damaged);
            try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
                found += data.main().check().sound() ? 0 : 1;
            } catch (StoreDamagedException e) {
                found++;
            }
            Files.deleteIfExists(directory.resolve(DataDirectory.MAIN + "-wal"));
        }
        assertThat(found).isEqualTo(30);
    }
}

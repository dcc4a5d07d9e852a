package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.store.internal.Replacement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database takes the place of one that is damaged; the others and what was there are kept. */
class ReplacementTest {
    private static final Owner ACME = new Owner("acme");
    private static final Owner OTHER = new Owner("other");
    private static final Counter COUNTER = new Counter("replacement.test", 1);
    private static final StoreConfig CONFIG = StoreConfig.of();
    private static final byte[] GARBAGE = "not a database, but long enough to be one".repeat(100)
            .getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path root;
    private Path directory;
    private Path aside;
    private Path backup;

    @BeforeEach
    void someData() {
        directory = root.resolve("data");
        aside = directory.resolve("damaged");
        backup = root.resolve("backups/first");
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            add(data.giveShard(ACME));
            add(data.giveShard(OTHER));
            add(data.main());
            data.backup(backup);
            add(data.store(ACME));
            add(data.store(OTHER));
            add(data.main());
        }
    }

    private static void add(Store store) {
        store.write(ACME, tx -> tx.next(COUNTER, 1));
    }

    private static long count(Store store) {
        return store.read(snapshot -> snapshot.count(COUNTER));
    }

    private Path damage(String name) throws IOException {
        return Files.write(directory.resolve(name), GARBAGE);
    }

    @Test
    void replaceMain_fromABackup_isItsNewLifeAndTheShardsStay() throws IOException {
        damage(DataDirectory.MAIN);
        Files.writeString(directory.resolve(DataDirectory.MAIN + "-wal"), "log");

        DataDirectory.replaceMain(directory, aside, Optional.of(backup), CONFIG);

        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(count(data.main())).isEqualTo(1);
            assertThat(data.main().incarnation().number()).isEqualTo(2);
            assertThat(count(data.store(ACME))).isEqualTo(2);
            assertThat(data.store(ACME).incarnation().number()).isEqualTo(1);
        }
        assertThat(aside.resolve(DataDirectory.MAIN)).hasBinaryContent(GARBAGE);
        assertThat(aside.resolve(DataDirectory.MAIN + "-wal")).hasContent("log");
    }

    @Test
    void replaceMain_withoutABackup_isEmptyAndShardsCanBeGivenAgain() throws IOException {
        Files.delete(directory.resolve(DataDirectory.MAIN));

        DataDirectory.replaceMain(directory, aside, Optional.empty(), CONFIG);

        assertThat(aside).doesNotExist();
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(count(data.main())).isZero();
            assertThat(data.sharded()).isEmpty();
            assertThat(count(data.giveShard(ACME))).isEqualTo(2);
            assertThat(data.sharded()).isEqualTo(Set.of(ACME));
        }
    }

    @Test
    void replaceMain_whenTheBackupIsDamaged_changesNothing() throws IOException {
        Files.write(backup.resolve(DataDirectory.MAIN), GARBAGE);
        byte[] before = Files.readAllBytes(directory.resolve(DataDirectory.MAIN));

        assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(
                () -> DataDirectory.replaceMain(directory, aside, Optional.of(backup), CONFIG));

        assertThat(directory.resolve(DataDirectory.MAIN)).hasBinaryContent(before);
        assertThat(aside).doesNotExist();
    }

    /** As on a full disk: the log of the copy cannot be moved into its file, and SQLite says nothing. */
    @Test
    void replace_whenTheNewLifeIsInTheLogOnly_changesNothing() throws IOException {
        byte[] before = Files.readAllBytes(directory.resolve(DataDirectory.MAIN));

        assertThatExceptionOfType(NotDoneException.class).isThrownBy(() -> Replacement.replace(directory,
                DataDirectory.MAIN, aside, Optional.of(backup), copy -> leaveLog(copy)));

        assertThat(directory.resolve(DataDirectory.MAIN)).hasBinaryContent(before);
        assertThat(aside).doesNotExist();
    }

    private static void leaveLog(Path copy) {
        try {
            Files.write(copy.resolveSibling(copy.getFileName() + "-wal"), GARBAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void backup_whileAShardIsBeingGiven_canBeRestored() throws Exception {
        Path second = root.resolve("backups/second");
        AtomicReference<Runnable> beforeTheAnswer = new AtomicReference<>(() -> {});
        StoreConfig config = CONFIG.withFaults(point -> {
            if (point == Faults.Point.ANSWER) {
                beforeTheAnswer.getAndSet(() -> {}).run();
            }
        });
        try (DataDirectory data = DataDirectory.open(directory, config)) {
            beforeTheAnswer.set(() -> {
                try {
                    Thread.ofPlatform().start(() -> data.backup(second)).join();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            add(data.giveShard(new Owner("new")));
        }
        DataDirectory.restore(second, root.resolve("restored"), CONFIG);
        try (DataDirectory restored = DataDirectory.open(root.resolve("restored"), CONFIG)) {
            assertThat(restored.sharded()).contains(new Owner("new"));
        }
    }

    @Test
    void replaceMain_whenTheDirectoryIsOpen_isRefused() {
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThatExceptionOfType(DirectoryInUseException.class).isThrownBy(
                    () -> DataDirectory.replaceMain(directory, aside, Optional.empty(), CONFIG));
            add(data.main());
        }
    }

    @Test
    void replaceMain_whenSomethingIsSetAsideThereAlready_isRefusedAndOverwritesNothing() throws IOException {
        Files.createDirectories(aside);
        Files.writeString(aside.resolve(DataDirectory.MAIN), "precious");

        assertThatExceptionOfType(NotDoneException.class).isThrownBy(
                () -> DataDirectory.replaceMain(directory, aside, Optional.of(backup), CONFIG))
                .withMessageContaining("already");

        assertThat(aside.resolve(DataDirectory.MAIN)).hasContent("precious");
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(count(data.main())).isEqualTo(2);
        }
    }

    @Test
    void replaceShard_whenDamaged_itsOwnerWorksAgainAndTheOthersAllTheTime() throws IOException {
        damage("shards/acme.db");
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(() -> data.store(ACME));

            Store replaced = data.replaceShard(ACME, aside, Optional.of(backup));

            assertThat(data.store(ACME)).isSameAs(replaced);
            assertThat(count(replaced)).isEqualTo(1);
            assertThat(replaced.incarnation().number()).isEqualTo(2);
            assertThat(count(data.store(OTHER))).isEqualTo(2);
            Store empty = data.replaceShard(ACME, root.resolve("again"), Optional.empty());
            assertThat(count(empty)).isZero();
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> count(replaced));
        }
        assertThat(aside.resolve("shards/acme.db")).hasBinaryContent(GARBAGE);
        try (DataDirectory data = DataDirectory.open(directory, CONFIG)) {
            assertThat(count(data.store(ACME))).isZero();
        }
    }

    @Test
    void backupsIn_aDirectory_areTheNewestFirst() throws IOException {
        Path backups = root.resolve("backups");
        for (String day : new String[]{"2099-01-02", "2099-01-03", "2099-01-01"}) {
            InstantSource clock = InstantSource.fixed(Instant.parse(day + "T00:00:00Z"));
            StoreConfig config = CONFIG.withClocks(clock, CONFIG.ticker());
            try (DataDirectory data = DataDirectory.open(directory, config)) {
                data.backup(backups.resolve(day));
            }
        }
        Files.createDirectories(backups.resolve("no-backup"));
        Files.createFile(backups.resolve("file"));

        assertThat(DataDirectory.backupsIn(backups)).extracting(path -> path.getFileName().toString())
                .containsExactly("2099-01-03", "2099-01-02", "2099-01-01", "first");
        assertThat(DataDirectory.backupsIn(root.resolve("nothing"))).isEmpty();
    }
}

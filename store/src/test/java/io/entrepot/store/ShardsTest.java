package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An owner's own database file. */
class ShardsTest {
    private static final Owner ACME = new Owner("acme");
    private static final Owner OTHER = new Owner("other");
    private static final Counter COUNTER = new Counter("shards.test", 1);
    private static final StoreConfig CONFIG = StoreConfig.of();

    @TempDir
    private Path root;
    private Path directory;

    @BeforeEach
    void paths() {
        directory = root.resolve("data");
    }

    private DataDirectory open() {
        return DataDirectory.open(directory, CONFIG);
    }

    private Path shard(Owner owner) {
        return directory.resolve(DataDirectory.SHARDS).resolve(owner + ".db");
    }

    private static long add(Store store) {
        return store.write(ACME, tx -> tx.next(COUNTER, 1));
    }

    private static long count(Store store) {
        return store.read(snapshot -> snapshot.count(COUNTER));
    }

    @Test
    void store_whenOwnerHasAShard_isThatShardAlsoAfterReopening() {
        try (DataDirectory data = open()) {
            assertThat(data.store(ACME)).isSameAs(data.main());
            Store shard = data.giveShard(ACME);
            assertThat(shard).isNotSameAs(data.main());
            assertThat(data.giveShard(ACME)).isSameAs(shard);
            assertThat(data.store(ACME)).isSameAs(shard);
            assertThat(data.store(OTHER)).isSameAs(data.main());
            assertThat(data.sharded()).isEqualTo(Set.of(ACME));
            add(shard);
            add(shard);
            add(data.main());
        }
        assertThat(shard(ACME)).isRegularFile();
        try (DataDirectory data = open()) {
            assertThat(data.sharded()).isEqualTo(Set.of(ACME));
            assertThat(count(data.store(ACME))).isEqualTo(2);
            assertThat(count(data.main())).isEqualTo(1);
        }
    }

    @Test
    void store_whenManyAskAtOnce_opensEachShardOnce() {
        try (DataDirectory data = open()) {
            data.giveShard(ACME);
            data.giveShard(OTHER);
        }
        try (DataDirectory data = open()) {
            Crowd<Store> crowd = Crowd.start(20, caller -> data.store(caller % 2 == 0 ? ACME : OTHER));
            assertThat(Set.copyOf(crowd.results())).hasSize(2);
            assertThat(Crowd.start(10, _ -> data.giveShard(new Owner("third"))).results()).containsOnly(
                    data.store(new Owner("third")));
        }
    }

    @Test
    void store_whenAShardIsDamaged_failsOnlyItsOwner() throws IOException {
        giveBoth();
        Files.write(shard(ACME), "not a database, but long enough to be one".repeat(100).getBytes(
                StandardCharsets.US_ASCII));
        assertOnlyAcmeIsDamaged();
    }

    @Test
    void store_whenAShardIsMissing_failsOnlyItsOwnerAndIsNotMadeAnew() throws IOException {
        giveBoth();
        Files.delete(shard(ACME));
        assertOnlyAcmeIsDamaged();
        assertThat(shard(ACME)).doesNotExist();
    }

    private void giveBoth() {
        try (DataDirectory data = open()) {
            add(data.giveShard(ACME));
            add(data.giveShard(OTHER));
            add(data.main());
        }
    }

    private void assertOnlyAcmeIsDamaged() {
        try (DataDirectory data = open()) {
            for (int i = 0; i < 2; i++) {
                assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(() -> data.store(ACME))
                        .withMessageContaining("acme.db");
                assertThatExceptionOfType(StoreDamagedException.class).isThrownBy(() -> data.giveShard(ACME));
            }
            assertThat(count(data.store(OTHER))).isEqualTo(1);
            assertThat(add(data.store(OTHER))).isEqualTo(2);
            assertThat(add(data.main())).isEqualTo(2);
            assertThatExceptionOfType(StoreDamagedException.class)
                    .isThrownBy(() -> data.backup(root.resolve("backup")));
        }
    }

    @Test
    void store_whenAShardsCommitFails_othersGoOn() {
        Faults.Point[] failing = {null};
        StoreConfig config = CONFIG.withFaults(point -> {
            if (point == failing[0]) {
                throw new IllegalStateException("no");
            }
        });
        try (DataDirectory data = DataDirectory.open(directory, config)) {
            data.giveShard(ACME);
            failing[0] = Faults.Point.COMMIT;
            assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> add(data.store(ACME)));
            failing[0] = null;
            assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> add(data.store(ACME)));
            add(data.main());
        }
    }

    @Test
    void backupAndRestore_whenThereAreShards_includeThem() {
        try (DataDirectory data = open()) {
            data.giveShard(OTHER);
            add(data.giveShard(ACME));
            data.backup(root.resolve("backup"));
            add(data.store(ACME));
        }
        DataDirectory.restore(root.resolve("backup"), root.resolve("restored"), CONFIG);
        try (DataDirectory data = DataDirectory.open(root.resolve("restored"), CONFIG)) {
            assertThat(data.sharded()).isEqualTo(Set.of(ACME, OTHER));
            assertThat(count(data.store(ACME))).isEqualTo(1);
            assertThat(data.store(ACME).incarnation().number()).isEqualTo(2);
            assertThat(data.store(OTHER).incarnation().number()).isEqualTo(2);
        }
    }

    @Test
    void restore_whenBackupHasAShardThatItsMainDatabaseDoesNotKnow_leavesItOut() throws IOException {
        try (DataDirectory data = open()) {
            data.giveShard(ACME);
            data.backup(root.resolve("backup"));
        }
        // As if the shard had been given between the copy of the main database and the copy of the shards.
        Path unlisted = root.resolve("backup/shards/late.db");
        Files.copy(root.resolve("backup/shards/acme.db"), unlisted);
        Path list = root.resolve("backup/backup.properties");
        String sums = Files.readString(list);
        Files.writeString(list, sums.replace("acme.db", "late.db") + sums);
        DataDirectory.restore(root.resolve("backup"), root.resolve("restored"), CONFIG);
        assertThat(root.resolve("restored/shards/acme.db")).exists();
        assertThat(root.resolve("restored/shards/late.db")).doesNotExist();
    }

    @Test
    void store_whenDirectoryIsClosed_opensNothing() {
        DataDirectory data = open();
        data.giveShard(ACME);
        data.close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> data.store(ACME));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> data.giveShard(OTHER));
        DataDirectory reopened = open();
        DataDirectory unopened = reopened;
        reopened.close();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> unopened.store(ACME));
        assertThat(shard(OTHER)).doesNotExist();
    }
}

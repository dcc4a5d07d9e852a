package io.entrepot.store;

import static io.entrepot.lease.Protection.FENCED;
import static io.entrepot.lease.Protection.UNFENCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.Lease;
import io.entrepot.lease.ManualTicker;
import io.entrepot.lease.Nonces;
import io.entrepot.lease.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Opens the data that every earlier version of the store's tables has written: {@code src/test/data/store-N} was written
 * by version N and is never changed after its release. Whoever makes version N + 1 writes the data of version N first:
 *
 * <pre>mvn -pl lease,store test -Dtest=EarlierVersionsTest -Dsurefire.failIfNoSpecifiedTests=false -Dstore.data=write</pre>
 */
class EarlierVersionsTest {
    private static final Path DATA = Path.of("src/test/data");
    private static final Owner ACME = new Owner("acme");
    private static final Owner APART = new Owner("apart");
    private static final Counter COUNTER = new Counter("files", 42);
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");
    private static final Duration TERM = Duration.ofSeconds(6);

    @TempDir
    private Path root;

    private static StoreConfig config() {
        return StoreConfig.of().withClocks(() -> THEN, new ManualTicker()).withNonces(Nonces.seeded(7));
    }

    /** Makes what {@link #assertContent} looks for. */
    private static void write(Path directory) {
        try (DataDirectory data = DataDirectory.open(directory, config())) {
            Store store = data.main();
            store.write(ACME, tx -> {
                tx.add(COUNTER, 17);
                tx.publish(ACME, "forgotten", "1", "");
                return 0;
            });
            store.events().forgetBefore(THEN.plusSeconds(1));
            store.write(ACME, tx -> {
                tx.publish(ACME, "made", "港", "{\"bytes\": 7}");
                tx.publish(Owner.SYSTEM, "gone", "", "");
                return 0;
            });
            store.leases().request("held", "a", TERM, UNFENCED);
            Verdict.Granted granted = (Verdict.Granted) store.leases().request("free", "b", TERM, FENCED);
            store.leases().release("free", granted.lease().fence());
            data.giveShard(APART).write(APART, tx -> {
                tx.add(COUNTER, 3);
                return 0;
            });
        }
    }

    private static void assertContent(DataDirectory data) {
        Store store = data.main();
        assertThat(store.incarnation().number()).isEqualTo(1);
        assertThat(store.incarnation().id()).hasSize(16);
        assertThat(store.<Long>read(snapshot -> snapshot.count(COUNTER))).isEqualTo(17);
        assertThat(store.events().oldest()).isEqualTo(2);
        assertThat(store.events().after(0, 10)).containsExactly(
                new Event(2, THEN, ACME, "made", "港", "{\"bytes\": 7}"),
                new Event(3, THEN, Owner.SYSTEM, "gone", "", ""));
        Lease held = store.leases().current("held").orElseThrow();
        assertThat(held).isEqualTo(
                new Lease("held", "a", new Fence(new Epoch(1), held.fence().nonce()), TERM, UNFENCED));
        assertThat(((Verdict.Granted) store.leases().request("free", "c", TERM, FENCED)).lease().fence().epoch())
                .isEqualTo(new Epoch(2));
        assertThat(store.<Long>read(Snapshot::now)).isGreaterThanOrEqualTo(THEN.toEpochMilli());
        assertThat(data.sharded()).isEqualTo(Set.of(APART));
        assertThat(data.store(APART).<Long>read(snapshot -> snapshot.count(COUNTER))).isEqualTo(3);
        for (Store each : List.of(store, data.store(APART))) {
            assertThat(each.check().problems()).isEmpty();
        }
    }

    private static int version(Store store) {
        return store.read(snapshot -> snapshot.first("SELECT version FROM schema_version WHERE component = 'store'",
                row -> row.getInt(1)).orElseThrow());
    }

    private int currentVersion() {
        try (DataDirectory data = DataDirectory.open(root.resolve("current"), config())) {
            return version(data.main());
        }
    }

    static List<Path> written() throws IOException {
        try (Stream<Path> directories = Files.list(DATA)) {
            return directories.sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("written")
    void open_whenAnEarlierVersionWroteTheData_findsAllOfIt(Path written) throws IOException {
        Path copy = root.resolve("copy");
        copy(written, copy);
        try (DataDirectory data = DataDirectory.open(copy, config())) {
            assertContent(data);
            assertThat(version(data.main())).isEqualTo(currentVersion());
        }
    }

    @Test
    void data_ofEveryEarlierVersion_isThere() throws IOException {
        assertThat(written()).isNotEmpty()
                .containsAll(IntStream.range(1, currentVersion()).mapToObj(n -> DATA.resolve("store-" + n)).toList());
    }

    @Test
    void write_whenOpenedAgain_isWhatTheOtherTestsLookFor() {
        write(root.resolve("new"));
        try (DataDirectory data = DataDirectory.open(root.resolve("new"), config())) {
            assertContent(data);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "store.data", matches = "write")
    void writeDataOfThisVersion() throws IOException {
        Path made = root.resolve("made");
        write(made);
        Files.delete(made.resolve("entrepot.lock"));
        copy(made, DATA.resolve("store-" + currentVersion()));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }
}

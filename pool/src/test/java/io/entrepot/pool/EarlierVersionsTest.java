package io.entrepot.pool;

import static io.entrepot.pool.EarlierData.ACME;
import static io.entrepot.pool.EarlierData.GLOBEX;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Data of every version of the tables so far can be opened, and means what it meant. See {@link EarlierData}. */
class EarlierVersionsTest {
    private static final Path DATA = Path.of("src", "test", "data");

    static IntStream versions() {
        return IntStream.rangeClosed(1, Pool.SCHEMA.version());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void open_whenTheDataIsOfAnEarlierVersion_isAsItWasLeft(int version, @TempDir Path work) throws Exception {
        Path data = DATA.resolve("pool-" + version);
        assertThat(data).as("data of version %s; make it before the next version is begun", version).isDirectory();
        Properties names = new Properties();
        try (InputStream in = Files.newInputStream(data.resolve(EarlierData.NAMES))) {
            names.load(in);
        }
        Files.copy(data.resolve(EarlierData.DATABASE), work.resolve(EarlierData.DATABASE));
        try (Pool pool = Pool.open(PoolConfig.in(work).withTenant(ACME).withVolume(
                VolumeSpec.of("another", work.resolve("another"))))) {
            isAsItWas(pool, names);
            goesOn(pool, names);
        }
    }

    private static void isAsItWas(Pool pool, Properties names) {
        Set<FileStatus> states = EnumSet.complementOf(EnumSet.of(FileStatus.HELD));
        for (FileStatus status : states) {
            FileInfo file = pool.files().get(ACME, FileKey.parse(names.getProperty(status.name())));
            assertThat(file.status()).isEqualTo(status);
            assertThat(file.name()).contains(status.name() + ".txt");
            assertThat(file.directory().path()).isEqualTo("in/box");
            assertThat(file.labels().all()).isEqualTo(Map.of("state", status.name()));
            assertThat(file.modified()).isEqualTo(
                    Optional.ofNullable(names.getProperty(EarlierData.MODIFIED)).map(Instant::parse));
            assertThat(pool.explain(ACME, file.key())).isNotEmpty();
        }
        FileKey deleted = FileKey.parse(names.getProperty("deleted"));
        assertThat(pool.files().find(ACME, deleted)).isEmpty();
        assertThat(pool.explain(ACME, deleted)).anyMatch(line -> line.contains("not needed"));
        assertThat(pool.tenants().usage(ACME).files()).isEqualTo(states.size());
        assertThat(pool.tenants().get(GLOBEX).status()).isEqualTo(TenantStatus.SUSPENDED);
        assertThat(pool.tenants().get(GLOBEX).limits().files()).hasValue(7);
        assertThat(pool.quotas().rules()).extracting(QuotaRule::pattern).containsExactly("acme/in/*");
        assertThat(pool.quotas().recount(ACME).corrections()).isEmpty();
    }

    /** The volume of then is not here, and another one is. */
    private static void goesOn(Pool pool, Properties names) throws Exception {
        assertThat(pool.work().complete(FileLease.parse(names.getProperty("lease"))).repeated()).isFalse();
        assertThatExceptionOfType(FileNotFoundException.class).isThrownBy(
                () -> pool.files().get(ACME, FileKey.parse(names.getProperty("PROCESSING"))));
        StoredFile same = pool.files().write(ACME, NewFile.named("PENDING.txt").in("in/box")
                .withIdempotencyKey("PENDING"), "PENDING".getBytes(UTF_8));
        assertThat(same.created()).isFalse();
        StoredFile fresh = pool.files().write(ACME, NewFile.named("new.txt").withModified(Instant.EPOCH),
                "new".getBytes(UTF_8));
        assertThat(fresh.created()).isTrue();
        assertThat(pool.files().get(ACME, fresh.key()).modified()).contains(Instant.EPOCH);
        assertThat(pool.work().claim(ACME, "worker").orElseThrow().key().toString())
                .isEqualTo(names.getProperty("PENDING"));
    }
}

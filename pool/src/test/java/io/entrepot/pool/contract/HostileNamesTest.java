package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names that fit nowhere are refused in words, and never half. */
class HostileNamesTest {
    private Pool pool;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        pool = Pool.open(PoolConfig.in(directory.resolve("data"))
                .withPlatform(PoolConfig.Platform.system().withStore(StoreConfig.of().withSync(false))));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void write_whenAllThatIsSaidOfAFileIsTooLongToBeCarried_isRefused() {
        NewFile file = NewFile.named("n".repeat(255)).in("d".repeat(512)).withLabels(Map.of("l", "v".repeat(1000)));
        refused(file, new byte[10]);
        refused(file, new byte[100_000]);
        refused(NewFile.unnamed().from("s".repeat(5000)), new byte[10]);
        assertThat(pool.tenants().usage(TenantId.DEFAULT).files()).isZero();
    }

    @Test
    void write_whenItJustFits_isCarried() throws Exception {
        NewFile file = NewFile.named("n".repeat(255)).in("d".repeat(512)).withLabels(Map.of("l", "v".repeat(600)));
        FileKey key = pool.files().write(TenantId.DEFAULT, file, new byte[10]).key();
        assertThat(pool.files().get(TenantId.DEFAULT, key).directory().path()).hasSize(512);
    }

    @Test
    void write_whenANameHasHalfACharacter_isRefused() {
        String half = "a\uD83D.txt";
        refused(NewFile.named(half), new byte[10]);
        refused(NewFile.unnamed().in("in/" + half), new byte[10]);
        refused(NewFile.unnamed().withLabels(Map.of("label", half)), new byte[10]);
        refused(NewFile.unnamed().withIdempotencyKey(half), new byte[10]);
        refused(NewFile.unnamed().from(half), new byte[10]);
    }

    private void refused(NewFile file, byte[] content) {
        assertThatThrownBy(() -> pool.files().write(TenantId.DEFAULT, file, content))
                .isInstanceOf(InvalidNameException.class);
    }
}

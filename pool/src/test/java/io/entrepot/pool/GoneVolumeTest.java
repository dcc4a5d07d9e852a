package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A volume that is not there when the pool is opened. */
class GoneVolumeTest {

    @Test
    void problem_whenManyFail_staysTheOneItBeganWith(@TempDir Path directory) throws Exception {
        PoolConfig config = PoolConfig.in(directory.resolve("data")).withVolume(VolumeSpec.of("disk",
                directory.resolve("disk")));
        FileKey key;
        try (Pool pool = Pool.open(config)) {
            key = pool.files().write(TenantId.DEFAULT, NewFile.named("a"), new byte[10]).key();
        }
        Files.move(directory.resolve("disk"), directory.resolve("gone"));

        try (Pool pool = Pool.open(config)) {
            String problem = pool.volumes().list().getFirst().problem().orElseThrow();
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> pool.files().open(TenantId.DEFAULT, key))
                        .isInstanceOf(StorageVolumeUnavailableException.class).hasMessageContaining("is not there");
            }
            assertThat(pool.volumes().list().getFirst().problem()).contains(problem);
            assertThat(problem).doesNotContain("has failed");
        }
    }
}

package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory belongs to no place: it may be moved, copied, or unpacked elsewhere, with the volume that lies in it. */
class MovedDirectoryTest {
    private static final byte[] CONTENT = "cargo".getBytes(StandardCharsets.UTF_8);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private FileKey store(PoolConfig config) throws InterruptedException {
        try (Pool pool = Pool.open(config)) {
            return pool.files().write(TenantId.DEFAULT, NewFile.named("a"), CONTENT).key();
        }
    }

    private static byte[] read(Pool pool, FileKey key) throws IOException, InterruptedException {
        try (FileContent content = pool.files().open(TenantId.DEFAULT, key)) {
            return content.stream().readAllBytes();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            all = walk.toList();
        }
        for (Path each : all) {
            Files.copy(each, to.resolve(from.relativize(each)), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    @Test
    void directory_whenItWasMoved_hasItsFiles() throws Exception {
        Path before = directory.resolve("before");
        Path after = directory.resolve("after");
        FileKey key = store(PoolConfig.in(before));
        Files.move(before, after);

        try (Pool pool = Pool.open(PoolConfig.in(after))) {
            assertThat(read(pool, key)).isEqualTo(CONTENT);
            assertThat(pool.volumes().list()).extracting(VolumeInfo::location)
                    .containsExactly(Location.of(after.resolve("files")));
        }
        assertThat(before).doesNotExist();
    }

    @Test
    void directory_whenItWasCopied_leavesTheFilesOfTheOriginalAlone() throws Exception {
        Path original = directory.resolve("original");
        Path copy = directory.resolve("copy");
        FileKey key = store(PoolConfig.in(original));
        copy(original, copy);

        try (Pool pool = Pool.open(PoolConfig.in(copy))) {
            assertThat(read(pool, key)).isEqualTo(CONTENT);
            pool.files().delete(TenantId.DEFAULT, key, "no longer wanted");
        }
        try (Pool pool = Pool.open(PoolConfig.in(original))) {
            assertThat(read(pool, key)).isEqualTo(CONTENT);
        }
    }

    @Test
    void volume_whenItWasMovedAndTheConfigurationSaysWhere_isFollowed() throws Exception {
        Path data = directory.resolve("data");
        Path before = directory.resolve("disk-a");
        Path after = directory.resolve("disk-b");
        FileKey key = store(PoolConfig.in(data).withVolume(VolumeSpec.of("disk", before)));
        Files.move(before, after);

        try (Pool pool = Pool.open(PoolConfig.in(data).withVolume(VolumeSpec.of("disk", after)))) {
            assertThat(read(pool, key)).isEqualTo(CONTENT);
        }
    }

    @Test
    void volume_whenSomethingElseIsWhereTheConfigurationSays_isNotTakenForIt() throws Exception {
        Path data = directory.resolve("data");
        Path before = directory.resolve("disk-a");
        FileKey key = store(PoolConfig.in(data).withVolume(VolumeSpec.of("disk", before)));
        store(PoolConfig.in(directory.resolve("other")).withVolume(VolumeSpec.of("disk", directory.resolve("disk-c"))));

        try (Pool pool = Pool.open(PoolConfig.in(data).withVolume(VolumeSpec.of("disk",
                directory.resolve("disk-c"))))) {
            assertThat(read(pool, key)).isEqualTo(CONTENT);
            assertThat(pool.volumes().list()).extracting(VolumeInfo::location).containsExactly(Location.of(before));
        }
    }
}

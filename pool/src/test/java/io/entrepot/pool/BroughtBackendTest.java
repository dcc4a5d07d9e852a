package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes whose backends somebody brings: found on the class path, or given to the configuration. */
class BroughtBackendTest {
    private static final byte[] CONTENT = "cargo".getBytes(StandardCharsets.UTF_8);

    private final Moorings harbour = new Moorings("harbour");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private PoolConfig config;

    @BeforeEach
    void configure() {
        config = PoolConfig.in(directory.resolve("data")).withBackends(harbour);
    }

    private Location at(String scheme, String name) {
        return Location.parse(scheme + ":" + directory.resolve(name));
    }

    private VolumeSpec berth() {
        return VolumeSpec.of("berth", at("harbour", "berth"));
    }

    private static FileKey write(Pool pool) throws InterruptedException {
        return pool.files().write(TenantId.DEFAULT, NewFile.named("a"), CONTENT).key();
    }

    private static byte[] read(Pool pool, FileKey key) throws IOException, InterruptedException {
        try (FileContent content = pool.files().open(TenantId.DEFAULT, key)) {
            return content.stream().readAllBytes();
        }
    }

    private void loseDatabase() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    private FileKey storedAtBerth() throws InterruptedException {
        try (Pool pool = Pool.open(config.withVolume(berth()))) {
            return write(pool);
        }
    }

    @Test
    void mount_ofASchemeThatIsFoundOrGiven_isKnownAfterARestart() throws Exception {
        FileKey key;
        try (Pool pool = Pool.open(config)) {
            pool.volumes().mount(VolumeSpec.of("found", at("moored", "found")));
            pool.volumes().mount(VolumeSpec.of("given", at("harbour", "given")).asSpare());
            pool.volumes().setReadOnly("main");
            key = write(pool);
            assertThat(pool.files().get(TenantId.DEFAULT, key).volume()).isEqualTo("found");
        }

        try (Pool pool = Pool.open(config)) {
            assertThat(pool.volumes().list()).extracting(VolumeInfo::location).containsExactly(
                    Location.of(directory.resolve("data/files")), at("moored", "found"), at("harbour", "given"));
            assertThat(read(pool, key)).isEqualTo(CONTENT);
        }
    }

    @Test
    void mount_ofASchemeThatNobodyBrings_isRefused() throws Exception {
        try (Pool pool = Pool.open(config)) {
            assertThatThrownBy(() -> pool.volumes().mount(VolumeSpec.of("far", Location.parse("ether:far"))))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContaining("nobody brings volumes at ether:")
                    .hasMessageContaining("file, harbour, moored")
                    .extracting(e -> ((PoolException) e).code()).isEqualTo("pool.invalid-setting");
            assertThatThrownBy(() -> pool.volumes().mount(VolumeSpec.of("near", Location.parse("harbour:near"))))
                    .isInstanceOf(InvalidSettingException.class).hasMessageContaining("it is no whole path");
            pool.volumes().mount(VolumeSpec.of("berth", at("harbour", "berth/a")));
            assertThatThrownBy(() -> pool.volumes().mount(VolumeSpec.of("inner", at("harbour", "berth/a/b"))))
                    .isInstanceOf(InvalidSettingException.class).hasMessageContaining("within each other");
            assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("main", "berth");
        }
        assertThatThrownBy(() -> Pool.open(PoolConfig.in(directory.resolve("other"))
                .withVolume(VolumeSpec.of("far", Location.parse("ether:far")))))
                .isInstanceOf(InvalidSettingException.class);
        assertThat(directory.resolve("other/files")).doesNotExist();
    }

    @Test
    void open_whenTheBackendIsNoLongerBrought_hasTheOtherVolumes() throws Exception {
        FileKey key;
        try (Pool pool = Pool.open(config)) {
            key = write(pool);
            pool.volumes().mount(berth());
        }

        try (Pool pool = Pool.open(PoolConfig.in(directory.resolve("data")))) {
            assertThat(read(pool, key)).isEqualTo(CONTENT);
            assertThat(pool.volumes().get("berth").health()).isEqualTo(VolumeHealth.FAILED);
            assertThat(pool.volumes().get("berth").problem().orElseThrow())
                    .contains("nobody brings volumes at harbour:");
        }
    }

    @Test
    void open_whenTheBackendIsMistaken_hasTheOtherVolumes() throws Exception {
        try (Pool pool = Pool.open(config)) {
            pool.volumes().mount(berth());
            harbour.mistaken = true;
            assertThatThrownBy(() -> pool.volumes().mount(VolumeSpec.of("more", at("harbour", "more"))))
                    .isInstanceOf(StorageVolumeUnavailableException.class)
                    .hasMessageContaining("nobody has thought of this");
        }
        try (Pool pool = Pool.open(config)) {
            assertThat(read(pool, write(pool))).isEqualTo(CONTENT);
            assertThat(pool.volumes().get("berth").health()).isEqualTo(VolumeHealth.FAILED);
        }
    }

    @Test
    void open_whenTwoBringTheSame_isRefused() {
        assertThatThrownBy(() -> Pool.open(config.withBackends(new Moorings("harbour"))))
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("harbour:");
        assertThatThrownBy(() -> Pool.open(config.withBackends(new Moorings("file"))))
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("file:");
    }

    @Test
    void open_whenTheDatabaseIsGone_knowsThatByTheVolume() throws Exception {
        storedAtBerth();
        loseDatabase();

        assertThatThrownBy(() -> Pool.open(config.withVolume(berth()))).isInstanceOf(PoolUnavailableException.class);
        harbour.away = true;
        assertThatThrownBy(() -> Pool.open(config.withVolume(berth())))
                .isInstanceOf(StorageVolumeUnavailableException.class).hasMessageContaining("Nothing was changed");
        assertThat(directory.resolve("data/files")).doesNotExist();
    }

    @Test
    void rebuild_bringsBackSettingsAndFilesFromTheVolume() throws Exception {
        FileKey key;
        try (Pool pool = Pool.open(config.withVolume(berth()))) {
            pool.volumes().mount(VolumeSpec.of("more", at("harbour", "more")).withDepth(1));
            pool.volumes().setReadOnly("berth");
            key = write(pool);
        }
        loseDatabase();

        PoolConfig rebuilding = config.withVolume(berth()).withRecovery(new Recovery(true, Optional.empty()));
        try (Pool pool = Pool.open(rebuilding)) {
            RecoveryReport report = pool.recoveries().getFirst();
            assertThat(report.settings()).contains(at("harbour", "berth"));
            assertThat(report.total().rebuilt()).isEqualTo(1);
            assertThat(pool.volumes().list()).extracting(VolumeInfo::name).containsExactly("berth", "more");
            assertThat(pool.files().get(TenantId.DEFAULT, key).volume()).isEqualTo("more");
            assertThat(read(pool, key)).isEqualTo(CONTENT);
        }
    }

    @Test
    void open_whenTheVolumeWasMovedAndTheConfigurationSaysWhere_isFollowed() throws Exception {
        FileKey key = storedAtBerth();
        Files.move(directory.resolve("berth"), directory.resolve("moved"));

        try (Pool pool = Pool.open(config.withVolumes(List.of(VolumeSpec.of("berth", at("harbour", "moved")))))) {
            assertThat(pool.volumes().get("berth").location()).isEqualTo(at("harbour", "moved"));
            assertThat(read(pool, key)).isEqualTo(CONTENT);
        }
    }
}

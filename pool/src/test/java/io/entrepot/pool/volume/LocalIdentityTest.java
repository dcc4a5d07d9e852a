package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Nonces;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Which directory is taken for a volume, and which is not. */
@ParameterizedClass
@MethodSource("forms")
class LocalIdentityTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // before each test
    FileCalls calls;
    @TempDir
    @SuppressWarnings("NullAway.Init") // before each test
    Path place;
    private final AtomicLong nonce = new AtomicLong();
    private final LocalBackend.Settings settings = LocalBackend.Settings.of("v1")
            .withNonces((Nonces) nonce::incrementAndGet);
    private final MountPools pools = new MountPools(FileCalls.system(), 4, BootClock.system());

    static List<FileCalls> forms() {
        return List.of(FileCalls.system(), FileCalls.nio());
    }

    @AfterEach
    void close() {
        pools.close();
    }

    private LocalBackend open(Path root, LocalBackend.Settings with) throws Exception {
        return LocalBackend.open(calls, pools, root, with);
    }

    @Test
    void open_whenThereIsNothing_isRefusedUnlessToldToCreate() throws Exception {
        Path root = place.resolve("not/yet");
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> open(root, settings));
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> open(place, settings));
        assertThat(place).isEmptyDirectory();
        open(root, settings.withCreate(true)).close();
        assertThat(root.resolve(".entrepot/volume")).hasContent("entrepot volume v1\n");
        open(root, settings).close();
    }

    @Test
    void open_whenItIsAnothersVolume_isRefusedEvenIfToldToCreate() throws Exception {
        open(place, settings.withCreate(true)).close();
        LocalBackend.Settings other = LocalBackend.Settings.of("v2");
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> open(place, other));
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> open(place, other.withCreate(true)));
        assertThat(place.resolve(".entrepot/volume")).hasContent("entrepot volume v1\n");
    }

    @Test
    void open_whenSeveralCreateAtOnce_areOneVolume() throws Exception {
        List<LocalBackend> opened = Crowd.run(8, _ -> open(place.resolve("new"), settings.withCreate(true)));
        for (LocalBackend backend : opened) {
            backend.put(path(opened.indexOf(backend) + 1), bytes("x"), description());
        }
        AtomicLong begun = new AtomicLong();
        opened.getFirst().begun(_ -> begun.incrementAndGet());
        assertThat(begun).hasValue(0);
        opened.forEach(LocalBackend::close);
    }

    @Test
    void open_byASymbolicLink_isTheVolumeItself() throws Exception {
        Path link = Files.createSymbolicLink(place.resolve("link"), Files.createDirectory(place.resolve("real")));
        try (LocalBackend backend = open(link, settings.withCreate(true))) {
            assertThat(backend.path(path(1)).orElseThrow().toString()).startsWith(place.toRealPath() + "/real/");
        }
    }

    @Test
    void files_areForTheirOwnerAndGroupOnly() throws Exception {
        try (LocalBackend backend = open(place, settings.withCreate(true))) {
            backend.put(path(1), bytes("x"), description());
            Path file = backend.path(path(1)).orElseThrow();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-r-----");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                    .isEqualTo("rwxr-x---");
        }
    }

    /** As when its storage is unmounted: what is there then is an empty directory. */
    @Test
    void everything_whenTheVolumeIsGone_saysSoAndNotThatBlobsAreMissing() throws Exception {
        Path root = place.resolve("root");
        try (LocalBackend backend = open(root, settings.withCreate(true))) {
            backend.put(path(1), bytes("x"), description());
            Files.move(root, place.resolve("elsewhere"));
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, backend::probe);
            Files.createDirectory(root);
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, backend::probe);
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, backend::space);
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.open(path(2)));
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.find(path(2)));
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.delete(path(2)));
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.walk(_ -> {}, _ -> {}));
            assertThat(root).isEmptyDirectory();
        }
    }

    @Test
    void settings_thatCannotBe_areRefused() {
        for (String name : new String[]{"", ".", "a/b", "a b", "x".repeat(65), "a\n"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> LocalBackend.Settings.of(name));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withPatience(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> settings.withDirectories(0));
        assertThat(LocalBackend.Settings.of("v").patience()).isEqualTo(Duration.ofSeconds(30));
        assertThat(LocalBackend.Settings.of("v").create()).isFalse();
        assertThat(LocalBackend.Settings.of("v").directories()).isEqualTo(256);
    }
}

package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDirectory;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A volume whose storage is mounted, unmounted, made read-only, and has other storage in it. */
@ParameterizedClass
@MethodSource("forms")
class LocalMountsTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // before each test
    FileCalls calls;
    @SuppressWarnings("NullAway.Init") // before each test
    private LabDirectory place;
    @SuppressWarnings("NullAway.Init") // before each test
    private MountPools pools;
    @SuppressWarnings("NullAway.Init") // before each test
    private Path root;

    static List<FileCalls> forms() {
        return List.of(FileCalls.system(), FileCalls.nio());
    }

    @BeforeEach
    void mount() throws Exception {
        place = LabDirectory.create(DiskOptions.memory());
        pools = new MountPools(calls, 4, BootClock.system());
        root = Files.createDirectory(place.path().resolve("root"));
        assumeTrue(run("mount", "-t", "tmpfs", "tmpfs", root.toString()), "a file system cannot be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        pools.close();
        place.close(); // and all that is mounted in it
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start().waitFor() == 0;
    }

    private LocalBackend open(boolean create) throws Exception {
        return LocalBackend.open(calls, pools, root, LocalVolume.SETTINGS.withCreate(create));
    }

    @Test
    void volume_whenItsStorageIsUnmounted_isNotTakenForAnEmptyOne() throws Exception {
        try (LocalBackend backend = open(true)) {
            backend.put(path(1), bytes("x"), description());
            assertThat(run("umount", "-l", root.toString())).isTrue();
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, backend::probe);
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, backend::space);
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.find(path(2)));
            assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.walk(_ -> {}, _ -> {}));
        }
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> open(false));
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void volume_whenReadOnly_canBeReadOnly() throws Exception {
        try (LocalBackend backend = open(true)) {
            backend.put(path(1), bytes("x"), description());
            assertThat(run("mount", "-o", "remount,ro", root.toString())).isTrue();
            for (LocalBackend one : List.of(backend, open(false))) {
                assertFails(VolumeException.Kind.READ_ONLY, () -> one.put(path(2), bytes("x"), description()));
                assertFails(VolumeException.Kind.READ_ONLY, one::begin);
                assertFails(VolumeException.Kind.READ_ONLY, () -> one.delete(path(1)));
                assertFails(VolumeException.Kind.READ_ONLY, one::probe);
                assertThat(one.find(path(1))).isPresent();
                assertThat(one.traits()).isEqualTo(backend.traits());
                assertThat(one.description(path(1)).isPresent()).isEqualTo(one.traits().described());
                one.close();
            }
        }
    }

    @Test
    void walk_whenOtherStorageIsMountedInside_tellsOfItAndDoesNotEnter() throws Exception {
        try (LocalBackend backend = open(true)) {
            backend.put(path(1), bytes("x"), description());
            Path inside = Files.createDirectory(root.resolve("other"));
            assertThat(run("mount", "-t", "tmpfs", "tmpfs", inside.toString())).isTrue();
            Files.writeString(inside.resolve("not ours"), "x");
            List<Backend.Stored> blobs = new ArrayList<>();
            List<Backend.Stray> strays = new ArrayList<>();
            backend.walk(blobs::add, strays::add);
            assertThat(blobs).extracting(Backend.Stored::path).containsExactly(path(1));
            assertThat(strays).extracting(Backend.Stray::path).containsExactly("other");
            assertThat(backend.emptyDirectories().removeAll(Optional.empty(), _ -> false, false, _ -> {}))
                    .isZero();
        }
    }
}

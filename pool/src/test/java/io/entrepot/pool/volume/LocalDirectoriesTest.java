package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.FaultyCalls;
import io.entrepot.lab.HookedCalls;
import io.entrepot.pool.TenantId;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Capability;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What lies about on a volume: directories that hold nothing, and what is not ours. */
@ParameterizedClass
@MethodSource("forms")
class LocalDirectoriesTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // before each test
    FileCalls calls;
    @SuppressWarnings("NullAway.Init") // before each test
    private LocalVolume volume;

    static List<FileCalls> forms() {
        return List.of(FileCalls.system(), FileCalls.nio());
    }

    @BeforeEach
    void open() throws Exception {
        volume = new LocalVolume(calls);
    }

    @AfterEach
    void close() throws Exception {
        volume.close();
    }

    private void put(BlobPath path) throws Exception {
        volume.backend.put(path, bytes("x"), description());
    }

    private static String digits(long number, int from, int to) {
        return path(number).key().toString().substring(from, to);
    }

    @Test
    void removeAbove_whenNothingIsLeft_removesUpToTheTenant() throws Exception {
        put(path(1));
        put(path(2));
        EmptyDirectories empty = volume.backend.emptyDirectories();
        volume.backend.delete(path(1));
        assertThat(empty.removeAbove(path(1), _ -> false, _ -> {})).as("another one is there").isZero();
        volume.backend.delete(path(2));
        assertThat(empty.removeAbove(path(2), "acme"::equals, _ -> {})).as("the tenant's is protected").isEqualTo(2);
        assertThat(volume.root.resolve("acme")).isEmptyDirectory();
        assertThat(empty.removeAbove(path(2), _ -> false, _ -> {})).isEqualTo(1);
        assertThat(volume.root.resolve("acme")).doesNotExist();
        assertThat(empty.removeAbove(path(2), _ -> false, _ -> {})).as("all gone").isZero();
    }

    @Test
    void removeAll_inADryRun_tellsWhatItWouldRemove() throws Exception {
        Path root = volume.root;
        Files.createDirectories(root.resolve("acme/00/01/02"));
        Files.createDirectories(root.resolve("acme/00/02"));
        Files.createDirectories(root.resolve("acme/not-ours/00"));
        Files.createDirectories(root.resolve("other/00"));
        Files.createDirectories(root.resolve("Not a tenant/00"));
        put(path(new TenantId("third"), 1));
        List<String> told = new ArrayList<>();
        EmptyDirectories empty = volume.backend.emptyDirectories();
        assertThat(empty.removeAll(Optional.empty(), "acme/00/02"::equals, true, told::add)).isEqualTo(4);
        assertThat(told).containsExactlyInAnyOrder("acme/00/01/02", "acme/00/01", "other/00", "other");
        assertThat(root.resolve("acme/00/01/02")).exists();
        List<String> removed = new ArrayList<>();
        empty.removeAll(Optional.empty(), "acme/00/02"::equals, false, removed::add);
        assertThat(removed).containsExactlyInAnyOrderElementsOf(told);
        assertThat(root.resolve("acme/00/01")).doesNotExist();
        assertThat(root.resolve("acme/00/02")).exists();
        assertThat(root.resolve("acme/not-ours/00")).exists();
        assertThat(root.resolve("Not a tenant/00")).exists();
        assertThat(empty.removeAll(Optional.of(new TenantId("acme")), _ -> false, false, _ -> {})).isEqualTo(2);
    }

    @Test
    void removeAll_whenADirectoryVanishesBeforeItsEntriesAreRead_goesOn() throws Exception {
        put(path(1));
        volume.backend.delete(path(1));
        Path leaf = volume.root.resolve("acme").resolve(digits(1, 0, 2)).resolve(digits(1, 2, 4));
        HookedCalls vanishing = new HookedCalls((call, directory) -> {
            if (call.equals("stat") && directory.equals(BytePath.of(leaf))) {
                assertThat(leaf.toFile().delete()).isTrue();
            }
            return true;
        });
        try (MountPools pools = new MountPools(vanishing, 4, BootClock.system());
                LocalBackend again = LocalBackend.open(vanishing, pools, volume.root, LocalVolume.SETTINGS)) {
            assertThat(again.emptyDirectories().removeAll(Optional.empty(), _ -> false, false, _ -> {})).isEqualTo(2);
        }
        assertThat(leaf).doesNotExist();
        assertThat(volume.root.resolve("acme")).doesNotExist();
    }

    /** 32 threads share three directories, and take them away as soon as they may be empty. */
    @Test
    void place_whileEmptyDirectoriesAreRemoved_neverFails() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        EmptyDirectories empty = volume.backend.emptyDirectories();
        Crowd<Integer> remover = Crowd.start(1, _ -> {
            int removed = 0;
            while (!done.get()) {
                removed += empty.removeAll(Optional.empty(), _ -> false, false, _ -> {});
            }
            return removed;
        });
        int each = calls.can(Capability.SYNC_FILE_SYSTEM) ? 40 : 15;
        List<BlobPath> placed = Crowd.run(32, caller -> {
            for (int i = 0; i < each; i++) {
                BlobPath path = path(1 + 256L * (i % 3) + caller);
                placeSomehow(path, i % 4 == 0);
                assertThat(volume.backend.path(path).orElseThrow()).exists();
                assertThat(volume.backend.delete(path)).isTrue();
                empty.removeAbove(path, _ -> false, _ -> {});
            }
            placeSomehow(path(1 + 256L * (caller % 3) + caller), caller % 2 == 0);
            return path(1 + 256L * (caller % 3) + caller);
        });
        done.set(true);
        remover.results();
        for (BlobPath path : placed) {
            assertThat(volume.backend.find(path)).as(path.toString()).isPresent();
        }
    }

    private void placeSomehow(BlobPath path, boolean piecewise) throws Exception {
        if (!piecewise) {
            put(path);
            return;
        }
        try (Incoming incoming = volume.backend.begin()) {
            incoming.write(bytes("x"));
            incoming.place(path, description());
        }
    }

    private interface Placed {
        void on(Backend backend) throws Exception;
    }

    @Test
    void put_whenTheDirectoriesAreRemovedRightBefore_makesThemAgain() throws Exception {
        String call = calls.can(Capability.MARKED_FILES) ? "create" : "link";
        placedAlthoughRemovedBefore(call, backend -> backend.put(path(1), bytes("x"), description()));
    }

    @Test
    void place_whenTheDirectoriesAreRemovedRightBeforeTheMove_makesThemAgain() throws Exception {
        String call = calls.can(Capability.NO_REPLACE) ? "rename" : "link";
        placedAlthoughRemovedBefore(call, backend -> {
            try (Incoming incoming = backend.begin()) {
                incoming.place(path(1), description());
            }
        });
    }

    private void placedAlthoughRemovedBefore(String call, Placed placed) throws Exception {
        FaultyCalls faulty = new FaultyCalls(calls);
        try (LocalBackend backend = LocalBackend.open(faulty, volume.pools, volume.root, LocalVolume.SETTINGS)) {
            put(path(1));
            volume.backend.delete(path(1));
            AtomicInteger times = new AtomicInteger(10);
            EmptyDirectories empty = volume.backend.emptyDirectories();
            faulty.beforeCalls(call, () -> {
                if (times.getAndDecrement() > 0) {
                    removed(empty, path(1));
                }
            });
            placed.on(backend);
            assertThat(times.get()).isNegative();
            assertThat(volume.backend.find(path(1))).isPresent();
        }
    }

    private static void removed(EmptyDirectories empty, BlobPath path) {
        try {
            assertThat(empty.removeAbove(path, _ -> false, _ -> {})).isEqualTo(3);
        } catch (VolumeException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** By another process, say: what is held open here is then no longer what is at its path. */
    @Test
    void find_whenTheDirectoryWasReplaced_looksIntoTheNewOne() throws Exception {
        put(path(1));
        try (LocalBackend other = LocalBackend.open(calls, volume.pools, volume.root, LocalVolume.SETTINGS)) {
            other.delete(path(1));
            other.emptyDirectories().removeAbove(path(1), _ -> false, _ -> {});
            other.put(path(2), bytes("x"), description());
        }
        assertThat(volume.backend.find(path(2))).isPresent();
        put(path(1));
        assertThat(volume.backend.path(path(1)).orElseThrow()).exists();
    }

    @Test
    void walk_tellsOfAllThatIsNoBlob_andFollowsNoLink() throws Exception {
        put(path(1));
        Path root = volume.root;
        Path outside = Files.createDirectory(root.resolveSibling("outside"));
        Files.writeString(outside.resolve("secret"), "x");
        Files.writeString(root.resolve("readme.txt"), "12345");
        Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createSymbolicLink(root.resolve("acme/" + digits(1, 0, 2) + "/zz"), outside);
        Files.createDirectories(root.resolve("some where/deep"));
        Files.writeString(root.resolve("some where/deep/two\nlines"), "");
        Files.copy(volume.backend.path(path(1)).orElseThrow(),
                root.resolve("acme/" + path(1).fileName() + ".copy.pdf"));
        Files.createSymbolicLink(root.resolve("acme/" + path(2).fileName()), outside.resolve("secret"));
        List<Backend.Stored> blobs = new ArrayList<>();
        List<Backend.Stray> strays = new ArrayList<>();
        volume.backend.walk(blobs::add, strays::add);
        assertThat(blobs).extracting(Backend.Stored::path).containsExactly(path(1));
        assertThat(strays).extracting(Backend.Stray::path).containsExactlyInAnyOrder("readme.txt", "link",
                "acme/" + digits(1, 0, 2) + "/zz", "some where/deep/two\\x0alines",
                "acme/" + path(1).fileName() + ".copy.pdf", "acme/" + path(2).fileName());
        assertThat(strays).filteredOn(stray -> stray.path().equals("readme.txt")).extracting(Backend.Stray::size)
                .containsExactly(5L);
    }

    @Test
    void walk_ofAVeryLargeDirectory_seesEachOnce() throws Exception {
        Path tenant = Files.createDirectory(volume.root.resolve("acme"));
        for (long number = 1; number <= 2500; number++) {
            Files.createFile(tenant.resolve(path(number).fileName()));
        }
        List<Long> numbers = new ArrayList<>();
        volume.backend.walk(blob -> numbers.add(blob.path().key().number()), stray -> assertThat(stray).isNull());
        assertThat(numbers).hasSize(2500).doesNotHaveDuplicates();
    }
}

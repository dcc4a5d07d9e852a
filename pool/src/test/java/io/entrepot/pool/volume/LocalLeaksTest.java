package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.FaultyCalls;
import io.entrepot.pool.TenantId;
import io.entrepot.posix.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Neither descriptors nor temporary files are left, whatever fails. */
@EnabledOnOs(OS.LINUX)
class LocalLeaksTest {
    private final FaultyCalls calls = new FaultyCalls();

    /** Under the volume only, as other tests of this process have files of their own. */
    private static List<String> open(Path root) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.map(LocalLeaksTest::target).filter(target -> target.startsWith(root.toString()))
                    .toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // the listing's own
        }
    }

    @Test
    void use_withFailuresOfAllKinds_leavesNothingOpen() throws Exception {
        try (LocalVolume volume = new LocalVolume(calls, LocalVolume.SETTINGS.withDirectories(8))) {
            for (int round = 0; round < 20; round++) {
                use(volume, round);
            }
            assertThat(open(volume.root)).as("the root, what is incoming, and directories held").hasSizeLessThan(11);
            assertThat(volume.temporary()).isEmpty();
            volume.backend.close();
            assertThat(open(volume.root)).isEmpty();
            assertThat(calls.open()).isZero();
        }
    }

    private void use(LocalVolume volume, int round) throws Exception {
        Backend backend = volume.backend;
        BlobPath path = path(new TenantId("tenant-" + round), 1 + 1000 * round);
        backend.put(path, bytes("x"), description());
        assertThatThrownBy(() -> backend.put(path, bytes("x"), description())).isInstanceOf(VolumeException.class);
        try (Blob blob = backend.open(path)) {
            blob.read(0, ByteBuffer.allocate(1));
        }
        for (String call : List.of("write", "setAttribute", "rename", "sync", "force", "size", "read", "truncate")) {
            calls.failCalls(call, Errno.EIO);
            try (Incoming incoming = backend.begin()) {
                assertThatThrownBy(() -> {
                    incoming.write(bytes("x"));
                    incoming.truncate(0);
                    incoming.place(path, description());
                    backend.open(path);
                }).isInstanceOf(VolumeException.class);
            }
            calls.healCalls();
        }
        Incoming kept = backend.begin();
        kept.keep();
        backend.resume(kept.id()).orElseThrow().close();
        assertThatThrownBy(() -> backend.walk(_ -> {
            throw new IllegalStateException();
        }, _ -> {})).isInstanceOf(IllegalStateException.class);
        backend.delete(path);
        backend.emptyDirectories().removeAll(Optional.empty(), _ -> false, false, _ -> {});
        backend.probe();
        backend.space();
        LocalBackend.open(calls, volume.pools, volume.root, LocalVolume.SETTINGS).close();
        assertThatThrownBy(() -> LocalBackend.open(calls, volume.pools, volume.root, LocalBackend.Settings.of("other")))
                .isInstanceOf(VolumeException.class);
    }

    @Test
    void close_ofAVolumeWithAnInterruptedThread_closesAllTheSame() throws Exception {
        try (LocalVolume volume = new LocalVolume(calls)) {
            volume.backend.put(path(1), bytes("x"), description());
            Blob blob = volume.backend.open(path(1));
            Incoming incoming = volume.backend.begin();
            Thread.currentThread().interrupt();
            blob.close();
            incoming.close();
            volume.backend.close();
            assertThat(Thread.interrupted()).as("it is still told").isTrue();
            assertThat(open(volume.root)).isEmpty();
            assertThat(volume.temporary()).isEmpty();
        }
    }
}

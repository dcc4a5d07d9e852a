package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.Capability;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Stat;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of the system that fail: what it is called, and that nothing is left of what failed. */
class LocalFaultsTest {
    private final FaultyCalls calls = new FaultyCalls();
    @SuppressWarnings("NullAway.Init") // before each test
    private LocalVolume volume;

    @BeforeEach
    void open() throws Exception {
        volume = new LocalVolume(calls);
    }

    @AfterEach
    void close() throws Exception {
        volume.close();
    }

    private static void fails(String call, String errno, FaultyCalls calls) {
        calls.failCalls(call, Errno.known().stream().filter(e -> e.symbol().equals(errno)).findFirst().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"create,ENOSPC,FULL", "write,ENOSPC,FULL", "write,EDQUOT,FULL", "write,EIO,BROKEN",
            "create,EROFS,READ_ONLY", "setAttribute,ENOSPC,FULL", "setAttribute,EIO,BROKEN", "chmod,ENOSPC,FULL",
            "chmod,EROFS,READ_ONLY", "chmod,EIO,BROKEN", "chmod,EACCES,BROKEN", "makeDirectory,ENOSPC,FULL"})
    void put_whenACallFails_saysWhyAndLeavesNothing(String call, String errno, VolumeException.Kind kind)
            throws Exception {
        putFails(call, errno, kind);
    }

    @ParameterizedTest
    @CsvSource({"write,ENOSPC,FULL", "rename,ENOSPC,FULL", "rename,EROFS,READ_ONLY", "rename,EIO,BROKEN",
            "rename,EACCES,BROKEN"})
    void put_whereFilesCannotBeMarked_saysWhyAndLeavesNothing(String call, String errno, VolumeException.Kind kind)
            throws Exception {
        withoutMarks();
        putFails(call, errno, kind);
    }

    private void withoutMarks() throws Exception {
        volume.close();
        volume = new LocalVolume(calls.lack(Capability.MARKED_FILES));
    }

    private void putFails(String call, String errno, VolumeException.Kind kind) throws Exception {
        fails(call, errno, calls);
        assertFails(kind, () -> volume.backend.put(path(1), bytes("x"), description()));
        calls.healCalls();
        assertThat(volume.temporary()).isEmpty();
        assertThat(volume.backend.find(path(1))).isEmpty();
        volume.backend.put(path(1), bytes("x"), description());
    }

    @ParameterizedTest
    @CsvSource({"write,ENOSPC,FULL", "setAttribute,EIO,BROKEN", "force,EIO,BROKEN", "rename,EROFS,READ_ONLY",
            "sync,EIO,BROKEN", "sync,ENOSPC,FULL", "makeDirectory,EDQUOT,FULL"})
    void place_whenACallFails_saysWhyAndLeavesNothing(String call, String errno, VolumeException.Kind kind)
            throws Exception {
        try (Incoming incoming = volume.backend.begin()) {
            incoming.write(bytes("x"));
            fails(call, errno, calls);
            assertFails(kind, () -> incoming.place(path(1), description()));
            assertThat(volume.backend.find(path(1))).isEmpty();
        }
        calls.healCalls();
        assertThat(volume.temporary()).isEmpty();
        volume.backend.put(path(1), bytes("x"), description());
    }

    @Test
    void write_whenItFails_leavesWhatWasThereBefore() throws Exception {
        try (Incoming incoming = volume.backend.begin()) {
            incoming.write(bytes("hello"));
            incoming.force();
            calls.failCalls("write", Errno.ENOSPC);
            assertFails(VolumeException.Kind.FULL, () -> incoming.write(ByteBuffer.allocate(1_000_000)));
            assertThat(incoming.size()).isEqualTo(5);
            calls.healCalls();
            incoming.write(bytes("!"));
            incoming.place(path(1), description());
        }
        try (Blob blob = volume.backend.open(path(1))) {
            ByteBuffer content = ByteBuffer.allocate(10);
            blob.read(0, content);
            assertThat(content.flip()).isEqualTo(bytes("hello!"));
        }
    }

    /** What is sent to the disk while more comes: its failure is told once, to a thread for which nobody waits. */
    @Test
    void write_whenSendingItToTheDiskFails_tellsBeforeItIsABlobAndGoesOnFromWhatIsThere() throws Exception {
        byte[] much = new byte[70 << 20];
        new Random(1).nextBytes(much);
        try (Incoming incoming = volume.backend.begin()) {
            incoming.write(ByteBuffer.wrap(much, 0, 100));
            incoming.force();
            calls.failCalls("force", Errno.EIO, 1);
            incoming.write(ByteBuffer.wrap(much, 100, much.length - 100));
            assertFails(VolumeException.Kind.BROKEN, () -> incoming.place(path(1), description()));
            assertThat(volume.backend.find(path(1))).isEmpty();
            assertThat(incoming.size()).isEqualTo(100);
            incoming.write(ByteBuffer.wrap(much, 100, much.length - 100));
            assertThat(incoming.size()).isEqualTo(much.length);
            incoming.place(path(1), description());
        }
        ByteBuffer content = ByteBuffer.allocate(much.length);
        try (Blob blob = volume.backend.open(path(1))) {
            while (content.hasRemaining() && blob.read(content.position(), content) > 0) {
            }
        }
        assertThat(content.array()).isEqualTo(much);
    }

    @Test
    void write_whenNothingReachesTheDisk_isRefusedSoon() throws Exception {
        try (Incoming incoming = volume.backend.begin()) {
            calls.failCalls("force", Errno.ENOSPC);
            assertFails(VolumeException.Kind.FULL, () -> {
                for (int i = 0; i < 14; i++) {
                    incoming.write(ByteBuffer.allocate(10 << 20));
                }
            });
            assertThat(incoming.size()).isZero();
        }
        assertThat(volume.temporary()).isEmpty();
    }

    @Test
    void read_whenTheStorageFails_isBroken() throws Exception {
        volume.backend.put(path(1), bytes("x"), description());
        try (Blob blob = volume.backend.open(path(1))) {
            calls.failCalls("read", Errno.EIO);
            assertFails(VolumeException.Kind.BROKEN, () -> blob.read(0, ByteBuffer.allocate(1)));
        }
        calls.failCalls("openFile", Errno.EACCES);
        assertFails(VolumeException.Kind.BROKEN, () -> volume.backend.open(path(1)));
    }

    /** The kernel tells of lost data once. Whoever asks later must not hear that all is well. */
    @Test
    void sync_afterItFailedOnce_neverSucceedsAgain() throws Exception {
        volume.backend.put(path(1), bytes("x"), description());
        calls.failCalls("syncFileSystem", Errno.EIO, 1);
        assertFails(VolumeException.Kind.BROKEN, volume.backend::sync);
        assertFails(VolumeException.Kind.BROKEN, volume.backend::sync);
        try (LocalBackend anew = LocalBackend.open(calls, volume.pools, volume.root, LocalVolume.SETTINGS)) {
            anew.sync();
        }
    }

    @ParameterizedTest
    @CsvSource({"create,EROFS,READ_ONLY", "write,ENOSPC,FULL", "force,EIO,BROKEN", "read,EIO,BROKEN"})
    void probe_whenACallFails_saysWhyAndLeavesNothing(String call, String errno, VolumeException.Kind kind)
            throws Exception {
        fails(call, errno, calls);
        assertFails(kind, volume.backend::probe);
        calls.healCalls();
        assertThat(volume.temporary()).isEmpty();
        volume.backend.probe();
    }

    @Test
    void open_whereThereAreNoAttributes_describesNothing() throws Exception {
        volume.backend.close();
        calls.failCalls("attribute", Errno.ENOTSUP);
        calls.failCalls("setAttribute", Errno.ENOTSUP);
        try (LocalBackend plain = LocalBackend.open(calls, volume.pools, volume.root, LocalVolume.SETTINGS)) {
            assertThat(plain.traits().described()).isFalse();
            plain.put(path(1), bytes("x"), description());
            assertThat(plain.description(path(1))).isEmpty();
            try (Incoming incoming = plain.begin()) {
                incoming.place(path(2), description());
            }
        }
    }

    @Test
    void find_whenItWasCutShort_findsNothingButSeesIt() throws Exception {
        volume.backend.put(path(1), bytes("half of it"), description());
        Path file = volume.backend.path(path(1)).orElseThrow();
        Files.setAttribute(file, "unix:mode", 0640 | Stat.UNFINISHED);
        assertThat(volume.backend.find(path(1))).as("its description comes last, so a mark is somebody else's")
                .isPresent();
        volume.backend.walk(seen -> assertThat(seen.whole()).isTrue(), stray -> assertThat(stray).isNull());
        Files.getFileAttributeView(file, UserDefinedFileAttributeView.class).delete("entrepot");
        assertThat(volume.backend.find(path(1))).isEmpty();
        assertThat(volume.backend.look(path(1))).hasValueSatisfying(seen -> assertThat(seen.whole()).isFalse());
        volume.backend.walk(seen -> assertThat(seen.whole()).isFalse(), stray -> assertThat(stray).isNull());
        volume.backend.replace(path(1), bytes("again"), description());
        assertThat(volume.backend.find(path(1))).hasValueSatisfying(seen -> assertThat(seen.size()).isEqualTo(5));
    }

    /** As on NFS. */
    @Test
    void put_whereRenamesCannotButReplace_linksInstead() throws Exception {
        withoutMarks();
        calls.failCalls("rename", Errno.ENOTSUP);
        volume.backend.put(path(1), bytes("first"), description());
        assertFails(VolumeException.Kind.EXISTS,
                () -> volume.backend.put(path(1), bytes("second"), description()));
        assertThat(volume.temporary()).isEmpty();
        calls.failCalls("link", Errno.EPERM);
        assertFails(VolumeException.Kind.BROKEN,
                () -> volume.backend.put(path(2), bytes("third"), description()));
        assertThat(volume.backend.find(path(2))).isEmpty();
        assertThat(volume.temporary()).isEmpty();
    }

    @Test
    void resume_whenACrashCameAfterTheLink_doesNotTouchTheBlob() throws Exception {
        calls.failCalls("rename", Errno.ENOTSUP);
        calls.failCalls("unlink", Errno.EIO);
        Incoming incoming = volume.backend.begin();
        incoming.write(bytes("x"));
        incoming.place(path(1), description());
        calls.failCalls("unlink", Errno.EIO, 0);
        assertThat(volume.temporary()).contains(incoming.id());
        assertThat(volume.backend.resume(incoming.id())).isEmpty();
        assertThat(volume.temporary()).doesNotContain(incoming.id());
        assertThat(volume.backend.find(path(1))).isPresent();
    }
}

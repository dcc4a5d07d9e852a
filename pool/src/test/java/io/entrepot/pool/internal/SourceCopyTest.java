package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.FaultyCalls;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.Location;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.LocalBackend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.Errno;
import io.entrepot.posix.MountPools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file of this machine on its way to a volume, copied by the system. */
class SourceCopyTest {
    private static final int LONG = (9 << 20) + 1;
    private static final int STEP = 4 << 20;
    private static final Duration PATIENT = Duration.ofHours(1);
    private static final Duration IMPATIENT = Duration.ofMillis(50);

    private final FaultyCalls calls = new FaultyCalls();
    private final byte[] all = new byte[LONG];
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init") // before each test
    private MountPools mounts;
    @SuppressWarnings("NullAway.Init")
    private Backend backend;
    @SuppressWarnings("NullAway.Init")
    private MountedVolume.Room room;

    @BeforeEach
    void open() throws Exception {
        new Random(1).nextBytes(all);
        Path root = Files.createDirectory(directory.resolve("volume"));
        MountedVolume volume = new MountedVolume(1, "v", Location.of(root), 2, 0, Instant.EPOCH, VolumeState.ACTIVE);
        mounts = new MountPools(calls, 2, BootClock.system());
        backend = LocalBackend.open(calls, mounts, root, LocalBackend.Settings.of("v").withCreate(true));
        volume.works(backend, new Backend.Space(1 << 30, 1 << 30));
        room = volume.room(0);
    }

    @AfterEach
    void close() throws Exception {
        room.close();
        backend.close();
        mounts.close();
    }

    private Path source() throws IOException {
        return Files.write(directory.resolve("source"), all);
    }

    private static void cutOff(Path source, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(source, StandardOpenOption.WRITE)) {
            channel.truncate(size);
        }
    }

    private static byte[] content(Incoming incoming) throws Exception {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(1 << 16);
        for (long at = 0; incoming.read(at, piece.clear()) > 0; at += piece.position()) {
            content.write(piece.array(), 0, piece.position());
        }
        return content.toByteArray();
    }

    /** As far as the system copies it, and then the rest. */
    private void assertArrives(Incoming incoming, FileSource source, long copied, byte[] expected) throws Exception {
        MessageDigest digest = Sha256.digest();
        assertThat(new SourceCopy(incoming, source, digest, PATIENT).run(LONG)).isEqualTo(copied);
        assertThat(incoming.size()).isEqualTo(copied);
        Sha256 sum = new Pieces(incoming, room, OptionalLong.empty(), digest).copy(new byte[0], source);
        assertThat(content(incoming)).isEqualTo(expected);
        assertThat(sum).isEqualTo(new Sha256(Sha256.digest().digest(expected)));
    }

    @Test
    void run_copiesAllAndSumsItUp() throws Exception {
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            source.readNBytes(1000); // somebody looked at how it begins
            assertArrives(incoming, source, LONG, all);
        }
    }

    @Test
    void run_whenTheSourceShrinks_endsWhereItEnds() throws Exception {
        Path path = source();
        try (FileSource source = FileSource.open(path, _ -> {}); Incoming incoming = backend.begin()) {
            Incoming watched = new WatchedIncoming(incoming, () -> cutOff(path, STEP + 1));
            assertArrives(watched, source, STEP + 1, Arrays.copyOf(all, STEP + 1));
        }
    }

    @Test
    void run_whenTheSourceGrows_leavesTheRest() throws Exception {
        Path path = source();
        byte[] more = Arrays.copyOf(all, LONG + 1);
        try (FileSource source = FileSource.open(path, _ -> {}); Incoming incoming = backend.begin()) {
            Files.write(path, more);
            assertArrives(incoming, source, LONG, more);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void run_whenItCannotBeCopiedOn_leavesTheRest(int which) throws Exception {
        int[] copies = {0};
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            Incoming watched = new WatchedIncoming(incoming, () -> {
                if (++copies[0] == which) {
                    throw new IOException("not across these two");
                }
            });
            assertArrives(watched, source, (long) (which - 1) * STEP, all);
        }
    }

    /** Not by the system, as the test stands between, but with its words. */
    @Test
    void run_whenThePieceFailsInTheMiddle_leavesNothingOfIt() throws Exception {
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            calls.failCalls("write", Errno.EIO, 1);
            assertArrives(incoming, source, 0, all);
        }
    }

    @Test
    void run_whenTheVolumeFails_saysSo() throws Exception {
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            Incoming failing = new WatchedIncoming(incoming, () -> {
                throw new VolumeException(VolumeException.Kind.BROKEN, "cannot be synced", null);
            });
            assertThatThrownBy(() -> new SourceCopy(failing, source, Sha256.digest(), PATIENT).run(LONG))
                    .isInstanceOf(VolumeException.class).hasMessage("cannot be synced");
        }
    }

    @Test
    void run_whenTheSourceHangs_waitsForItAndBlamesNobody() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        calls.beforeCalls("force", () -> {
            if (asked.incrementAndGet() == 2) {
                answers.countDown();
            }
        });
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            Incoming watched = new WatchedIncoming(incoming, answers::await);
            assertThat(new SourceCopy(watched, source, Sha256.digest(), IMPATIENT).run(LONG)).isEqualTo(LONG);
            assertThat(asked).hasValueGreaterThanOrEqualTo(2);
            assertThat(content(incoming)).isEqualTo(all);
        }
    }

    @Test
    void run_whenTheVolumeHangs_leavesAndWaitsForNothing() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        calls.failCalls("force", Errno.EIO);
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            Incoming hanging = new WatchedIncoming(incoming, never::await);
            assertThatThrownBy(() -> new SourceCopy(hanging, source, Sha256.digest(), IMPATIENT).run(LONG))
                    .isInstanceOf(VolumeException.class);
        } finally {
            never.countDown();
        }
    }

    @Test
    void run_whenInterruptedWhileItHangs_leaves() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        try (FileSource source = FileSource.open(source(), _ -> {}); Incoming incoming = backend.begin()) {
            Incoming hanging = new WatchedIncoming(incoming, never::await);
            Crowd<Long> caller = Crowd.start(1, _ -> {
                Thread.currentThread().interrupt();
                return new SourceCopy(hanging, source, Sha256.digest(), PATIENT).run(LONG);
            });
            assertThat(caller.outcomes().getFirst().failure()).isInstanceOf(InterruptedException.class);
        } finally {
            never.countDown();
        }
    }

    @Test
    void write_ofAFileThatIsNotAsLongAsWasTold_isRefusedAndLeavesNothing() throws Exception {
        Path path = source();
        try (Pool pool = Pool.open(directory.resolve("data"))) {
            for (long told : new long[]{LONG - 1, LONG + 1, STEP}) {
                assertThatThrownBy(() -> pool.files().write(TenantId.DEFAULT, NewFile.unnamed().ofSize(told), path))
                        .isInstanceOf(IOException.class);
            }
            assertThat(pool.tenants().usage(TenantId.DEFAULT).files()).isZero();
            FileKey key = pool.files().write(TenantId.DEFAULT, NewFile.unnamed().ofSize(LONG), path).key();
            pool.files().verify(TenantId.DEFAULT, key);
        }
    }
}

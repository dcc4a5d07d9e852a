package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.Location;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.LocalBackend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream on its way to a volume, and what happens when one of the two fails. */
class PiecesTest {
    private static final int HEAD = 1000;
    private static final int LONG = 9 << 20;

    private MountPools mounts;
    private Backend backend;
    private MountedVolume.Room room;

    @BeforeEach
    void open(@TempDir Path root) throws Exception {
        MountedVolume volume = new MountedVolume(1, "v", Location.of(root), 2, 0, Instant.EPOCH, VolumeState.ACTIVE);
        mounts = new MountPools(FileCalls.system(), 2, BootClock.system());
        backend = LocalBackend.open(FileCalls.system(), mounts, root, LocalBackend.Settings.of("v").withCreate(true));
        volume.works(backend, new Backend.Space(1 << 30, 1 << 30));
        room = volume.room(0);
    }

    @AfterEach
    void close() throws Exception {
        room.close();
        backend.close();
        mounts.close();
    }

    private static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    private Sha256 copy(Incoming incoming, byte[] head, InputStream rest) throws Exception {
        return new Pieces(incoming, room, OptionalLong.empty(), Sha256.digest()).copy(head, rest);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, HEAD, HEAD + 1, 512 << 10, (512 << 10) + 1, 2 << 20, LONG})
    void copy_writesAllInOrderAndSumsItUp(int size) throws Exception {
        byte[] all = bytes(size);
        int head = Math.min(size, HEAD);
        try (Incoming incoming = backend.begin()) {
            Sha256 sum = copy(incoming, Arrays.copyOf(all, head), new ByteArrayInputStream(all, head, size - head));
            assertThat(incoming.size()).isEqualTo(size);
            assertThat(sum).isEqualTo(new Sha256(Sha256.digest().digest(all)));
            assertThat(content(incoming)).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, HEAD + 1, (512 << 10) + 1, LONG})
    void copy_ofAFile_writesAllInOrderAndSumsItUp(int size, @TempDir Path directory) throws Exception {
        byte[] all = bytes(size);
        Path path = Files.write(directory.resolve("source"), all);
        try (Incoming incoming = backend.begin(); FileSource source = FileSource.open(path, _ -> {})) {
            assertThat(source.size()).isEqualTo(size);
            Sha256 sum = copy(incoming, source.readNBytes(HEAD), source);
            assertThat(sum).isEqualTo(new Sha256(Sha256.digest().digest(all)));
            assertThat(content(incoming)).isEqualTo(all);
        }
    }

    private static byte[] content(Incoming incoming) throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(1 << 16);
        for (long at = 0; incoming.read(at, piece.clear()) > 0; at += piece.position()) {
            all.write(piece.array(), 0, piece.position());
        }
        return all.toByteArray();
    }

    @Test
    void copy_whenTheVolumeFails_saysSoWithoutReadingToTheEnd() throws Exception {
        ByteArrayInputStream rest = new ByteArrayInputStream(bytes(LONG));
        int[] writes = {0};
        try (Incoming incoming = backend.begin()) {
            Incoming failing = new WatchedIncoming(incoming, () -> {
                if (++writes[0] == 2) {
                    throw new VolumeException(VolumeException.Kind.FULL, "no space", null);
                }
            });
            assertThatThrownBy(() -> copy(failing, new byte[HEAD], rest)).isInstanceOf(VolumeException.class)
                    .hasMessage("no space");
            assertThat(writes[0]).isEqualTo(2);
            assertThat(rest.available()).isPositive();
        }
    }

    @Test
    void copy_whenTheStreamFails_leavesNobodyWriting() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        InputStream broken = new SequenceInputStream(new ByteArrayInputStream(bytes(1 << 20)), new InputStream() {
            @Override
            public int read() throws IOException {
                return read(new byte[1], 0, 1);
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                try {
                    writing.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new IOException("cut off");
            }
        });
        boolean[] interrupted = {false};
        try (Incoming incoming = backend.begin()) {
            Incoming hanging = new WatchedIncoming(incoming, () -> {
                writing.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted[0] = true;
                    throw e;
                }
            });
            Crowd<Sha256> caller = Crowd.start(1, _ -> copy(hanging, new byte[HEAD], broken));
            assertThat(caller.outcomes().getFirst().failure()).isInstanceOf(IOException.class).hasMessage("cut off");
            assertThat(interrupted[0]).isTrue();
        }
    }

    @Test
    void copy_whenMoreComesThanWasTold_isRefused() throws Exception {
        try (Incoming incoming = backend.begin()) {
            assertThatThrownBy(
                    () -> new Pieces(incoming, room, OptionalLong.of(LONG - 1), Sha256.digest()).copy(new byte[0],
                            new ByteArrayInputStream(bytes(LONG))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("more than the");
        }
    }
}

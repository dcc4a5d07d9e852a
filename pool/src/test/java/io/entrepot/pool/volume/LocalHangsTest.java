package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.Errno;
import io.entrepot.posix.MountPool;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Storage that does not answer. */
class LocalHangsTest {
    private static final Duration PATIENCE = Duration.ofMillis(100);

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

    private LocalBackend impatient() throws Exception {
        return LocalBackend.open(calls, volume.pools, volume.root, LocalVolume.SETTINGS.withPatience(PATIENCE));
    }

    private void awaitQuiet() {
        await().until(() -> volume.pools.snapshot().stream().mapToInt(MountPool.Load::running).sum() == 0);
    }

    @Test
    void put_whenItHangs_isGivenUpAndNeverPlaced() throws Exception {
        try (LocalBackend backend = impatient()) {
            CountDownLatch latch = calls.hangCalls("write");
            assertFails(VolumeException.Kind.HANGS, () -> backend.put(path(1), bytes("x"), description()));
            assertThat(backend.find(path(1))).as("others go on").isEmpty();
            calls.healCalls();
            latch.countDown();
            awaitQuiet();
            assertThat(backend.find(path(1))).isEmpty();
            assertThat(volume.temporary()).isEmpty();
            backend.put(path(1), bytes("x"), description());
        }
    }

    @Test
    void putting_whenItHangs_isGivenUpAndNeverPlaced() throws Exception {
        try (LocalBackend backend = impatient()) {
            CountDownLatch latch = calls.hangCalls("write");
            Backend.Putting first = backend.putting(path(1), bytes("x"), description(), () -> {});
            Backend.Putting behind = backend.putting(path(2), bytes("x"), description(), () -> {});
            assertFails(VolumeException.Kind.HANGS, first::await);
            assertFails(VolumeException.Kind.HANGS, behind::await);
            assertThat(backend.find(path(1))).as("others go on").isEmpty();
            calls.healCalls();
            latch.countDown();
            awaitQuiet();
            assertThat(backend.find(path(1))).isEmpty();
            assertThat(backend.find(path(2))).isEmpty();
            assertThat(volume.temporary()).isEmpty();
            backend.putting(path(1), bytes("x"), description(), () -> {}).await();
        }
    }

    @Test
    void putting_whenWhoeverWaitsIsInterrupted_isNeverPlaced() throws Exception {
        CountDownLatch latch = calls.hangCalls("write");
        Backend.Putting putting = volume.backend.putting(path(1), bytes("x"), description(), () -> {});
        Crowd<Boolean> caller = new Crowd<>();
        Thread thread = caller.start(() -> {
            putting.await();
            return true;
        });
        await().until(() -> calls.inHang() == 1);
        thread.interrupt();
        assertThat(caller.failures().getFirst()).containsInstanceOf(InterruptedException.class);
        calls.healCalls();
        latch.countDown();
        awaitQuiet();
        assertThat(volume.backend.find(path(1))).isEmpty();
        assertThat(volume.temporary()).isEmpty();
    }

    @Test
    void put_whenInterrupted_isNeverPlacedWithWhatTheBufferHoldsLater() throws Exception {
        CountDownLatch latch = calls.hangCalls("write");
        ByteBuffer content = bytes("mine");
        Crowd<Boolean> caller = new Crowd<>();
        Thread thread = caller.start(() -> {
            volume.backend.put(path(1), content, description());
            return true;
        });
        await().until(() -> calls.inHang() == 1);
        thread.interrupt();
        assertThat(caller.failures().getFirst()).containsInstanceOf(InterruptedException.class);
        content.put(0, bytes("evil"), 0, 4);
        calls.healCalls();
        latch.countDown();
        awaitQuiet();
        assertThat(volume.backend.find(path(1))).isEmpty();
        assertThat(volume.temporary()).isEmpty();
    }

    @Test
    void read_whenItHangs_neverWritesToTheCallersBufferLater() throws Exception {
        volume.backend.put(path(1), bytes("x"), description());
        try (LocalBackend backend = impatient(); Blob blob = backend.open(path(1))) {
            CountDownLatch latch = calls.hangCalls("read");
            ByteBuffer into = ByteBuffer.allocate(1);
            assertFails(VolumeException.Kind.HANGS, () -> blob.read(0, into));
            calls.healCalls();
            latch.countDown();
            awaitQuiet();
            assertThat(into.get(0)).isZero();
            assertThat(blob.read(0, into)).isEqualTo(1);
        }
    }

    @Test
    void incoming_whenACallHangs_isDroppedWhenThatComesBack() throws Exception {
        try (LocalBackend backend = impatient()) {
            CountDownLatch latch = calls.hangCalls("force");
            try (Incoming incoming = backend.begin()) {
                incoming.write(bytes("x"));
                assertFails(VolumeException.Kind.HANGS, () -> incoming.place(path(1), description()));
                assertFails(VolumeException.Kind.HANGS, () -> incoming.place(path(2), description()));
            }
            assertThat(volume.temporary()).as("a thread still uses it").hasSize(1);
            calls.healCalls();
            latch.countDown();
            await().until(() -> volume.temporary().isEmpty());
            assertThat(backend.find(path(1))).isEmpty();
        }
    }

    @Test
    void incoming_whenSendingToTheDiskHangs_saysSoAndIsDroppedWhenThatComesBack() throws Exception {
        try (LocalBackend backend = impatient()) {
            CountDownLatch latch = calls.hangCalls("force");
            try (Incoming incoming = backend.begin()) {
                incoming.write(ByteBuffer.allocate(20 << 20));
                assertFails(VolumeException.Kind.HANGS, () -> incoming.place(path(1), description()));
                assertFails(VolumeException.Kind.HANGS, () -> incoming.write(bytes("x".repeat(1 << 20))));
            }
            assertThat(volume.temporary()).as("a thread still uses it").hasSize(1);
            calls.healCalls();
            latch.countDown();
            await().until(() -> volume.temporary().isEmpty());
            assertThat(backend.find(path(1))).isEmpty();
        }
    }

    @Test
    void close_whenAllThreadsHang_isDoneWhenOneComesBack() throws Exception {
        LocalBackend backend = impatient();
        Incoming incoming = backend.begin();
        CountDownLatch latch = calls.hangCalls("write");
        List<Crowd.Outcome<Boolean>> outcomes = Crowd.<Boolean>start(4, caller -> {
            backend.put(path(caller + 1), bytes("x"), description());
            return true;
        }).outcomes();
        assertThat(outcomes).noneMatch(Crowd.Outcome::succeeded);
        assertFails(VolumeException.Kind.HANGS, () -> backend.find(path(1)));
        incoming.close();
        assertThat(volume.temporary()).hasSize(1);
        calls.healCalls();
        latch.countDown();
        awaitQuiet();
        assertThat(backend.find(path(1))).isEmpty();
        assertThat(volume.temporary()).isEmpty();
        backend.close();
    }

    @Test
    void sync_whenOneHangsAndFailsLater_isNotForgotten() throws Exception {
        try (LocalBackend backend = impatient()) {
            CountDownLatch latch = calls.hangCalls("syncFileSystem");
            assertFails(VolumeException.Kind.HANGS, backend::sync);
            assertFails(VolumeException.Kind.HANGS, backend::sync);
            assertThat(calls.inHang()).as("one at a time").isEqualTo(1);
            calls.failCalls("syncFileSystem", Errno.EIO, 1);
            latch.countDown();
            awaitQuiet();
            assertFails(VolumeException.Kind.BROKEN, backend::sync);
        }
    }

    @Test
    void sync_whenItHangsForAWhile_servesAgain() throws Exception {
        try (LocalBackend backend = impatient()) {
            CountDownLatch latch = calls.hangCalls("syncFileSystem");
            assertFails(VolumeException.Kind.HANGS, backend::sync);
            calls.healCalls();
            latch.countDown();
            awaitQuiet();
            backend.sync();
        }
    }

    /** All who wait while one is under way are served by the next, and by one. */
    @Test
    void sync_whenManyAsk_isShared() throws Exception {
        CountDownLatch latch = calls.hangCalls("syncFileSystem");
        Crowd<Boolean> crowd = Crowd.start(20, _ -> {
            volume.backend.sync();
            return true;
        });
        await().until(() -> calls.inHang() > 0);
        crowd.awaitWaiting();
        assertThat(calls.inHang()).isEqualTo(1);
        long before = calls.made("syncFileSystem");
        latch.countDown();
        assertThat(crowd.results()).hasSize(20);
        // A second one for those who came in time to wait for the lock only.
        assertThat(calls.made("syncFileSystem") - before).isBetween(1L, 2L);
    }
}

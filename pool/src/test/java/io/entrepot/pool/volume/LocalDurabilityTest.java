package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.FailingDisk;
import io.entrepot.lab.FullDisk;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.PowerCut;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.MountPools;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On file systems whose power is cut, that fill up, and that lose what was written. */
class LocalDurabilityTest {
    private final FileCalls calls = FileCalls.system();
    private final MountPools pools = new MountPools(calls, 4, BootClock.system());

    @BeforeEach
    void needs() {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
    }

    @AfterEach
    void close() {
        pools.close();
    }

    private LocalBackend open(FileCalls by, Path root, boolean create) throws Exception {
        return LocalBackend.open(by, pools, root, LocalVolume.SETTINGS.withCreate(create));
    }

    private static void assertHolds(Backend backend, BlobPath path, String text) throws Exception {
        try (Blob blob = backend.open(path)) {
            ByteBuffer content = ByteBuffer.allocate(100);
            assertThat(blob.size()).isEqualTo(text.length());
            blob.read(0, content);
            assertThat(content.flip()).isEqualTo(bytes(text));
        }
        assertThat(backend.description(path)).hasValueSatisfying(d -> assertThat(d).isEqualTo(description()));
    }

    @Test
    void afterAPowerCut_whatWasPlacedOrSyncedIsThere() throws Exception {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts());
                LocalBackend backend = open(calls, disk.root(), true)) {
            backend.put(path(1), bytes("synced"), description());
            backend.put(path(2), bytes("deleted"), description());
            backend.sync();
            backend.delete(path(2));
            backend.sync();
            Incoming kept = backend.begin();
            kept.write(bytes("begun"));
            kept.force();
            kept.write(bytes(" and may be lost"));
            // The directory is made by one that is not durable, and then shared by one that is. That one comes last, as on ext4
            // each sync takes along what happened before.
            backend.put(path(1000), bytes("may be lost"), description());
            try (Incoming incoming = backend.begin()) {
                incoming.write(bytes("placed"));
                incoming.place(path(1001), description());
            }
            backend.put(path(100_000), bytes("lost"), description());
            try (LabDisk after = PowerCut.of(disk); LocalBackend again = open(calls, after.root(), false)) {
                assertHolds(again, path(1), "synced");
                assertThat(again.find(path(2))).isEmpty();
                assertHolds(again, path(1001), "placed");
                try (Incoming resumed = again.resume(kept.id()).orElseThrow()) {
                    assertThat(resumed.size()).isGreaterThanOrEqualTo(5);
                    ByteBuffer begun = ByteBuffer.allocate(5);
                    resumed.read(0, begun);
                    assertThat(begun.flip()).isEqualTo(bytes("begun"));
                }
                assertThat(again.find(path(100_000))).as("the cut takes what was not synced").isEmpty();
            }
            kept.close();
        }
    }

    @Test
    void afterAPowerCut_whereNothingCanBeSyncedAtOnce_everyPutIsThere() throws Exception {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts());
                LocalBackend backend = open(FileCalls.nio(), disk.root(), true)) {
            assertThat(backend.traits().durable()).isTrue();
            backend.put(path(1), bytes("deleted"), description());
            backend.delete(path(1));
            for (int number = 401; number < 4000; number += 400) {
                backend.put(path(number), bytes("by itself"), description());
            }
            backend.sync();
            try (LabDisk after = PowerCut.of(disk); LocalBackend again = open(calls, after.root(), false)) {
                assertThat(again.find(path(1))).isEmpty();
                for (int number = 401; number < 4000; number += 400) {
                    assertHolds(again, path(number), "by itself");
                }
            }
        }
    }

    @Test
    void put_whenTheDiskIsFull_saysSoAndLeavesNothing() throws Exception {
        try (FullDisk disk = FullDisk.create(32 << 20); LocalBackend backend = open(calls, disk.root(), true)) {
            backend.put(path(1), bytes("x"), description());
            disk.fill(64 << 10);
            ByteBuffer large = ByteBuffer.allocate(1 << 20);
            assertFails(VolumeException.Kind.FULL, () -> backend.put(path(2), large, description()));
            try (Incoming incoming = backend.begin()) {
                assertFails(VolumeException.Kind.FULL, () -> {
                    incoming.write(large.duplicate());
                    incoming.place(path(2), description());
                });
            }
            assertThat(backend.find(path(2))).isEmpty();
            backend.begun(begun -> assertThat(begun).isNull());
            disk.free();
            backend.put(path(2), large, description());
            assertThat(backend.find(path(2)).orElseThrow().size()).isEqualTo(1 << 20);
        }
    }

    /** The kernel gives the error to one sync and success to the next: here to none after it. */
    @Test
    void sync_whenDataWasLost_saysSoToAllWhoAskLater() throws Exception {
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.DATA);
                LocalBackend backend = open(calls, disk.root(), true)) {
            backend.put(path(1), ByteBuffer.allocate(64 << 10), description());
            backend.sync();
            disk.startFailing();
            backend.put(path(2), ByteBuffer.allocate(64 << 10), description());
            VolumeException first = catchThrowableOfType(VolumeException.class,
                    backend::sync);
            assertThat(first.kind()).isIn(VolumeException.Kind.BROKEN, VolumeException.Kind.FULL);
            disk.stopFailing();
            assertFails(first.kind(), backend::sync);
            try (LocalBackend anew = open(calls, disk.root(), false)) {
                anew.put(path(3), bytes("x"), description());
                anew.sync();
            }
        }
    }

    /** What the disk did not take is told, cut off and written again, once; and it is on the disk then. */
    @Test
    void write_whenTheDiskDoesNotTakeWhatIsSentMeanwhile_goesOnFromWhatItHasTaken() throws Exception {
        byte[] much = new byte[20 << 20];
        new Random(1).nextBytes(much);
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.DATA)) {
            // The less patience, the less is sent at once: 16 MiB here.
            LocalBackend.Settings settings = LocalVolume.SETTINGS.withCreate(true).withPatience(Duration.ofSeconds(4));
            try (LocalBackend backend = LocalBackend.open(calls, pools, disk.root(), settings);
                    Incoming incoming = backend.begin()) {
                incoming.write(ByteBuffer.wrap(much, 0, 1 << 20));
                incoming.force();
                disk.startFailing();
                incoming.write(ByteBuffer.wrap(much, 1 << 20, 19 << 20));
                VolumeException lost = catchThrowableOfType(VolumeException.class,
                        () -> incoming.place(path(1), description()));
                assertThat(lost.kind()).isIn(VolumeException.Kind.BROKEN, VolumeException.Kind.FULL);
                assertThat(backend.find(path(1))).isEmpty();
                assertThat(incoming.size()).isEqualTo(1 << 20);
                disk.stopFailing();
                incoming.write(ByteBuffer.wrap(much, 1 << 20, 19 << 20));
                incoming.place(path(1), description());
            }
            disk.remount();
            try (LocalBackend again = open(calls, disk.root(), false)) {
                assertThat(Files.readAllBytes(again.path(path(1)).orElseThrow())).isEqualTo(much);
            }
        }
    }

    /** The kernel keeps an error for the first who asks, also for somebody who has opened the volume long after. */
    @Test
    void sync_whenDataWasLostBeforeTheVolumeWasOpened_isNotTold() throws Exception {
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.DATA)) {
            try (LocalBackend before = open(calls, disk.root(), true)) {
                disk.startFailing();
                before.put(path(1), ByteBuffer.allocate(64 << 10), description());
                try (FileChannel lost = FileChannel.open(before.path(path(1)).orElseThrow(), StandardOpenOption.READ)) {
                    assertThatThrownBy(() -> lost.force(false)).isInstanceOf(IOException.class);
                }
                disk.stopFailing();
            }
            try (LocalBackend backend = open(calls, disk.root(), false)) {
                backend.put(path(2), bytes("x"), description());
                backend.sync();
            }
        }
    }

    /** A journal that could not be written is told to those who waited for it; the others have nothing left to sync. */
    @Test
    void sync_whenTheJournalWasLostInSomebodyElsesSync_saysSo() throws Exception {
        try (FailingDisk disk = FailingDisk.create(FailingDisk.Failure.JOURNAL)) {
            try (LocalBackend one = open(calls, disk.root().resolve("one"), true);
                    LocalBackend other = open(calls, disk.root().resolve("other"), true)) {
                disk.startFailing();
                other.put(path(2), bytes(""), description());
                int puts = 0;
                Optional<VolumeException> failure = Optional.empty();
                while (failure.isEmpty() && puts < 10_000) {
                    one.put(path(10_000 + puts++), bytes(""), description());
                    failure = Optional.ofNullable(catchThrowableOfType(VolumeException.class, one::sync));
                }
                assertThat(failure).isPresent();
                assertFails(VolumeException.Kind.BROKEN, other::sync);
            }
        }
    }
}

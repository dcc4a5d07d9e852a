package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Nonces;
import io.entrepot.pool.Location;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract on a store of objects, which is also away, slow to list, and does not always answer. */
class BucketContractTest {
    private static final Location PLACE = Location.parse("bucket:one/some/prefix");

    private final Buckets buckets = new Buckets();
    private Backend backend;

    private static BackendProvider.Terms terms(String volume, boolean create) {
        return new BackendProvider.Terms(volume, create, Duration.ofSeconds(20), Nonces.secure());
    }

    @BeforeEach
    void open() throws Exception {
        backend = buckets.open(PLACE, terms("v1", true));
    }

    private Bucket bucket() {
        return buckets.bucket("one");
    }

    abstract class OnBucket implements BlobContract, IncomingContract, WalkContract {
        @Override
        public Backend backend() {
            return backend;
        }
    }

    @Nested
    class Plain extends OnBucket {}

    @Nested
    class WhenAnswersAreLost extends OnBucket {
        @BeforeEach
        void lose() {
            bucket().every(3, Bucket.Answer.LOST);
        }
    }

    @Nested
    class WhenCallsAreNotMade extends OnBucket {
        @BeforeEach
        void lose() {
            bucket().every(2, Bucket.Answer.NOT_MADE);
        }
    }

    @Test
    void open_ofWhatIsNotThere_isRefusedAndMakesNothing() {
        assertFails(VolumeException.Kind.NOT_THE_VOLUME,
                () -> buckets.open(Location.parse("bucket:two"), terms("v1", false)));
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> buckets.open(PLACE, terms("v2", true)));
        assertThat(buckets.bucket("two").keys(_ -> true)).isEmpty();
    }

    @Test
    void calls_whenTheBucketIsAway_hang() throws Exception {
        backend.put(path(1), bytes("x"), BackendContract.description());
        bucket().away();
        for (org.assertj.core.api.ThrowableAssert.ThrowingCallable call : List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                () -> backend.open(path(1)), () -> backend.put(path(2), bytes("x"), BackendContract.description()),
                backend::probe, () -> backend.walk(_ -> {}, _ -> {}), backend::begin,
                () -> backend.delete(path(1)))) {
            assertFails(VolumeException.Kind.HANGS, call);
        }
        bucket().well();
        assertThat(backend.find(path(1))).isPresent();
    }

    @Test
    void calls_whenTheBucketWasEmptied_takeNothingForMissing() throws Exception {
        backend.put(path(1), bytes("x"), BackendContract.description());
        bucket().keys(_ -> true).forEach(bucket()::remove);
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.open(path(1)));
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.find(path(1)));
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, () -> backend.walk(_ -> {}, _ -> {}));
        assertFails(VolumeException.Kind.NOT_THE_VOLUME, backend::probe);
    }

    @Test
    void calls_whenItIsClosed_saySo() throws Exception {
        Blob blob;
        backend.put(path(1), bytes("x"), BackendContract.description());
        blob = backend.open(path(1));
        backend.close();
        assertFails(VolumeException.Kind.CLOSED, () -> backend.open(path(1)));
        assertThat(blob.read(0, ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @Test
    void read_whenItWasReplaced_isOfTheOldOneOrNothing() throws Exception {
        backend.put(path(1), bytes("first"), BackendContract.description());
        try (Blob blob = backend.open(path(1))) {
            backend.replace(path(1), bytes("other"), BackendContract.description());
            assertFails(VolumeException.Kind.MISSING, () -> blob.read(0, ByteBuffer.allocate(5)));
        }
    }

    @Test
    void putAll_ofMany_areMadeBesideEachOther() throws Exception {
        CountDownLatch together = new CountDownLatch(8);
        bucket().trouble(one -> {
            together.countDown();
            try {
                together.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return one;
        });
        List<Backend.NewBlob> blobs = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            blobs.add(new Backend.NewBlob(path(i), bytes("n" + i), BackendContract.description()));
        }
        assertThat(backend.putAll(blobs)).isEqualTo(100);
        assertThat(backend.find(path(100)).orElseThrow().size()).isEqualTo(4);
    }

    @Test
    void truncate_withinEarlierPieces_isGoneOnFrom() throws Exception {
        String piece = "0123456789".repeat(40_000);
        try (Incoming incoming = backend.begin()) {
            incoming.write(bytes(piece));
            incoming.force();
            incoming.truncate(150_001);
            incoming.write(bytes("end"));
            incoming.keep();
            try (Incoming again = backend.resume(incoming.id()).orElseThrow()) {
                assertThat(again.size()).isEqualTo(150_004);
                ByteBuffer into = ByteBuffer.allocate(2);
                again.read(149_999, into);
                assertThat(into.flip()).isEqualTo(bytes("90"));
                again.place(path(1), BackendContract.description());
            }
        }
        assertThat(backend.find(path(1)).orElseThrow().size()).isEqualTo(150_004);
        assertThat(bucket().keys(key -> key.contains("incoming"))).isEmpty();
    }
}

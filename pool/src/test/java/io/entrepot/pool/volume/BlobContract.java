package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.TenantId;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Blobs that are put in one step: written, read, found, deleted. */
interface BlobContract extends BackendContract {

    @Test
    default void put_whenThePlaceIsFree_canBeReadFoundAndDescribed() throws Exception {
        ByteBuffer content = bytes("hello");
        backend().put(path(1), content, description());
        assertThat(content.hasRemaining()).isFalse();
        assertThat(read(path(1))).isEqualTo("hello");
        assertThat(backend().find(path(1)).orElseThrow()).extracting("path", "size").containsExactly(path(1), 5L);
        if (backend().traits().described()) {
            assertThat(backend().description(path(1))).hasValueSatisfying(d -> assertThat(d).isEqualTo(description()));
        }
        assertThat(begun()).isEmpty();
    }

    @Test
    default void put_ofOtherSizesAndBuffers_isWhatIsRead() throws Exception {
        put(1, "");
        assertThat(read(path(1))).isEmpty();
        String large = "0123456789".repeat(100_000);
        put(2, large);
        assertThat(read(path(2))).isEqualTo(large);
        ByteBuffer direct = ByteBuffer.allocateDirect(10).put(bytes("--hello---")).position(2).limit(7);
        backend().put(path(3), direct.asReadOnlyBuffer(), description());
        assertThat(read(path(3))).isEqualTo("hello");
    }

    @Test
    default void put_atAnyDepth_isFoundThere() throws Exception {
        for (int depth = 0; depth <= BlobPath.DEEPEST; depth++) {
            BlobPath path = new BlobPath(ACME, path(1).key(), "", depth);
            backend().put(path, bytes("at " + depth), description());
            assertThat(read(path)).isEqualTo("at " + depth);
        }
    }

    @Test
    default void put_whenThereIsABlob_isRefusedAndChangesNothing() throws Exception {
        put(1, "first");
        assertFails(VolumeException.Kind.EXISTS, () -> put(1, "second"));
        assertThat(read(path(1))).isEqualTo("first");
        assertThat(begun()).isEmpty();
    }

    @Test
    default void putAll_whenOneCannotBe_placesThoseBeforeIt() throws Exception {
        put(3, "in the way");
        List<Backend.NewBlob> blobs = List.of(blob(1, "one"), blob(2, "two"), blob(3, "three"), blob(4, "four"));
        assertThat(backend().putAll(blobs)).isEqualTo(2);
        assertThat(List.of(read(path(1)), read(path(2)), read(path(3)))).containsExactly("one", "two", "in the way");
        assertThat(backend().find(path(4))).isEmpty();
        assertThat(begun()).isEmpty();
        assertThat(backend().putAll(List.of())).isZero();
    }

    @Test
    default void putting_whenItIsOver_isThereLikeOneThatWasPut() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        Backend.Putting putting = backend().putting(path(1), bytes("hello"), description(),
                () -> told.add("placed"));
        putting.await();
        assertThat(putting.isOver() && putting.isPut()).isTrue();
        assertThat(putting.giveUp()).as("too late").isFalse();
        assertThat(told).containsExactly("placed");
        assertThat(read(path(1))).isEqualTo("hello");
        assertThat(begun()).isEmpty();
    }

    @Test
    default void putting_whenItCannotBe_saysWhyToWhoeverWaits() throws Exception {
        put(1, "first");
        Backend.Putting putting = backend().putting(path(1), bytes("second"), description(), () -> {});
        assertFails(VolumeException.Kind.EXISTS, putting::await);
        assertThat(putting.isOver()).isTrue();
        assertThat(putting.isPut()).isFalse();
        assertThat(read(path(1))).isEqualTo("first");
        assertThat(begun()).isEmpty();
    }

    @Test
    default void putting_whenWhatIsRunAfterItThrows_saysSo() throws Exception {
        Backend.Putting putting = backend().putting(path(1), bytes("x"), description(), () -> {
            throw new UnsupportedOperationException("not today");
        });
        assertThatThrownBy(putting::await).isInstanceOf(UnsupportedOperationException.class);
        assertThat(putting.isPut()).isFalse();
    }

    @Test
    default void putting_whenGivenUp_isThereOnlyIfThatWasTooLate() throws Exception {
        for (int i = 1; i <= 200; i++) {
            Backend.Putting putting = backend().putting(path(i), bytes("x"), description(), () -> {});
            boolean never = putting.giveUp();
            putting.await();
            assertThat(putting.isPut()).isNotEqualTo(never);
            assertThat(backend().find(path(i)).isPresent()).isNotEqualTo(never);
        }
        assertThat(begun()).isEmpty();
    }

    @Test
    default void putting_whenManyDoIt_allAreThere() {
        Crowd.run(8, caller -> {
            List<Backend.Putting> all = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                all.add(backend().putting(path(1 + caller * 400L + i), bytes(caller + " " + i), description(),
                        () -> {}));
            }
            for (int i = 0; i < 400; i++) {
                all.get(i).await();
                assertThat(read(path(1 + caller * 400L + i))).isEqualTo(caller + " " + i);
            }
            return true;
        });
    }

    private static Backend.NewBlob blob(int number, String content) {
        return new Backend.NewBlob(path(number), bytes(content), description());
    }

    @Test
    default void replace_whetherOrNotThereIsABlob_isWhatIsRead() throws Exception {
        backend().replace(path(1), bytes("first"), description());
        try (Blob before = backend().open(path(1))) {
            backend().replace(path(1), bytes("second"), description());
            assertThat(before.size()).isEqualTo(5);
        }
        assertThat(read(path(1))).isEqualTo("second");
        assertThat(begun()).isEmpty();
    }

    @Test
    default void put_whenManyWantOnePlace_letsOneHaveIt() {
        List<Crowd.Outcome<Integer>> outcomes = Crowd.<Integer>start(16, caller -> {
            put(1, "by " + caller);
            return caller;
        }).outcomes();
        assertThat(outcomes.stream().filter(Crowd.Outcome::succeeded)).singleElement()
                .satisfies(winner -> assertThat(read(path(1))).isEqualTo("by " + winner.value()));
        assertThat(outcomes.stream().filter(outcome -> !outcome.succeeded()))
                .allSatisfy(loser -> assertFails(VolumeException.Kind.EXISTS, () -> {
                    throw loser.failure();
                }));
    }

    @Test
    default void put_whenTheDescriptionIsTooLong_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(
                () -> backend().put(path(1), bytes(""), new byte[Backend.LONGEST_DESCRIPTION + 1]));
    }

    @Test
    default void description_whenAsLongAsCanBe_isKept() throws Exception {
        byte[] longest = new byte[Backend.LONGEST_DESCRIPTION];
        Arrays.fill(longest, (byte) 7);
        backend().put(path(1), bytes("x"), longest);
        if (backend().traits().described()) {
            assertThat(backend().description(path(1))).hasValueSatisfying(d -> assertThat(d).isEqualTo(longest));
        }
    }

    @Test
    default void missing_whateverIsAsked_isSaidSo() throws Exception {
        put(1, "another in the same directory");
        for (BlobPath missing : List.of(path(2), path(new TenantId("other"), 1))) {
            assertFails(VolumeException.Kind.MISSING, () -> backend().open(missing));
            assertThat(backend().find(missing)).isEmpty();
            backend().delete(missing);
            if (backend().traits().described()) {
                assertFails(VolumeException.Kind.MISSING, () -> backend().description(missing));
            }
        }
    }

    @Test
    default void delete_whenThereIsABlob_leavesNone() throws Exception {
        put(1, "one");
        put(2, "two");
        assertThat(backend().delete(path(1))).isTrue();
        assertThat(backend().find(path(1))).isEmpty();
        assertThat(read(path(2))).isEqualTo("two");
        put(1, "once more");
        assertThat(read(path(1))).isEqualTo("once more");
    }

    @Test
    default void blob_whenDeletedWhileOpen_canStillBeReadIfItIsHeld() throws Exception {
        put(1, "hello");
        try (Blob blob = backend().open(path(1))) {
            backend().delete(path(1));
            ByteBuffer into = ByteBuffer.allocate(10);
            if (!backend().traits().held()) {
                assertFails(VolumeException.Kind.MISSING, () -> blob.read(1, into));
                return;
            }
            assertThat(blob.read(1, into)).isEqualTo(4);
            assertThat(into.flip()).isEqualTo(bytes("ello"));
            assertThat(blob.read(5, ByteBuffer.allocate(10))).isEqualTo(-1);
            assertThat(blob.read(2, ByteBuffer.allocate(0))).isZero();
        }
    }

    @Test
    default void blob_whenManyRead_givesEachItsOwnBytes() throws Exception {
        put(1, "0123456789".repeat(1000));
        try (Blob blob = backend().open(path(1))) {
            assertThat(Crowd.run(8, caller -> {
                ByteBuffer into = ByteBuffer.allocate(1);
                for (int i = 0; i < 50; i++) {
                    into.clear();
                    blob.read(caller + 10L * i, into);
                    assertThat(into.get(0)).isEqualTo((byte) ('0' + caller));
                }
                return caller;
            })).hasSize(8);
        }
    }

    @Test
    default void blob_whenClosed_isRefused() throws Exception {
        put(1, "x");
        Blob blob = backend().open(path(1));
        blob.close();
        blob.close();
        assertThatThrownBy(() -> blob.read(0, ByteBuffer.allocate(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    default void path_whenLocal_isWhereOthersFindIt() throws Exception {
        put(1, "hello");
        assertThat(backend().path(path(1)).isPresent()).isEqualTo(backend().traits().local());
        if (backend().traits().local()) {
            assertThat(Files.readString(backend().path(path(1)).orElseThrow())).isEqualTo("hello");
        }
    }

    @Test
    default void sync_spaceAndProbe_whenAllIsWell_succeed() throws Exception {
        put(1, "hello");
        backend().sync();
        backend().probe();
        assertThat(backend().space().free()).isPositive().isLessThanOrEqualTo(backend().space().total());
        assertThat(begun()).isEmpty();
    }
}

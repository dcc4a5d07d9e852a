package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Going through everything, and taking away what holds nothing. */
interface WalkContract extends BackendContract {

    default List<BlobPath> blobs() throws Exception {
        List<BlobPath> found = new ArrayList<>();
        backend().walk(stored -> found.add(stored.path()), stray -> assertThat(stray).isNull());
        return found;
    }

    @Test
    default void walk_whateverIsThere_seesEachBlobOnce() throws Exception {
        List<BlobPath> all = new ArrayList<>();
        for (int number = 1; number < 2000; number += 37) {
            all.add(path(number));
            all.add(path(new TenantId("tenant-" + number % 5), number));
        }
        for (int depth = 0; depth <= BlobPath.DEEPEST; depth++) {
            all.add(new BlobPath(new TenantId("deep"), path(1).key(), ".pdf", depth));
        }
        for (BlobPath path : all) {
            backend().put(path, BackendContract.bytes("x"), description());
        }
        try (Incoming unseen = backend().begin()) {
            assertThat(unseen.size()).isZero();
            assertThat(blobs()).containsExactlyInAnyOrderElementsOf(all);
        }
    }

    @Test
    default void walk_tellsWhatFindTells() throws Exception {
        put(1, "hello");
        backend().walk(stored -> assertThat(stored).isEqualTo(found(path(1))), stray -> assertThat(stray).isNull());
    }

    /** A visitor may use the backend. */
    private Backend.Stored found(BlobPath path) {
        try {
            return backend().find(path).orElseThrow();
        } catch (VolumeException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void walk_whenTheVisitorThrows_endsWithThat() throws Exception {
        put(1, "hello");
        assertThatThrownBy(() -> backend().walk(_ -> {
            throw new IllegalStateException("enough");
        }, _ -> {})).hasMessage("enough");
        assertThat(blobs()).hasSize(1);
    }

    @Test
    default void emptyDirectories_whateverIsRemoved_harmNoBlob() throws Exception {
        for (int number = 1; number < 4000; number += 100) {
            put(number, "n" + number);
        }
        for (int number = 1; number < 4000; number += 200) {
            backend().delete(path(number));
            backend().emptyDirectories().removeAbove(path(number), _ -> false, _ -> {});
        }
        backend().emptyDirectories().removeAll(Optional.empty(), _ -> false, false, _ -> {});
        for (int number = 101; number < 4000; number += 200) {
            assertThat(read(path(number))).isEqualTo("n" + number);
        }
        put(1, "again");
        assertThat(read(path(1))).isEqualTo("again");
    }
}

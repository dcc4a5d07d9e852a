package io.entrepot.pool.volume;

import static io.entrepot.pool.volume.BackendContract.assertFails;
import static io.entrepot.pool.volume.BackendContract.bytes;
import static io.entrepot.pool.volume.BackendContract.description;
import static io.entrepot.pool.volume.BackendContract.path;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.entrepot.pool.Sha256;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blobs that come piece by piece. */
interface IncomingContract extends BackendContract {

    @Test
    default void place_afterSeveralWrites_isAllOfThem() throws Exception {
        StringBuilder all = new StringBuilder();
        try (Incoming incoming = backend().begin()) {
            for (int length : new int[]{0, 1, 1000, 131_072, 300_000, 7}) {
                String piece = String.valueOf((char) ('a' + length % 26)).repeat(length);
                incoming.write(bytes(piece));
                all.append(piece);
                assertThat(incoming.size()).isEqualTo(all.length());
            }
            assertThat(backend().find(path(1))).isEmpty();
            incoming.place(path(1), description());
        }
        assertThat(read(path(1))).isEqualTo(all.toString());
        if (backend().traits().described()) {
            assertThat(backend().description(path(1))).hasValueSatisfying(d -> assertThat(d).isEqualTo(description()));
        }
        assertThat(begun()).isEmpty();
    }

    @Test
    default void write_fromABufferThatIsUsedAgain_keepsWhatWasInIt() throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(3);
        try (Incoming incoming = backend().begin()) {
            for (String piece : new String[]{"abc", "def", "ghi"}) {
                incoming.write(buffer.clear().put(bytes(piece)).flip());
            }
            incoming.place(path(1), description());
        }
        assertThat(read(path(1))).isEqualTo("abcdefghi");
    }

    @Test
    default void place_whenThereIsABlob_isRefusedAndCanBeTriedElsewhere() throws Exception {
        put(1, "first");
        try (Incoming incoming = backend().begin()) {
            incoming.write(bytes("second"));
            assertFails(VolumeException.Kind.EXISTS, () -> incoming.place(path(1), description()));
            assertThat(read(path(1))).isEqualTo("first");
            assertThat(incoming.size()).isEqualTo(6);
            incoming.write(bytes("!"));
            incoming.place(path(2), description());
        }
        assertThat(read(path(2))).isEqualTo("second!");
    }

    @Test
    default void close_withoutPlacing_dropsIt() throws Exception {
        String id;
        try (Incoming incoming = backend().begin()) {
            id = incoming.id();
            incoming.write(bytes("x"));
            assertThat(begun()).containsExactly(id);
        }
        assertThat(begun()).isEmpty();
        assertThat(backend().resume(id)).isEmpty();
    }

    @Test
    default void read_andTruncate_whileItIsWritten_seeWhatIsThere() throws Exception {
        try (Incoming incoming = backend().begin()) {
            incoming.write(bytes("hello world"));
            ByteBuffer into = ByteBuffer.allocate(5);
            assertThat(incoming.read(6, into)).isEqualTo(5);
            assertThat(into.flip()).isEqualTo(bytes("world"));
            assertThat(incoming.read(11, ByteBuffer.allocate(1))).isEqualTo(-1);
            incoming.truncate(5);
            assertThat(incoming.size()).isEqualTo(5);
            assertThatIllegalArgumentException().isThrownBy(() -> incoming.truncate(6));
            incoming.write(bytes("!"));
            incoming.place(path(1), description());
        }
        assertThat(read(path(1))).isEqualTo("hello!");
    }

    @Test
    default void copy_whereItIsAFile_addsWhatIsThereAndSumsItUp(@TempDir Path directory) throws Exception {
        Path source = Files.writeString(directory.resolve("source"), "0123456789");
        try (Incoming incoming = backend().begin(); FileChannel from = FileChannel.open(source)) {
            assumeThat(incoming.isFile()).isTrue();
            assertThat(incoming.copy(from, 2, 3)).isEqualTo(3);
            incoming.check();
            assertThat(incoming.copy(from, 8, 100)).isEqualTo(2);
            assertThat(incoming.copy(from, 10, 100)).isZero();
            assertThat(incoming.size()).isEqualTo(5);
            incoming.write(bytes("!"));
            incoming.force();
            MessageDigest digest = Sha256.digest();
            incoming.sum(1, 4, digest);
            assertThat(digest.digest()).isEqualTo(Sha256.digest().digest("3489".getBytes(UTF_8)));
            assertFails(VolumeException.Kind.BROKEN, () -> incoming.sum(0, 7, digest));
            incoming.place(path(1), description());
        }
        assertThat(read(path(1))).isEqualTo("23489!");
    }

    @Test
    default void resume_whenItWasKept_goesOnWhereItWas() throws Exception {
        Incoming first = backend().begin();
        first.write(bytes("hello "));
        first.force();
        first.write(bytes("wor"));
        first.keep();
        first.close();
        assertThat(begun()).containsExactly(first.id());
        try (Incoming again = backend().resume(first.id()).orElseThrow()) {
            assertThat(again.id()).isEqualTo(first.id());
            assertThat(again.size()).isEqualTo(9);
            again.write(bytes("ld"));
            again.place(path(1), description());
        }
        assertThat(read(path(1))).isEqualTo("hello world");
        assertThat(backend().resume(first.id())).isEmpty();
    }

    @Test
    default void dropBegun_whenItWasKept_leavesNothing() throws Exception {
        Incoming incoming = backend().begin();
        incoming.keep();
        assertThat(backend().dropBegun(incoming.id())).isTrue();
        assertThat(backend().dropBegun(incoming.id())).isFalse();
        assertThat(begun()).isEmpty();
    }

    @Test
    default void dropBegun_whileItIsWritten_leavesNothing() throws Exception {
        Incoming incoming = backend().begin();
        incoming.write(bytes("x".repeat(200_000)));
        incoming.force();
        assertThat(backend().dropBegun(incoming.id())).isTrue();
        try {
            incoming.write(bytes("y".repeat(200_000)));
            incoming.force();
        } catch (VolumeException e) {
            assertThat(e.kind()).isEqualTo(VolumeException.Kind.MISSING);
        }
        incoming.keep();
        assertThat(begun()).isEmpty();
        assertThat(backend().resume(incoming.id())).isEmpty();
    }

    @Test
    default void ids_thatAreNone_leadNowhere() throws Exception {
        put(1, "stays");
        for (String id : new String[]{"", ".", "..", "../volume", "a\0b", "x".repeat(5000), "../../" + path(1)}) {
            assertThat(backend().resume(id)).isEmpty();
            assertThat(backend().dropBegun(id)).isFalse();
        }
        assertThat(read(path(1))).isEqualTo("stays");
        backend().probe();
    }
}

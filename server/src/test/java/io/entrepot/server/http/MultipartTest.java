package io.entrepot.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.server.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MultipartTest {
    private static final String TYPE = "multipart/form-data; boundary=\"b-b\"";

    /** Gives a few bytes at a time, so that boundaries are cut everywhere. */
    private static InputStream drops(byte[] bytes, int size) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, size));
            }
        };
    }

    private static byte[] form(byte[]... contents) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write("this is skipped".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < contents.length; i++) {
            out.write(("\r\n--b-b\r\nContent-Disposition: form-data; name=\"n" + i + "\"; filename=\"f\\\"" + i
                    + "\"\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(contents[i]);
        }
        out.write("\r\n--b-b--\r\nand this".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    @Test
    void next_whateverThePiecesAre_givesEachPartAsItWas() throws IOException {
        Random random = new Random(1);
        byte[] large = new byte[200_000];
        random.nextBytes(large);
        byte[] tricky = "\r\n--b-\r\n--b\r\r\n\r\n--b-c".getBytes(StandardCharsets.US_ASCII);
        byte[] form = form(large, tricky, new byte[0]);
        for (int size : new int[]{1, 2, 3, 7, 1000, 1 << 20}) {
            Multipart parts = Multipart.of(drops(form, size), TYPE);
            Multipart.Part first = parts.next().orElseThrow();
            assertThat(first.name()).isEqualTo("n0");
            assertThat(first.file()).contains("f\"0");
            assertThat(first.readAllBytes()).isEqualTo(large);
            assertThat(parts.next().orElseThrow().readAllBytes()).isEqualTo(tricky);
            assertThat(parts.next().orElseThrow().readAllBytes()).isEmpty();
            assertThat(parts.next()).isEmpty();
        }
    }

    @Test
    void next_whenTheHeadIsAsLongAsItMayBe_readsIt() throws IOException {
        String before = "Content-Disposition: form-data; name=\"n\"; filename=\"";
        for (String one : List.of("f", "\\\"", "f\\f")) {
            String name = one.repeat(((8 << 10) - before.length() - 1) / one.length());
            byte[] form = ("--b-b\r\n" + before + name + "\"\r\n\r\n\r\n--b-b--").getBytes(StandardCharsets.US_ASCII);
            Multipart parts = Multipart.of(new ByteArrayInputStream(form), TYPE);
            assertThat(parts.next().orElseThrow().file()).contains(name.replace("\\", ""));
        }
    }

    @Test
    void next_whenAPartIsNotRead_skipsIt() throws IOException {
        Multipart parts = Multipart.of(drops(form(new byte[100_000], new byte[]{1}), 50), TYPE);
        assertThat(parts.next()).isPresent();
        assertThat(parts.next().orElseThrow().readAllBytes()).containsExactly(1);
    }

    @Test
    void read_whenTheFormEndsEarly_fails() throws IOException {
        byte[] form = form(new byte[100]);
        for (int length = 20; length < form.length - 20; length += 13) {
            InputStream in = new ByteArrayInputStream(form, 0, length);
            assertThatThrownBy(() -> {
                Multipart parts = Multipart.of(in, TYPE);
                parts.next().orElseThrow().readAllBytes();
            }).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void next_whenItIsNoForm_isRefused() {
        assertThatThrownBy(() -> Multipart.of(InputStream.nullInputStream(), "multipart/form-data"))
                .isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> Multipart.of(new ByteArrayInputStream("--b-b\r\nX: y\r\n\r\n".getBytes(
                StandardCharsets.US_ASCII)), TYPE).next()).isInstanceOf(ProblemException.class);
    }
}

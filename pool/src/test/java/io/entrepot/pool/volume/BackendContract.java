package io.entrepot.pool.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What the tests of any backend share: one that is empty before each test, and how it is used. */
interface BackendContract {
    TenantId ACME = new TenantId("acme");

    Backend backend();

    static byte[] description() {
        return new byte[]{1, 0, -1};
    }

    static BlobPath path(long number) {
        return path(ACME, number);
    }

    static BlobPath path(TenantId tenant, long number) {
        return new BlobPath(tenant, new FileKey(number, 0x1234_5678_9abc_def0L), ".txt", 2);
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    default void put(long number, String text) throws Exception {
        backend().put(path(number), bytes(text), description());
    }

    default String read(BlobPath path) throws Exception {
        try (Blob blob = backend().open(path)) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            ByteBuffer part = ByteBuffer.allocate(100_000);
            while (blob.read(content.size(), part) >= 0) {
                content.write(part.array(), 0, part.position());
                part.clear();
            }
            assertThat(blob.size()).isEqualTo(content.size());
            return content.toString(StandardCharsets.UTF_8);
        }
    }

    default List<String> begun() throws Exception {
        List<String> ids = new ArrayList<>();
        backend().begun(one -> ids.add(one.id()));
        return ids;
    }

    static void assertFails(VolumeException.Kind kind, ThrowingCallable call) {
        VolumeException e = catchThrowableOfType(VolumeException.class, call);
        assertThat(e).as("a failure of kind " + kind).isNotNull();
        assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
    }
}

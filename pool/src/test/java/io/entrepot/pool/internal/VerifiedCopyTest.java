package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.SavedFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.Blob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that does not come on; what it is when it does is in {@code SavedFileTest}. */
class VerifiedCopyTest {
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private final CountDownLatch over = new CountDownLatch(1);
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;
    @SuppressWarnings("NullAway.Init") // before each test
    private Pool pool;
    @SuppressWarnings("NullAway.Init")
    private FileContent content;

    @BeforeEach
    void open() throws Exception {
        pool = Pool.open(directory.resolve("data"));
        FileKey key = pool.files().write(TenantId.DEFAULT, NewFile.unnamed(), new byte[8 << 20]).key();
        content = pool.files().open(TenantId.DEFAULT, key);
    }

    @AfterEach
    void close() {
        over.countDown();
        content.close();
        pool.close();
    }

    /** Copies a part and then hangs. */
    private final class Hanging implements Blob {
        @Override
        public long size() {
            return content.size();
        }

        @Override
        public int read(long position, ByteBuffer into) {
            throw new AssertionError("nobody reads it");
        }

        @Override
        public long copy(long position, long count, FileChannel to) throws IOException {
            if (position > 0) {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    throw new AssertionError("nobody interrupts it", e);
                }
            }
            return to.write(ByteBuffer.allocate((int) count));
        }

        @Override
        public void close() {}
    }

    /** The file, read by a volume that answers or does not. */
    private record Asked(FileContent content, boolean answers) implements FileContent {
        @Override
        public FileInfo file() {
            return content.file();
        }

        @Override
        public long size() {
            return content.size();
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            if (!answers) {
                throw new IOException("the volume hangs");
            }
            return content.read(position, into);
        }

        @Override
        public InputStream stream() {
            return content.stream();
        }

        @Override
        public InputStream stream(long from, long length) {
            return content.stream(from, length);
        }

        @Override
        public InputStream verifiedStream() {
            return content.verifiedStream();
        }

        @Override
        public void close() {}
    }

    private void save(boolean answers, Duration patience) throws IOException {
        SavedFile.save(out -> new VerifiedCopy(new Asked(content, answers), new Hanging(), patience, out).run(),
                directory.resolve("target"));
    }

    private void assertNothingIsLeft() throws IOException {
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve("data"));
        }
    }

    @Test
    void run_whenTheVolumeHangs_leavesWithWhatItSays() throws IOException {
        assertThatThrownBy(() -> save(false, PATIENCE)).isInstanceOf(IOException.class)
                .hasMessage("the volume hangs");
        assertNothingIsLeft();
    }

    @Test
    void run_whenTheTargetHangs_leavesAndBlamesNobodyElse() throws IOException {
        assertThatThrownBy(() -> save(true, PATIENCE)).isInstanceOf(IOException.class)
                .hasMessageContaining("after 4194304 of 8388608 bytes the place where it is saved to does not answer");
        assertNothingIsLeft();
    }

    @Test
    void run_whenInterruptedWhileItHangs_leavesAtOnce() throws IOException {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> save(true, Duration.ofHours(1))).isInstanceOf(IOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertNothingIsLeft();
    }
}

package io.entrepot.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedFileTest {
    /** More than is sent to the disk at a time. */
    private static final int MUCH = (40 << 20) + 7;

    @TempDir
    Path directory;

    private void assertOnly(Path target) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(target);
        }
    }

    /** AssertJ's own way goes byte by byte. */
    private static void assertHas(Path file, byte[] content) throws IOException {
        assertThat(Arrays.mismatch(Files.readAllBytes(file), content)).as("the first byte of %s that is another", file)
                .isEqualTo(-1);
    }

    @Test
    void save_ofMuch_isAllThereAndNothingElse() throws Exception {
        byte[] much = new byte[MUCH];
        new Random(1).nextBytes(much);
        Path target = directory.resolve("target");
        SavedFile.save(new ByteArrayInputStream(much), target);
        assertHas(target, much);
        assertOnly(target);
    }

    /** A temporary file is its owner's only; this one is like any other. */
    @Test
    void save_makesAFileThatOthersMayReadAsTheyMayAnyNewOne() throws Exception {
        Path target = directory.resolve("target");
        SavedFile.save(new ByteArrayInputStream(new byte[10]), target);
        assertThat(Files.getPosixFilePermissions(target))
                .isEqualTo(Files.getPosixFilePermissions(Files.createFile(directory.resolve("any"))));
    }

    @Test
    void save_whenItIsToBeAsOldAsSomethingElse_is() throws Exception {
        Instant time = Instant.parse("2001-02-03T04:05:06.789Z");
        Path target = directory.resolve("target");
        SavedFile.save(out -> {
            out.setModified(time);
            out.write(new byte[MUCH]);
        }, target);
        assertThat(Files.getLastModifiedTime(target).toInstant()).isEqualTo(time);
        for (String odd : List.of("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z")) {
            SavedFile.save(out -> out.setModified(Instant.parse(odd)), target);
            assertThat(target).as(odd).isEmptyFile();
        }
    }

    @Test
    void save_whereThereIsAFile_replacesIt() throws Exception {
        Path target = Files.writeString(directory.resolve("target"), "old and longer");
        SavedFile.save(new ByteArrayInputStream(new byte[]{'n', 'e', 'w'}), target);
        assertThat(target).hasContent("new");
    }

    @Test
    void save_whenReadingFails_leavesWhatWasThere() throws Exception {
        Path target = Files.writeString(directory.resolve("target"), "old");
        InputStream bad = new FilterInputStream(new ByteArrayInputStream(new byte[MUCH])) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int n = super.read(into, offset, length);
                if (n < 0) {
                    throw new IOException("no more");
                }
                return n;
            }
        };
        assertThatThrownBy(() -> SavedFile.save(bad, target)).isInstanceOf(IOException.class).hasMessage("no more");
        assertThat(target).hasContent("old");
        assertOnly(target);
    }

    @Test
    void save_toADirectory_isRefused() {
        assertThatThrownBy(() -> SavedFile.save(InputStream.nullInputStream(), directory))
                .isInstanceOf(IOException.class).hasMessageContaining("is a directory");
    }

    @Test
    void saveTo_ofAFile_isItsContent() throws Exception {
        Path target = directory.resolve("target");
        try (Pool pool = Pool.open(directory.resolve("data"))) {
            FileKey key = pool.files().write(TenantId.DEFAULT, NewFile.unnamed(), new byte[]{1, 2, 3}).key();
            try (FileContent content = pool.files().open(TenantId.DEFAULT, key)) {
                content.saveTo(target);
                assertThat(target).hasBinaryContent(new byte[]{1, 2, 3});
                Files.write(pool.files().get(TenantId.DEFAULT, key).path().orElseThrow(), new byte[]{1, 2, 4});
                assertThatThrownBy(() -> content.saveTo(target)).isInstanceOf(DamagedFileException.class);
                assertThat(target).hasBinaryContent(new byte[]{1, 2, 3});
            }
        }
    }

    /** Of these it is the copy that is verified. */
    @Test
    void saveTo_ofALargeFile_isItsContentOrNothing() throws Exception {
        byte[] much = new byte[MUCH];
        new Random(1).nextBytes(much);
        Path source = Files.write(directory.resolve("source"), much);
        Path target = directory.resolve("target");
        try (Pool pool = Pool.open(directory.resolve("data"))) {
            FileKey key = pool.files().write(TenantId.DEFAULT, NewFile.unnamed(), source).key();
            Path bytes = pool.files().get(TenantId.DEFAULT, key).path().orElseThrow();
            assertHas(bytes, much);
            try (FileContent content = pool.files().open(TenantId.DEFAULT, key)) {
                content.saveTo(target);
                assertHas(target, much);

                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> content.saveTo(target)).isInstanceOf(IOException.class);
                assertThat(Thread.interrupted()).isTrue();
                content.saveTo(target);

                much[MUCH / 2]++;
                Files.write(bytes, much);
                much[MUCH / 2]--;
                assertThatThrownBy(() -> content.saveTo(target)).isInstanceOf(DamagedFileException.class)
                        .hasMessageContaining("not those that were written");
                Files.write(bytes, Arrays.copyOf(much, MUCH - 1));
                assertThatThrownBy(() -> content.saveTo(target)).isInstanceOf(DamagedFileException.class)
                        .hasMessageContaining("it ends after");
                assertHas(target, much);
            }
            assertThat(directory).isDirectoryNotContaining("glob:**.part");
        }
    }
}

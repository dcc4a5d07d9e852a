package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.FilePage;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are stored, found and read. */
abstract class FileContract extends PoolContract {

    FileContract(PoolFixture fixture) {
        super(fixture);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 65_536, 65_537, 3_000_000})
    void write_whateverTheSize_canBeReadAndIsKnown(int size) throws Exception {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);

        StoredFile stored = pool.files().write(ACME, NewFile.named("data.bin"), new ByteArrayInputStream(content));

        assertThat(stored.created()).isTrue();
        assertThat(stored.sha256()).isEqualTo(new Sha256(Sha256.digest().digest(content)));
        FileInfo file = pool.files().get(ACME, stored.key());
        assertThat(file.size()).isEqualTo(size);
        assertThat(file.status()).isEqualTo(FileStatus.PENDING);
        assertThat(onDisk(ACME)).singleElement()
                .satisfies(path -> assertThat(path.toString()).endsWith(stored.key() + ".bin"));
        assertThat(storage.bytes(file)).isEqualTo(content);
        try (FileContent open = pool.files().open(ACME, stored.key()); InputStream in = open.verifiedStream()) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
    }

    @Test
    void write_whenMuchIsSaid_allOfItIsKept() throws Exception {
        NewFile said = NewFile.named("Rechnung März.pdf").in("/invoices/2026/").withPriority(7)
                .withLabels(Map.of("customer", "x=y", "kind", "invoice")).from("upload");

        FileKey key = write(ACME, said, "x");
        reopen();

        FileInfo file = pool.files().get(ACME, key);
        assertThat(file.name()).contains("Rechnung März.pdf");
        assertThat(file.extension()).isEqualTo(".pdf");
        assertThat(file.directory()).isEqualTo(new LogicalDirectory("invoices/2026"));
        assertThat(file.priority()).isEqualTo(7);
        assertThat(file.labels().all()).isEqualTo(said.labels());
        assertThat(file.source()).contains("upload");
        assertThat(file.created()).isEqualTo(clocks.instant());
    }

    @Test
    void write_whenItIsSaidWhenItsSourceWasChanged_isKnownToTheMillisecond() throws Exception {
        Instant before = Instant.parse("2001-02-03T04:05:06.789123456Z");
        List<Instant> times = List.of(before, Instant.EPOCH, Instant.parse("1969-12-31T23:59:59.9999Z"),
                Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("9999-12-31T23:59:59.999999999Z"),
                clocks.instant().plusSeconds(3600));
        List<FileKey> keys = new ArrayList<>();
        for (Instant time : times) {
            keys.add(write(ACME, NewFile.named("x").withModified(time).in("a").withPriority(1), "x"));
        }
        FileKey unknown = write(ACME, NewFile.named("x"), "x");
        reopen();

        for (int i = 0; i < keys.size(); i++) {
            assertThat(pool.files().get(ACME, keys.get(i)).modified())
                    .contains(times.get(i).truncatedTo(ChronoUnit.MILLIS));
        }
        assertThat(pool.files().get(ACME, unknown).modified()).isEmpty();
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).hasSize(7)
                .filteredOn(file -> file.modified().isEmpty()).hasSize(1);
        assertThat(claim(ACME).file().modified()).contains(times.getFirst().truncatedTo(ChronoUnit.MILLIS));
    }

    @Test
    void write_whenAWrongClockSaysWhenItWasChanged_isStoredWithout() throws Exception {
        for (Instant time : List.of(Instant.MIN, Instant.MAX, Instant.parse("0000-12-31T23:59:59.999Z"),
                Instant.parse("+10000-01-01T00:00:00Z"), Instant.parse("+30000-01-01T00:00:00Z"))) {
            FileKey key = write(ACME, NewFile.named("x").withModified(time), "x");
            assertThat(pool.files().get(ACME, key).modified()).as("%s", time).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 3_000_000})
    void write_ofAPath_knowsWhenThatWasChanged(int size) throws Exception {
        Path source = Files.write(directory.resolveSibling("source-" + size), new byte[size]);
        Instant time = Instant.parse("2001-02-03T04:05:06.789Z");
        Files.setLastModifiedTime(source, FileTime.from(time));

        FileKey key = pool.files().write(ACME, NewFile.named("x"), source).key();
        FileKey said = pool.files().write(ACME, NewFile.named("x").withModified(time.plusSeconds(1)), source).key();

        assertThat(pool.files().get(ACME, key).modified()).contains(time);
        assertThat(pool.files().get(ACME, said).modified()).contains(time.plusSeconds(1));
        Files.delete(source);
    }

    /** What is said of it just fits, and did before there were times. */
    @Test
    void write_whenThereIsNoRoomForTheTime_isStoredWithout() throws Exception {
        NewFile full = NewFile.unnamed();
        NewFile most = full;
        for (int n = 1450; n < 1600; n++) {
            NewFile longer = full.from("x".repeat(n));
            try {
                write(ACME, longer, "x");
                most = longer;
            } catch (InvalidNameException e) {
                break;
            }
        }
        assertThat(most.source()).isPresent();

        FileKey key = write(ACME, most.withModified(clocks.instant()), "x");

        assertThat(pool.files().get(ACME, key).modified()).isEmpty();
        assertThat(pool.files().get(ACME, key).source()).isEqualTo(most.source());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "../../etc/passwd", "nul\0byte", "new\nline"})
    void write_whenTheNameIsNone_isRefusedAndNothingRemains(String name) throws Exception {
        assertRefused(InvalidNameException.class, "pool.invalid-name", () -> write(ACME, NewFile.named(name), "x"));
        assertRefused(InvalidNameException.class, "pool.invalid-name",
                () -> write(ACME, NewFile.unnamed().in("a/" + name + "/../b"), "x"));

        assertThat(onDisk(ACME)).isEmpty();
        assertThat(pool.files().list(FileQuery.of(ACME)).files()).isEmpty();
        assertThat(fileCount(ACME)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"archive.tar.gz", "README", "x.a-b", "x.", ".hidden", "emoji.😀", "con.txt", "Ä.TXT"})
    void write_whateverTheName_isStoredUnderItsKeyWithASafeExtension(String name) throws Exception {
        FileKey key = write(ACME, NewFile.named(name), "x");

        FileInfo file = pool.files().get(ACME, key);
        assertThat(file.name()).contains(name);
        assertThat(onDisk(ACME)).singleElement().satisfies(path -> assertThat(path.getFileName().toString())
                .matches("[0-9a-f]{32}(\\.[A-Za-z0-9]{1,16})?").isEqualTo(key + file.extension()));
    }

    @Test
    void write_whenTheExtensionIsLong_isStoredWithoutIt() throws Exception {
        FileKey key = write(ACME, NewFile.named("x." + "e".repeat(250)), "x");

        assertThat(pool.files().get(ACME, key).extension()).isEmpty();
    }

    @Test
    void write_whenTheStreamFails_nothingRemains() throws Exception {
        for (int after : new int[]{10, 200_000}) {
            InputStream broken = new SequenceInputStream(new ByteArrayInputStream(new byte[after]), new DeadLine());
            assertThatThrownBy(() -> pool.files().write(ACME, NewFile.unnamed(), broken))
                    .isInstanceOf(IOException.class).hasMessage("the line is dead");
        }
        for (int size : new int[]{9, 11}) {
            assertThatThrownBy(() -> pool.files().write(ACME, NewFile.unnamed().ofSize(size),
                    new ByteArrayInputStream(new byte[10]))).isInstanceOf(IOException.class);
        }

        assertThat(onDisk(ACME)).isEmpty();
        assertThat(fileCount(ACME)).isZero();
        assertThat(storage.begun()).isEmpty();
    }

    @Test
    void open_ofARange_givesThatAndNoMore() throws Exception {
        FileKey key = write(ACME, "0123456789");

        try (FileContent content = pool.files().open(ACME, key)) {
            assertThat(content.stream(2, 3).readAllBytes()).isEqualTo("234".getBytes(UTF_8));
            assertThat(content.stream(8, 100).readAllBytes()).isEqualTo("89".getBytes(UTF_8));
            assertThat(content.stream(10, 1).readAllBytes()).isEmpty();
            assertThat(content.stream(0, Long.MAX_VALUE).readAllBytes()).hasSize(10);
        }
    }

    @Test
    void open_ofAnotherTenantsFile_isNotFound() throws Exception {
        FileKey key = write(ACME, "secret");

        assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.files().open(OTHER, key));
        assertRefused(FileNotFoundException.class, "pool.file-not-found",
                () -> pool.files().open(ACME, new FileKey(key.number(), key.nonce() + 1)));
        assertThat(pool.files().find(OTHER, key)).isEmpty();
    }

    @Test
    void open_whenTheBytesWereChanged_isToldByWhoeverVerifies() throws Exception {
        FileKey key = write(ACME, "hello");
        FileInfo file = pool.files().get(ACME, key);
        storage.change(file, "jello");

        assertRefused(DamagedFileException.class, "pool.damaged-file", () -> pool.files().verify(ACME, key));
        storage.change(file, "hell");
        assertRefused(DamagedFileException.class, "pool.damaged-file", () -> read(ACME, key));
        storage.remove(file);
        assertRefused(DamagedFileException.class, "pool.damaged-file", () -> read(ACME, key));
    }

    @Test
    void write_whenTheKeyWasUsed_isTheSameFile() throws Exception {
        NewFile file = NewFile.named("a.txt").withIdempotencyKey("4711");
        StoredFile first = pool.files().write(ACME, file, "x".getBytes(UTF_8));
        StoredFile again = pool.files().write(ACME, file, "x".getBytes(UTF_8));

        assertThat(again.created()).isFalse();
        assertThat(again.key()).isEqualTo(first.key());
        assertThat(onDisk(ACME)).hasSize(1);
        assertRefused(IdempotencyConflictException.class, "pool.idempotency-conflict", () -> write(ACME, file, "y"));
        assertRefused(IdempotencyConflictException.class, "pool.idempotency-conflict",
                () -> write(ACME, file.withName("b.txt"), "x"));
        assertThat(write(OTHER, file, "y")).isNotEqualTo(first.key());
    }

    @Test
    void write_whenTheFileOfAKeyIsDone_isStillTheSame() throws Exception {
        NewFile file = NewFile.unnamed().withIdempotencyKey("4711");
        FileKey key = write(ACME, file, "x");
        pool.work().complete(claim(ACME).lease());

        assertThat(write(ACME, file, "x")).isEqualTo(key);
        assertThat(pool.work().claim(ACME, "worker")).isEmpty();
    }

    @Test
    void list_pageByPage_showsEachOnceAndOnlyWhatIsWanted() throws Exception {
        List<FileKey> written = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            written.add(write(ACME, NewFile.named("f" + i + (i % 5 == 0 ? ".pdf" : ".txt")).in(i < 10 ? "a" : "b")
                    .withLabels(Map.of("n", String.valueOf(i % 3))), "x"));
        }
        write(OTHER, "x");

        List<FileKey> listed = new ArrayList<>();
        String cursor = "";
        do {
            FilePage page = pool.files().list(FileQuery.of(ACME).withLimit(10).after(cursor));
            page.files().forEach(file -> listed.add(file.key()));
            cursor = page.cursor();
        } while (!cursor.isEmpty());

        assertThat(listed).isEqualTo(written);
        assertThat(pool.files().list(FileQuery.of(ACME).named("*.pdf")).files()).hasSize(5);
        assertThat(pool.files().list(FileQuery.of(ACME).in(new LogicalDirectory("a"))).files()).hasSize(10);
        assertThat(pool.files().list(FileQuery.of(ACME).withLabels(Map.of("n", "0"))).files()).hasSize(9);
        claim(ACME);
        assertThat(pool.files().list(FileQuery.of(ACME).in(FileStatus.PROCESSING)).files())
                .singleElement().satisfies(file -> assertThat(file.worker()).contains("worker"));
    }

    @Test
    void delete_whateverItsState_takesTheFileAndItsBytes() throws Exception {
        FileKey pending = write(ACME, "a");
        FileKey processing = write(ACME, "b");
        pool.work().claim(ACME, processing, "worker", TERM);

        pool.files().delete(ACME, pending, "by mistake");
        pool.files().delete(ACME, processing, "by mistake");

        assertThat(pool.files().find(ACME, pending)).isEmpty();
        assertThat(fileCount(ACME)).isZero();
        assertRefused(FileNotFoundException.class, "pool.file-not-found",
                () -> pool.files().delete(ACME, pending, "again"));
        eventually(() -> onDisk(ACME).isEmpty());
    }

    /** Fails at once. */
    private static final class DeadLine extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("the line is dead");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return read();
        }
    }
}

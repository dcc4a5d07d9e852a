package io.entrepot.pool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DescriptionTest {
    /** What ext4 has room for in an inode of 256 bytes. */
    private static final int WITHIN_INODE = 64;
    private static final long CREATED = 1_794_924_000_000L;
    private static final Sha256 SHA = new Sha256(
            Sha256.digest().digest("content".getBytes(StandardCharsets.UTF_8)));

    private static Description of(String name, String directory, String labels, String source) {
        return new Description(4096, SHA, CREATED, OptionalLong.empty(), 0, text(name), LogicalDirectory.of(directory),
                labels, text(source));
    }

    private static Description at(Description said, long created, long modified) {
        return new Description(said.size(), said.sha(), created, OptionalLong.of(modified), said.priority(),
                said.name(),
                said.directory(), said.labels(), said.source());
    }

    /** Older than the file, as old, younger, and as clocks and users have it. */
    static Stream<Description> whateverTimeIsSaid() {
        long[] times = {CREATED - 3000, CREATED, CREATED - 1, CREATED + 1, 0, -1, Instant.parse("0001-01-01T00:00:00Z")
                .toEpochMilli(), Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli(), Long.MIN_VALUE,
                Long.MAX_VALUE};
        long[] created = {CREATED, 0, -1, Instant.parse("2008-07-30T00:00:00Z").toEpochMilli(), Instant.parse(
                "2043-06-01T00:00:00Z").toEpochMilli(), Long.MIN_VALUE, Long.MAX_VALUE};
        return whateverIsSaid().flatMap(said -> Arrays.stream(created).boxed().flatMap(
                came -> Arrays.stream(times).mapToObj(time -> at(said, came, time))));
    }

    private static Optional<String> text(String text) {
        return Optional.of(text).filter(it -> !it.isEmpty());
    }

    static Stream<Description> whateverIsSaid() {
        return Stream.of(of("", "", "", ""), of("file-12345.dat", "d399", "", "watch bench: d399/file-12345.dat"),
                of("a.dat", "", "", "watch bench: a.dat"), of("a.dat", "in/x", "", "watch many: acme/in/x/a.dat"),
                of("a.dat", "", "", "watch bench: somewhere else"), of("a.dat", "", "", "watch "),
                of("a.dat", "", "", "watch a.dat"), of("a.dat", "", "", "watch : a.dat"),
                of("a.dat", "", "", "watch bench:: a.dat"), of("a.dat", "", "", "watch bench: : a.dat"),
                of("a.dat", "", "", "watch bench:a.dat"), of("", "", "", "watch bench: "),
                of("", "in", "", "watch bench: in/"), of("a.dat", "", "", "a.dat"), of(".dat", "", "", ""),
                of("no extension", "", "", ""), of("ends.other", "", "", ""), of("ünï ☂.dat", "ä/☂", "k=v", "me"),
                new Description(0, SHA, 0, OptionalLong.empty(), -7, Optional.of("a.dat"), LogicalDirectory.ROOT, "k=v",
                        Optional.empty()),
                new Description(Long.MAX_VALUE, SHA, Long.MAX_VALUE, OptionalLong.empty(), 9, Optional.empty(),
                        LogicalDirectory.ROOT, "",
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource({"whateverIsSaid", "whateverTimeIsSaid"})
    void decode_whateverWasSaid_saysTheSame(Description said) {
        for (String extension : new String[]{"", ".dat"}) {
            assertThat(Description.decode(said.encode(extension), extension)).contains(said);
        }
    }

    @Test
    void encode_ofASmallImportWithAShortName_fitsIntoAnInode() {
        assertThat(of("file-12345.dat", "d399", "", "watch bench: d399/file-12345.dat").encode(".dat"))
                .hasSizeLessThanOrEqualTo(WITHIN_INODE);
        assertThat(of("invoice-2026-000123.pdf", "", "", "").encode(".pdf")).hasSizeLessThanOrEqualTo(WITHIN_INODE);
    }

    @Test
    void encode_ofASmallImportThatWasJustChanged_fitsIntoAnInode() {
        long lately = CREATED - Duration.ofMinutes(30).toMillis();
        assertThat(at(of("file-12345.dat", "d399", "", "watch bench: d399/file-12345.dat"), CREATED, lately)
                .encode(".dat")).hasSizeLessThanOrEqualTo(WITHIN_INODE);
        assertThat(at(of("invoice-2026-000123.pdf", "", "", ""), CREATED, lately).encode(".pdf"))
                .hasSizeLessThanOrEqualTo(WITHIN_INODE);
    }

    @Test
    void decode_ofWhatEarlierVersionsWrote_saysTheSame() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(1);
            out.write(new byte[]{(byte) 0x80, 0x20}); // 4096
            out.write(SHA.bytes());
            out.write(new byte[]{(byte) 0xE8, 0x07}); // 1000
            out.writeShort(5);
            for (String text : new String[]{"a.dat", "in/x", "k=v", "watch bench: in/x/a.dat"}) {
                out.writeByte(text.length());
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(Description.decode(bytes.toByteArray(), ".dat")).contains(new Description(4096, SHA, 1000,
                OptionalLong.empty(), 5,
                Optional.of("a.dat"), new LogicalDirectory("in/x"), "k=v", Optional.of("watch bench: in/x/a.dat")));
    }

    @Test
    void decode_ofWhatIsNotOursOrLater_isNothing() {
        byte[] later = of("a.dat", "", "", "").encode("");
        later[0] |= 0x40;
        assertThat(Description.decode(later, "")).isEmpty();
        later[0] = 2;
        assertThat(Description.decode(later, "")).isEmpty();
        assertThat(Description.decode(new byte[0], "")).isEmpty();
        assertThat(Description.decode(Arrays.copyOf(of("a.dat", "", "", "").encode(""), 20), "")).isEmpty();
    }
}

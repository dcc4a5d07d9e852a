package io.entrepot.pool.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import java.nio.file.Path;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlobPathTest {
    private static final FileKey KEY = new FileKey(0x1234_5678, 1);
    private static final TenantId ACME = new TenantId("acme");

    @Provide
    Arbitrary<BlobPath> paths() {
        Arbitrary<TenantId> tenants = Arbitraries.strings().withChars("abz09._-").ofMinLength(1).ofMaxLength(63)
                .filter(TenantId::isValid).map(TenantId::new).withoutEdgeCases();
        Arbitrary<FileKey> keys = Combinators
                .combine(Arbitraries.longs().between(1, Long.MAX_VALUE), Arbitraries.longs()).as(FileKey::new);
        Arbitrary<String> extensions = Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(16)
                .map(letters -> "." + letters).withoutEdgeCases();
        return Combinators.combine(tenants, keys, Arbitraries.oneOf(extensions, Arbitraries.just("")),
                Arbitraries.integers().between(0, BlobPath.DEEPEST)).as(BlobPath::new);
    }

    @Property
    void parse_ofAnyPathsText_givesThePathBack(@ForAll("paths") BlobPath path) {
        assertThat(BlobPath.parse(path.toString())).contains(path);
        assertThat(path).hasToString(path.directory() + "/" + path.fileName());
    }

    @Property
    void toString_ofAnyPath_staysInTheTenantsDirectory(@ForAll("paths") BlobPath path) {
        Path root = Path.of("/volume");
        Path resolved = root.resolve(path.toString());
        assertThat(resolved.normalize()).isEqualTo(resolved);
        assertThat(resolved.startsWith(root.resolve(path.tenant().name()))).isTrue();
        assertThat(resolved.getNameCount()).isEqualTo(3 + path.depth());
        assertThat(path.fileName().length()).isLessThan(255);
    }

    /** Whatever it is, it gives a path or none, and a path only if it is the text of it. */
    @Property
    void parse_ofAnyText_isTheTextOfWhatItGives(@ForAll String text) {
        assertThat(BlobPath.parse(text)).matches(path -> path.isEmpty() || path.get().toString().equals(text));
    }

    @Property
    void extensionOf_ofAnyName_canBeKept(@ForAll String name) {
        BlobPath path = new BlobPath(ACME, KEY, BlobPath.extensionOf(name), 2);
        assertThat(BlobPath.parse(path.toString())).contains(path);
    }

    @ParameterizedTest
    @CsvSource(value = {"a.pdf|.pdf", "a.tar.gz|.gz", "A.PDF|.PDF", "a|''", "a.|''", ".bashrc|''", "a.b/c|''",
            "a./../../etc/passwd|''", "a.p df|''", "a.é|''", "a.<script>|''", "CON.txt|.txt", "nul|''",
            "'a.txt '|''"}, delimiter = '|')
    void extensionOf_keepsWhatIsShortAndPlain(String name, String extension) {
        assertThat(BlobPath.extensionOf(name)).isEqualTo(extension);
    }

    @Test
    void extensionOf_whenVeryLongOrWithNul_isNone() {
        assertThat(BlobPath.extensionOf("a." + "x".repeat(16))).isEqualTo("." + "x".repeat(16));
        assertThat(BlobPath.extensionOf("a." + "x".repeat(17))).isEmpty();
        assertThat(BlobPath.extensionOf("a." + "x".repeat(300))).isEmpty();
        assertThat(BlobPath.extensionOf("a.t\0xt")).isEmpty();
        assertThat(BlobPath.extensionOf("a.txt\n")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"txt", ".", "..", "./x", ".a/b", ".t\0xt", ".txt\n", ".a.b"})
    void new_whenTheExtensionIsNone_isRefused(String extension) {
        assertThatIllegalArgumentException().isThrownBy(() -> new BlobPath(ACME, KEY, extension, 2));
    }

    @Test
    void new_whenTooDeep_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new BlobPath(ACME, KEY, "", -1));
        assertThatIllegalArgumentException().isThrownBy(() -> new BlobPath(ACME, KEY, "", BlobPath.DEEPEST + 1));
    }

    @Test
    void parse_whenSomethingIsWrong_isNone() {
        String key = KEY.toString();
        String place = key.substring(0, 2) + "/" + key.substring(2, 4) + "/" + key;
        assertThat(BlobPath.parse("acme/" + place)).isPresent();
        for (String wrong : new String[]{"", "/", "acme", key, "acme/", "/acme/" + place, "acme//" + place,
                "acme/../acme/" + place, "Acme/" + place, "acme/00/00/" + key, "acme/" + place + "/",
                "acme/" + place + "x",
                "acme/" + place.toUpperCase(Locale.ROOT), ".entrepot/" + place, "acme/./" + place,
                "acme/" + place + "." + "x".repeat(300)}) {
            assertThat(BlobPath.parse(wrong)).as(wrong).isEmpty();
        }
    }
}

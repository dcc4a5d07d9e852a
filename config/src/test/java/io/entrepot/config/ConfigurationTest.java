package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationTest {
    private static final String FULL = """
                                       name = "Oslo"
                                       flags = ["no", "dk"]

                                       [office]
                                       port = 9000
                                       token = "hush"
                                       data = "/srv/books"
                                       placement = "round-robin"

                                       [retry]
                                       first = "250ms"

                                       [[quay]]
                                       name = "north"
                                       path = "n"

                                       [[quay]]
                                       name = "south"
                                       path = "s"
                                       retry = { attempts = 9, longest = "1d" }
                                       """;

    @TempDir
    private Path directory;

    @Test
    void read_whenLittleIsSaid_usesDefaults() throws IOException {
        Harbour harbour = Harbour.read(directory, "name = \"Oslo\"").value();
        assertThat(harbour).isEqualTo(new Harbour("Oslo", List.of("any"),
                new Harbour.Office(8080, true, Optional.empty(), directory.resolve("books"),
                        Harbour.Placement.MOST_FREE, 65_536),
                new Harbour.Retry(3, Duration.ofSeconds(5), Duration.ofMinutes(90)), List.of()));
    }

    @Test
    void read_whenMuchIsSaid_readsItAll() throws IOException {
        Harbour harbour = Harbour.read(directory, FULL).value();
        assertThat(harbour.flags()).containsExactly("no", "dk");
        assertThat(harbour.office()).isEqualTo(new Harbour.Office(9000, true, Optional.of(new Secret("hush")),
                Path.of("/srv/books"), Harbour.Placement.ROUND_ROBIN, 65_536));
        assertThat(harbour.retry().first()).isEqualTo(Duration.ofMillis(250));
        assertThat(harbour.quays()).containsExactly(
                new Harbour.Quay("north", directory.resolve("n"), Harbour.RETRY.into().apply(new Values(Map.of(
                        Harbour.ATTEMPTS, 3, Harbour.FIRST, Duration.ofSeconds(5), Harbour.LONGEST,
                        Duration.ofMinutes(90))))),
                new Harbour.Quay("south", directory.resolve("s"),
                        new Harbour.Retry(9, Duration.ofSeconds(5), Duration.ofDays(1))));
    }

    @Test
    void read_whenKeysAreDotted_isTheSame() throws IOException {
        assertThat(Harbour.read(directory, "name = \"h\"\nretry.attempts = 7\n").value())
                .isEqualTo(Harbour.read(directory, "name = \"h\"\n[retry]\nattempts = 7\n").value());
    }

    @Test
    void settings_whenRead_haveTheirOrigins() throws IOException {
        Path file = directory.resolve("harbour.toml");
        assertThat(Harbour.read(directory, FULL).settings()).contains(
                new Shown("flags", "[\"no\", \"dk\"]", new Origin.InFile(file, 2), Effect.RESTART),
                new Shown("office.port", "9000", new Origin.InFile(file, 5), Effect.RESTART),
                new Shown("office.open", "true", new Origin.Default(), Effect.RELOAD),
                new Shown("quay#1.retry.attempts", "3", new Origin.Default(), Effect.ONCE),
                new Shown("quay#2.name", "\"south\"", new Origin.InFile(file, 18), Effect.ONCE),
                new Shown("quay#2.retry.longest", "\"1d\"", new Origin.InFile(file, 20), Effect.ONCE));
    }

    @Test
    void print_masksSecretsAndSaysWhereValuesComeFrom() throws IOException {
        String file = directory.resolve("harbour.toml").toString();
        assertThat(Harbour.read(directory, FULL).print())
                .isEqualTo("""
                           name = "Oslo"  # FILE:1; restart
                           flags = ["no", "dk"]  # FILE:2; restart

                           [office]
                           port = 9000  # FILE:5; restart
                           open = true  # default; reload
                           token = "***"  # FILE:6; reload
                           data = "/srv/books"  # FILE:7; restart
                           placement = "round-robin"  # FILE:8; restart
                           buffer = "64KiB"  # default; restart

                           [retry]
                           attempts = 3  # default; reload
                           first = "250ms"  # FILE:11; reload
                           longest = "1h30m"  # default; restart

                           [[quay]]
                           name = "north"  # FILE:14; once
                           path = "DIR/n"  # FILE:15; once

                           [quay.retry]
                           attempts = 3  # default; once
                           first = "5s"  # default; once
                           longest = "1h30m"  # default; once

                           [[quay]]
                           name = "south"  # FILE:18; once
                           path = "DIR/s"  # FILE:19; once

                           [quay.retry]
                           attempts = 9  # FILE:20; once
                           first = "5s"  # default; once
                           longest = "1d"  # FILE:20; once
                           """.replace("FILE", file).replace("DIR", directory.toString()));
    }

    @Test
    void print_whenReadAgain_isTheSame() throws IOException {
        Configuration<Harbour> once = Harbour.read(directory, FULL.replace("token = \"hush\"", ""));
        assertThat(once.print()).contains("# token is not set");
        assertThat(Harbour.read(directory, once.print()).value()).isEqualTo(once.value());
    }

    @Test
    void toString_tellsNoSecrets() throws IOException {
        Configuration<Harbour> configuration = Harbour.read(directory, FULL);
        assertThat(configuration.toString()).doesNotContain("hush");
        assertThat(configuration.value().toString()).doesNotContain("hush").contains("***");
    }

    @Test
    void read_whenGivenInCode_goesOverTheFileKeyByKey() throws IOException {
        Path file = Files.writeString(directory.resolve("harbour.toml"), FULL);
        Configuration<Harbour> configuration = Configuration.read(Harbour.ROOT, file,
                Map.of("office.port", 1, "office.data", "x", "quay",
                        List.of(Map.of("name", "east", "path", "e", "retry.attempts", 2L))));
        assertThat(configuration.value().office().port()).isEqualTo(1);
        assertThat(configuration.value().office().data()).isEqualTo(directory.resolve("x"));
        assertThat(configuration.value().office().placement()).isEqualTo(Harbour.Placement.ROUND_ROBIN);
        assertThat(configuration.value().quays()).extracting(Harbour.Quay::name).containsExactly("east");
        assertThat(configuration.settings()).contains(
                new Shown("office.port", "1", new Origin.Given("code"), Effect.RESTART),
                new Shown("quay#1.retry.attempts", "2", new Origin.Given("code"), Effect.ONCE),
                new Shown("office.placement", "\"round-robin\"", new Origin.InFile(file, 8), Effect.RESTART));
    }

    @Test
    void of_withoutAFile_readsWhatIsGiven() {
        Configuration<Harbour> configuration = Configuration.of(Harbour.ROOT, directory,
                Map.of("name", "h", "office", Map.of("open", false)));
        assertThat(configuration.value().office().open()).isFalse();
        assertThat(configuration.value().office().data()).isEqualTo(directory.resolve("books"));
    }

    @Test
    void of_whenSomethingCannotBeGiven_saysSo() {
        assertThatThrownBy(() -> Configuration.of(Harbour.ROOT, directory, Map.of("retry.first", Duration.ofDays(1))))
                .hasMessage("retry.first: a Duration cannot be given, write it as in a file");
    }

    @Test
    void get_whenThePartIsNotListed_saysSo() {
        Section<String> section = Section.root("A root.", List.of(), values -> values.get(Harbour.NAME));
        assertThatThrownBy(() -> Configuration.of(section, directory, Map.of()))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("\"name\"");
    }

    @Test
    void section_whenTwoPartsHaveOneName_isRefused() {
        assertThatThrownBy(() -> Section.root("A root.", List.of(Harbour.NAME, Harbour.QUAY_NAME), values -> values))
                .hasMessageContaining("\"name\"");
        assertThatThrownBy(() -> Setting.of("Not_this", Kind.text(), "A text.")).hasMessageContaining("like-this");
        assertThatThrownBy(() -> Setting.of("this", Kind.text(), " ")).hasMessageContaining("what it is for");
        assertThatThrownBy(() -> Harbour.RETRY.each().distinctBy(Harbour.NAME)).hasMessageContaining("[[retry]]");
    }
}

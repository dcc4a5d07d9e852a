package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people are told about a file that cannot be used. */
class MistakesTest {
    @TempDir
    private Path directory;

    private List<String> mistakes(String text) {
        ConfigurationException e = catchThrowableOfType(ConfigurationException.class,
                () -> Harbour.read(directory, text));
        assertThat(e.code()).isEqualTo("config.invalid");
        return e.mistakes().stream().map(mistake -> mistake.toString().replace(directory + "/", "")).toList();
    }

    @Test
    void read_whenAKeyIsUnknown_suggestsTheNearest() {
        assertThat(mistakes("""
                            name = "h"
                            [retry]
                            atempts = 4
                            [offcie]
                            port = 1
                            [[quay]]
                            name = "a"
                            path = "a"
                              [quay.retry]
                              Longest = "1h"
                            """)).containsExactly(
                "harbour.toml:3: retry.atempts: unknown key; did you mean retry.attempts?",
                "harbour.toml:4: offcie: unknown table; did you mean office?",
                "harbour.toml:10: quay#1.retry.Longest: unknown key; did you mean quay#1.retry.longest?");
    }

    @Test
    void read_whenAKeyIsInTheWrongTable_saysWhereItBelongs() {
        assertThat(mistakes("""
                            name = "h"
                            [retry]
                            prot = 80
                            """)).containsExactly("harbour.toml:3: retry.prot: unknown key; did you mean office.port?"
                + " A key belongs to the [table] above it");
    }

    @Test
    void read_whenNothingIsNear_saysWhatIsKnown() {
        assertThat(mistakes("""
                            name = "h"
                            colour = "red"
                            """))
                .containsExactly("harbour.toml:2: colour: unknown key; known here: flags, name, office, quay, retry");
    }

    @Test
    void read_whenMuchIsWrong_tellsAllInTheOrderOfTheFile() {
        assertThat(mistakes("""
                            [[quay]]
                            name = "A1"
                            [[quay]]
                            name = "b"
                            path = "~/b"
                            [retry]
                            attempts = 0
                            first = 5
                            [office]
                            open = "yes"
                            placement = "most-fre"
                            """)).containsExactly(
                "harbour.toml: name: is missing; it has no default: text",
                "harbour.toml:1: quay#1.path: is missing; it has no default: a path",
                "harbour.toml:2: quay#1.name: \"A1\" is not a quay: only a-z",
                "harbour.toml:5: quay#2.path: \"~/b\" begins with ~, which only a shell understands;"
                        + " write the whole path",
                "harbour.toml:7: retry.attempts: 0 is too small; the lowest is 1",
                "harbour.toml:8: retry.first: 5 is not a duration such as \"30s\" or \"1h30m\";"
                        + " write it with a unit, and in quotes: \"5s\" for seconds",
                "harbour.toml:10: office.open: \"yes\" is not true or false; did you mean true, without quotes?",
                "harbour.toml:11: office.placement: \"most-fre\" is not one of \"most-free\", \"round-robin\";"
                        + " did you mean \"most-free\"?");
    }

    @Test
    void getMessage_whenSeveral_hasEachOnALineOfItsOwn() {
        ConfigurationException e = catchThrowableOfType(ConfigurationException.class,
                () -> Harbour.read(directory, "colour = 1"));
        assertThat(e).hasMessage("""
                                 2 mistakes in the configuration:
                                   %1$s: name: is missing; it has no default: text
                                   %1$s:1: colour: unknown key; known here: flags, name, office, quay, retry""",
                directory.resolve("harbour.toml"));
    }

    @Test
    void read_whenTheRecordRefuses_isAMistakeOfTheTable() {
        assertThat(mistakes("""
                            name = "h"

                            [retry]
                            first = "2h"
                            longest = "1h"
                            """)).containsExactly("harbour.toml:3: retry: the first delay is longer than the longest");
    }

    @Test
    void read_whenEntriesAreTheSame_saysWhereTheFirstIs() {
        assertThat(mistakes("""
                            name = "h"
                            [[quay]]
                            name = "a"
                            path = "x"
                            [[quay]]
                            name = "b"
                            path = "y/../x"
                            [[quay]]
                            name = "a"
                            """)).containsExactly(
                "harbour.toml:7: quay#2.path: is the same as at harbour.toml:4; each needs its own",
                "harbour.toml:8: quay#3.path: is missing; it has no default: a path",
                "harbour.toml:9: quay#3.name: is the same as at harbour.toml:3; each needs its own");
    }

    @Test
    void read_whenATableIsSomethingElse_saysHowToWriteIt() {
        assertThat(mistakes("""
                            name = "h"
                            retry = 3
                            [[office]]
                            port = 1
                            [quay]
                            name = "a"
                            """)).containsExactly(
                "harbour.toml:2: retry: is one table, not a value or a list;"
                        + " write [retry] on a line, and its keys below",
                "harbour.toml:3: office: is one table, not a value or a list;"
                        + " write [office] on a line, and its keys below",
                "harbour.toml:5: quay: is a list of tables; write [[quay]] on a line before each");
        assertThat(mistakes("name = \"h\"\nquay = [1]\n")).containsExactly(
                "harbour.toml:2: quay: is a list of tables; write [[quay]] on a line before each");
        assertThat(mistakes("name.first = \"h\"\n"))
                .containsExactly("harbour.toml:1: name: a table is not text");
    }

    @Test
    void read_whenASecretIsWrong_doesNotTellIt() {
        assertThat(mistakes("""
                            name = "h"
                            office.token = 4711
                            """)).containsExactly("harbour.toml:2: office.token: the value is not text");
    }

    @Test
    void read_whenAValueIsLong_showsItsBeginning() {
        assertThat(mistakes("name = \"h\"\noffice.placement = \"" + "x".repeat(500) + "\"")).singleElement().asString()
                .contains("xxx… is not one of").hasSizeLessThan(200);
    }

    @Test
    void of_whenGivenValuesAreWrong_saysWhoGaveThem() {
        ConfigurationException e = catchThrowableOfType(ConfigurationException.class,
                () -> Configuration.of(Harbour.ROOT, directory, Map.of("name", "h", "office.prot", 1)));
        assertThat(e).hasMessage("given by code: office.prot: unknown key; did you mean office.port?");
    }
}

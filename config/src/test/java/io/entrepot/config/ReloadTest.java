package io.entrepot.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {
    private static final String RUNNING = """
                                          name = "Oslo"
                                          [office]
                                          port = 9000
                                          token = "hush"
                                          [retry]
                                          attempts = 4
                                          longest = "1m"
                                          [[quay]]
                                          name = "north"
                                          path = "n"
                                          """;

    @TempDir
    private Path directory;

    private Reload<Harbour> reload(String next) throws IOException {
        Configuration<Harbour> running = Harbour.read(directory, RUNNING);
        return running.reload(Harbour.read(directory, next), _ -> false);
    }

    @Test
    void reload_takesWhatIsReloadableAndTellsTheRest() throws IOException {
        Reload<Harbour> reload = reload(RUNNING.replace("9000", "9001").replace("attempts = 4", "attempts = 5")
                .replace("name = \"Oslo\"", "name = \"Oslo\"\nflags = []").replace("[retry]", "open = false\n[retry]"));
        assertThat(reload.changed()).containsExactlyInAnyOrder(
                new Difference("office.open", "true", "false", Effect.RELOAD),
                new Difference("retry.attempts", "4", "5", Effect.RELOAD));
        assertThat(reload.waiting()).containsExactlyInAnyOrder(
                new Difference("flags", "[\"any\"]", "[]", Effect.RESTART),
                new Difference("office.port", "9000", "9001", Effect.RESTART));
        Harbour now = reload.configuration().value();
        assertThat(now.office().port()).isEqualTo(9000);
        assertThat(now.office().open()).isFalse();
        assertThat(now.retry().attempts()).isEqualTo(5);
        assertThat(now.quays()).hasSize(1);
    }

    /** What waits is told again until it counts, and what has been taken is not. */
    @Test
    void reload_whenRepeated_comparesWithWhatRuns() throws IOException {
        String next = RUNNING.replace("9000", "9001").replace("attempts = 4", "attempts = 5");
        Reload<Harbour> again = reload(next).configuration().reload(Harbour.read(directory, next), _ -> false);
        assertThat(again.changed()).isEmpty();
        assertThat(again.waiting()).extracting(Difference::key).containsExactly("office.port");
    }

    @Test
    void reload_whenALineIsTakenOut_goesBackToTheDefault() throws IOException {
        assertThat(reload(RUNNING.replace("attempts = 4", "")).configuration().value().retry().attempts()).isEqualTo(3);
    }

    @Test
    void reload_whenASecretChanges_isToldWithoutIt() throws IOException {
        Reload<Harbour> reload = reload(RUNNING.replace("hush", "hush hush"));
        assertThat(reload.changed()).containsExactly(new Difference("office.token", "\"***\"", "\"***\"",
                Effect.RELOAD));
        assertThat(reload.configuration().value().office().token()).contains(new Secret("hush hush"));
        assertThat(reload.toString()).doesNotContain("hush");
        assertThat(reload(RUNNING.replace("token = \"hush\"", "")).changed()).extracting(Difference::toString)
                .containsExactly("office.token: \"***\" -> not set");
    }

    @Test
    void reload_ofAListOfTables_isToldAsAWholeAndNotTaken() throws IOException {
        Reload<Harbour> more = reload(RUNNING + "[[quay]]\nname = \"south\"\npath = \"s\"\n");
        assertThat(more.waiting()).containsExactly(new Difference("quay", "1 entry", "2 entries", Effect.ONCE));
        assertThat(more.configuration().value().quays()).hasSize(1);
        assertThat(reload(RUNNING.replace("\"n\"", "\"m\"")).waiting()).containsExactly(new Difference("quay",
                "1 entry", "1 entry, others", Effect.ONCE));
    }

    @Test
    void reload_whenSomethingIsHeld_waitsWithIt() throws IOException {
        Configuration<Harbour> running = Harbour.read(directory, RUNNING);
        Reload<Harbour> reload = running.reload(Harbour.read(directory, RUNNING.replace("attempts = 4",
                "attempts = 5")), key -> key.startsWith("retry."));
        assertThat(reload.changed()).isEmpty();
        assertThat(reload.waiting()).extracting(Difference::key).containsExactly("retry.attempts");
    }

    /** The first delay can be changed while it runs, the longest cannot. */
    @Test
    void reload_whenWhatIsTakenDoesNotFitWhatStays_isRefused() throws IOException {
        String next = RUNNING.replace("longest = \"1m\"", "first = \"5m\"\nlongest = \"1h\"");
        assertThat(Harbour.read(directory, next).value().retry().first()).hasMinutes(5);
        assertThatThrownBy(() -> reload(next)).isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the first delay is longer than the longest");
    }
}

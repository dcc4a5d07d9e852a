package io.entrepot.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.chaos.ChaosRuns;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The chaos is worth something only if it finds the bugs it is there for. Here they are, one at a time. */
class SeededBugsTest {

    @Test
    void kills_whenCompletionsAreAnsweredBeforeTheyAreMade_areFoundOut() throws Exception {
        assertThat(kills(2, Bug.COMPLETIONS_ANSWERED_FIRST, 400))
                .anyMatch(text -> text.contains("FINISHED_STAYS_FINISHED"));
    }

    @Test
    void clients_whenThereIsNoFence_areFoundOut() throws Exception {
        assertThat(kills(1, Bug.NO_FENCE, 4_000)).anyMatch(text -> text.contains("ONE_HOLDER"));
    }

    @Test
    void uploads_whenSomeAreForgotten_areFoundOut() throws Exception {
        assertThat(kills(1, Bug.UPLOADS_FORGOTTEN, 400)).anyMatch(text -> text.contains("NOTHING_LOST"));
    }

    @Test
    void pieces_whenSomeAreForgotten_areFoundOut() throws Exception {
        assertThat(kills(1, Bug.PIECES_FORGOTTEN, 1_000)).anyMatch(text -> text.contains("cannot go on with"));
    }

    @Test
    void kills_whenNothingIsWrong_findNothing() throws Exception {
        assertThat(kills(2, Bug.NONE, 200)).isEmpty();
    }

    private static List<String> kills(int deaths, Bug bug, int busy) throws Exception {
        ChaosRuns.Finding finding = ChaosRuns.run(deaths, run -> new KillRounds(run, bug, busy).run());
        assertThat(finding.checks()).isPositive();
        return finding.violations();
    }
}

package io.entrepot.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.chaos.ChaosRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The chaos is worth something only if it finds the bugs it is there for. Here they are, one at a time. That it finds nothing where nothing
 * is wrong is what {@code .ci/run} asks of {@code ./entrepot chaos server --short}.
 */
class SeededBugsTest {
    private static final int CLIENTS = 16;
    private static final int TRIES = 10;

    @Test
    void kills_whenCompletionsAreAnsweredBeforeTheyAreMade_areFoundOut() throws Exception {
        assertFoundOut(2, CLIENTS, Bug.COMPLETIONS_ANSWERED_FIRST, 400, "FINISHED_STAYS_FINISHED");
    }

    @Test
    void clients_whenThereIsNoFence_areFoundOut() throws Exception {
        assertFoundOut(1, CLIENTS, Bug.NO_FENCE, 4_000, "ONE_HOLDER");
    }

    @Test
    void uploads_whenSomeAreForgotten_areFoundOut() throws Exception {
        assertFoundOut(1, CLIENTS, Bug.UPLOADS_FORGOTTEN, 400, "NOTHING_LOST");
    }

    @Test
    void pieces_whenSomeAreForgotten_areFoundOut() throws Exception {
        assertFoundOut(1, CLIENTS, Bug.PIECES_FORGOTTEN, 1_000,
                "cannot go on with .*|has sent all of .* and was told of no file");
    }

    /** A kill finds a bug only if it comes at a bad moment: on a busy machine that may take some. */
    private static void assertFoundOut(int deaths, int clients, Bug bug, int busy, String as) throws Exception {
        List<String> all = new ArrayList<>();
        Predicate<String> isIt = Pattern.compile(as).asPredicate();
        for (int i = 0; i < TRIES && all.stream().noneMatch(isIt); i++) {
            all.addAll(kills(deaths, clients, bug, busy));
        }
        assertThat(all).anyMatch(isIt);
    }

    private static List<String> kills(int deaths, int clients, Bug bug, int busy) throws Exception {
        ChaosRuns.Finding finding = ChaosRuns.run(deaths, run -> new KillRounds(run, bug, clients, busy).run());
        assertThat(finding.checks()).isPositive();
        return finding.violations();
    }
}

package io.entrepot.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.chaos.ChaosRuns;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The chaos is worth something only if it finds the bugs it is there for. Here they are, one at a time. That it finds nothing where nothing
 * is wrong is what {@code .ci/run} asks of {@code ./entrepot chaos server --short}.
 */
class SeededBugsTest {
    private static final int CLIENTS = 16;

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

    private static void assertFoundOut(int deaths, int clients, Bug bug, int busy, String as) throws Exception {
        Predicate<String> isIt = Pattern.compile(as).asPredicate();
        assertThat(ChaosRuns.search(isIt, deaths, run -> new KillRounds(run, bug, clients, busy).run())).anyMatch(isIt);
    }
}

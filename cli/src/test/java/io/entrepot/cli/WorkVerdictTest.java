package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.cli.WorkVerdict.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkVerdictTest {

    @Test
    void exitCode_decides() {
        assertThat(byItself(0)).isEqualTo(new WorkVerdict.Complete());
        assertThat(byItself(1)).isEqualTo(new WorkVerdict.Fail("exit code 1: first\nsecond", false));
        assertThat(byItself(65)).isEqualTo(new WorkVerdict.Fail("exit code 65: first\nsecond", true));
        assertThat(byItself(75)).isEqualTo(new WorkVerdict.GiveBack("not now: first\nsecond"));
        assertThat(byItself(137)).isEqualTo(new WorkVerdict.Fail("killed by signal 9: first\nsecond", false));
    }

    @Test
    void signal_whenAllIsToStop_isNotTheFilesFault() {
        assertThat(WorkVerdict.of(Cause.BY_ITSELF, 130, true, List.of()))
                .isEqualTo(new WorkVerdict.GiveBack("killed by signal 2"));
        assertThat(WorkVerdict.of(Cause.BY_ITSELF, 1, true, List.of()))
                .isEqualTo(new WorkVerdict.Fail("exit code 1", false));
        assertThat(WorkVerdict.of(Cause.STOPPED, 143, true, List.of("x")))
                .isEqualTo(new WorkVerdict.GiveBack("stopped"));
    }

    @Test
    void whatEndedIt_goesBeforeItsExitCode() {
        assertThat(WorkVerdict.of(Cause.TIMEOUT, 0, false, List.of())).isEqualTo(
                new WorkVerdict.Fail("took too long", false));
        assertThat(WorkVerdict.of(Cause.LEASE_LOST, 0, false, List.of())).isEqualTo(new WorkVerdict.Lost());
    }

    private static WorkVerdict byItself(int exit) {
        return WorkVerdict.of(Cause.BY_ITSELF, exit, false, List.of("first", "second"));
    }
}

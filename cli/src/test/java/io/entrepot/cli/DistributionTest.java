package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What is in the archive beside the program; {@code .ci/distribution} unpacks and runs it. */
class DistributionTest {
    private static final Path DISTRIBUTION = Path.of("../distribution");
    private static final Path CONFIG = DISTRIBUTION.resolve("etc/entrepot.toml");

    @Test
    void exampleConfiguration_isRight_alsoWithAllThatIsCommentedOut() throws Exception {
        assertThat(Ran.command("config", "check", "--config", CONFIG.toString()).err()).isEmpty();
        String all = Files.readString(CONFIG).replaceAll("(?m)^# (\\[|[a-z-]+ = )", "$1");
        Path file = Files.createTempFile("entrepot", ".toml");
        Files.writeString(file, all);
        Ran ran = Ran.command("config", "check", "--config", file.toString());
        assertThat(ran.err()).as(all).isEmpty();
        assertThat(all).doesNotContain("# [").contains("[server.tls]").contains("[[volume]]").contains("[database]");
        Files.delete(file);
    }

    /** systemd kills what has not ended in time: that must be more than a stop may take. */
    @Test
    void unit_givesAStopTheTimeItMayTake() throws Exception {
        String unit = Files.readString(DISTRIBUTION.resolve("share/entrepot.service"));
        Matcher timeout = Pattern.compile("(?m)^TimeoutStopSec=(\\d+)$").matcher(unit);
        assertThat(timeout.find()).isTrue();
        Duration drain = ServerSettings.read(Optional.of(CONFIG), Map.of(), List.of()).value().drainTime();
        assertThat(Duration.ofSeconds(Long.parseLong(timeout.group(1))))
                .isGreaterThan(drain.plus(ServeCommand.CLOSING));
        assertThat(unit).contains("KillSignal=SIGTERM\n").contains("SuccessExitStatus=143\n")
                .contains("RestartPreventExitStatus=" + ExitCode.USAGE + " 69\n");
    }

    @Test
    void completion_knowsCommandsAtEveryDepthAndTheirOptions() {
        for (String shell : List.of("bash", "zsh")) {
            Ran ran = Ran.command("completion", shell);
            assertThat(ran.exit()).as(ran.err()).isZero();
            assertThat(ran.out()).contains("serve").contains("tenants").contains("suspend").contains("--min-age")
                    .contains("complete -F");
        }
        assertThat(Ran.command("completion", "fish").exit()).isEqualTo(ExitCode.USAGE);
    }
}

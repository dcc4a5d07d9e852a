package io.entrepot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void data_withoutAName_isAUsageError() {
        Ran ran = Ran.command("pool", "ls", "--data", "");
        assertThat(ran.exit()).isEqualTo(ExitCode.USAGE);
        assertThat(ran.err()).startsWith("entrepot: usage: ").hasLineCount(1);
        assertThat(Ran.command("store", "check", "--data", "").exit()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void help_listsCommandsAndExitCodes() {
        assertThat(run("--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("bench", "chaos", "--debug", "wrong usage");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void helpCommand_explainsACommand() {
        assertThat(run("help", "chaos")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("Usage: entrepot chaos", "Crash it");
    }

    @Test
    void helpCommand_whenAlone_explainsAll() {
        assertThat(run("help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("Usage: entrepot ", "bench");
    }

    @Test
    void helpCommand_whenCommandIsUnknown_isRefused() {
        assertThat(run("help", "nonsense")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("entrepot: usage: no command 'nonsense'");
    }

    @Test
    void helpOption_worksOnEveryCommand() {
        assertThat(run("probe", "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("Usage: entrepot probe").contains("--exit", "--debug");
    }

    @Test
    void version_namesBuildAndJava() {
        assertThat(run("--version")).isEqualTo(ExitCode.OK);
        assertThat(out.toString())
                .matches("entrepot \\d+\\.\\d+\\.\\d+( \\(\\S+\\))?, Java " + Runtime.version().feature() + "\\S*\\R");
    }

    @Test
    void noCommand_showsHelpAsAnError() {
        assertThat(run()).isEqualTo(ExitCode.USAGE);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("Usage: entrepot");
    }

    @Test
    void unknownCommand_suggestsTheClosest() {
        assertThat(run("bnch")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("entrepot: usage: unknown command 'bnch'; did you mean")
                .contains("bench", "Try 'entrepot --help'.");
    }

    @Test
    void unknownOption_isNamed() {
        assertThat(run("probe", "--like-this")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("entrepot: usage: unknown option '--like-this'")
                .contains("Try 'entrepot probe --help'.");
    }

    @Test
    void unknownArgument_isShownAsGiven() {
        assertThat(run("bench", "a  b")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("entrepot: usage: unknown argument 'a  b'");
    }

    @Test
    void launchedCommand_whenNotFirst_saysThatItMustBe() {
        assertThat(run("--debug", "bench")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("entrepot: usage: 'bench' must come first");
    }

    @Test
    void command_getsItsOptionsAndReturnsItsCode() {
        assertThat(run("probe", "--exit=17")).isEqualTo(17);
        assertThat(run("--debug", "probe", "--exit=18")).isEqualTo(18);
        assertThat(run("probe", "--debug", "--exit", "19")).isEqualTo(19);
    }

    @Test
    void commandOfACommand_hasTheCommonOptionsToo() {
        assertThat(run("probe", "deeper", "--debug", "--depth=20")).isEqualTo(20);
        assertThat(run("probe", "other-way")).isEqualTo(21);
        assertThat(run("probe", "deeper", "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).startsWith("Usage: entrepot probe deeper").contains("--depth", "--debug");
    }

    @Test
    void commandsOfACommand_areAllListedInItsHelpAndSuggestions() {
        assertThat(run("probe", "--help")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("deeper", "other-way");
        assertThat(run("help", "probe")).isEqualTo(ExitCode.OK);
        assertThat(run("help", "probe", "deeper")).isEqualTo(ExitCode.OK);
        assertThat(out.toString()).contains("Usage: entrepot probe deeper");
        assertThat(run("probe", "deper")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("entrepot: usage: unknown command 'deper'; did you mean")
                .contains("deeper");
    }

    @Test
    void failure_isOneLineWithItsCode() {
        assertThat(run("probe", "--fail")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).isEqualTo("entrepot: probe-failed: it went wrong; do that" + System.lineSeparator());
    }

    @Test
    void bug_isInternalWithoutStackTrace() {
        assertThat(run("probe", "--bug")).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString()).startsWith("entrepot: internal: IllegalStateException: impossible")
                .contains("--debug")
                .doesNotContain("\tat ");
    }

    @Test
    void bug_whenDebugging_showsWhere() {
        assertThat(run(true, "probe", "--bug")).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString()).contains("\tat ").contains(getClass().getName());
    }

    @Test
    void bug_whenCommandCannotBeBuilt_isInternalToo() {
        assertThat(run("unbuildable")).isEqualTo(ExitCode.INTERNAL);
        assertThat(err.toString()).startsWith("entrepot: internal: UnsupportedOperationException")
                .doesNotContain("\tat ");
    }

    private int run(String... args) {
        return run(false, args);
    }

    private int run(boolean debug, String... args) {
        var table = new LinkedHashMap<String, Supplier<CommandSpec>>(Commands.all().table());
        table.put("probe", () -> CommandSpec.forAnnotatedObject(new Probe()));
        if (args.length > 0 && args[0].equals("unbuildable")) {
            table.put("unbuildable", () -> {
                throw new UnsupportedOperationException("not yet");
            });
        }
        return new Main(new PrintWriter(out, true), new PrintWriter(err, true), debug, new Commands(table)).run(args);
    }

    @Command(name = "probe", addMethodSubcommands = false)
    static final class Probe implements Callable<Integer> {
        @Option(names = "--exit", defaultValue = "0", description = "The exit code.")
        int exit;
        @Option(names = "--fail")
        boolean fail;
        @Option(names = "--bug")
        boolean bug;

        @Override
        public Integer call() {
            if (fail) {
                throw new Failure("probe-failed", "it went wrong;\n  do that");
            }
            if (bug) {
                throw new IllegalStateException("impossible");
            }
            return exit;
        }

        @Command(name = "other-way", description = "Also one level down.")
        int otherWay() {
            return 21;
        }

        @Command(description = "One level down.")
        int deeper(@Option(names = "--depth") int depth) {
            return depth;
        }
    }
}

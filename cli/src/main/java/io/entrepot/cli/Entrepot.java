package io.entrepot.cli;

import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command without a sub-command, and the options that every command has. */
@Command(name = "entrepot", scope = ScopeType.INHERIT,
        description = "Files in, each handed to exactly one worker, nothing lost.",
        mixinStandardHelpOptions = true, versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND", commandListHeading = "%nCommands:%n", optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed, for a reason that the message names", "2:wrong usage",
                "69:no suitable JDK or Maven", "70:internal error, or the build failed"})
final class Entrepot implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT,
            description = "Show log messages and stack traces (also: ENTREPOT_DEBUG=1).")
    boolean debug;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }
}

package io.entrepot.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/**
 * The command without a sub-command, and the options that all have.
 *
 * <p>Described in code and not by annotations: the first annotation that is read makes the JVM spin proxy classes that no
 * AOT cache holds, which takes as long as all the rest of {@code --version}. Other commands may use annotations.
 */
final class Entrepot implements Callable<Integer> {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this).name("entrepot");

    /** The whole command line, with these sub-commands. */
    CommandSpec spec(Map<String, Supplier<CommandSpec>> commands) {
        spec.versionProvider(new Version())
                .addOption(OptionSpec.builder("-h", "--help").usageHelp(true).scopeType(ScopeType.INHERIT)
                        .description("Show this help and exit.").build())
                .addOption(OptionSpec.builder("-V", "--version").versionHelp(true)
                        .description("Show the version and exit.").build())
                .addOption(OptionSpec.builder("--debug").type(boolean.class).scopeType(ScopeType.INHERIT)
                        .description("Show log messages and stack traces (also: ENTREPOT_DEBUG=1).").build());
        spec.usageMessage().description("Files in, each handed to exactly one worker, nothing lost.")
                .synopsisSubcommandLabel("COMMAND").optionListHeading("%nOptions:%n")
                .exitCodeListHeading("%nExit codes:%n").exitCodeList(exitCodes());
        new CommandHeadings(Commands.HEADINGS).applyTo(spec);
        commands.forEach((name, command) -> spec.addSubcommand(name, command.get()));
        return spec;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    private static Map<String, String> exitCodes() {
        var codes = new LinkedHashMap<String, String>();
        codes.put("0", "done");
        codes.put("1", "failed, for a reason that the message names");
        codes.put("2", "wrong usage");
        codes.put("3", "nothing to be claimed");
        codes.put("4", "the lease is lost");
        codes.put("5", "refused: a quota, a disabled tenant, a wrong state");
        codes.put("6", "unknown: it may or may not have happened");
        codes.put("7", "not now: in use by another process, storage full or away");
        codes.put("69", "no suitable JDK or Maven");
        codes.put("70", "internal error, or the build failed");
        return codes;
    }
}

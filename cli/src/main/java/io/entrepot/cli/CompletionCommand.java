package io.entrepot.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What a shell needs to complete words, of all commands there are. */
@Command(name = "completion", description = {"Print a script that completes commands and options.",
        "Use it: source <(entrepot completion bash)"})
final class CompletionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    @SuppressWarnings("NullAway.Init") // set by picocli
    Shell shell;

    private final Supplier<Map<String, Supplier<CommandSpec>>> commands;

    /** The same script serves both: in zsh it switches the completion of bash on. */
    enum Shell {
        bash, zsh
    }

    CompletionCommand(Supplier<Map<String, Supplier<CommandSpec>>> commands) {
        this.commands = commands;
    }

    @Override
    public Integer call() {
        CommandSpec whole = new Entrepot().spec(commands.get());
        whole.subcommands().values().forEach(command -> Commands.growWhole(command.getCommandSpec()));
        spec.commandLine().getOut().print(AutoComplete.bash("entrepot", new CommandLine(whole)));
        return ExitCode.OK;
    }
}

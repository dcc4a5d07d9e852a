package io.entrepot.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lets a shell complete commands and options. */
@Command(name = "completion", description = {"Print what lets a shell complete commands and options.",
        "For bash and zsh: source <(entrepot completion bash)"})
final class CompletionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    @SuppressWarnings("NullAway.Init") // required
    String shell;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("entrepot", new CommandLine(Commands.all().whole()));
        spec.commandLine().getOut().print(switch (shell) {
            case "bash", "zsh" -> script; // it turns on what zsh has for scripts of bash by itself
            default -> throw new Failure("usage", "there is completion for bash and zsh, not for " + shell,
                    ExitCode.USAGE);
        });
        return ExitCode.OK;
    }
}

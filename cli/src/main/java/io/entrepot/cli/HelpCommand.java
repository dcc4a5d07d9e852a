package io.entrepot.cli;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** {@code entrepot help queue put} is {@code entrepot queue put --help}. */
final class HelpCommand implements Callable<Integer> {
    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
    private final PositionalParamSpec path = PositionalParamSpec.builder().arity("0..*").type(List.class)
            .auxiliaryTypes(String.class).paramLabel("COMMAND").description("The command to explain.").build();

    CommandSpec spec() {
        spec.usageMessage().description("Explain a command.");
        return spec.addPositional(path);
    }

    @Override
    public Integer call() {
        var command = spec.root().commandLine();
        for (var name : Optional.ofNullable(path.<List<String>>getValue()).orElse(List.of())) {
            var next = command.getSubcommands().get(name);
            if (next == null) {
                throw new ParameterException(command, "no command '" + name + "'");
            }
            command = next;
        }
        command.usage(spec.commandLine().getOut());
        return ExitCode.OK;
    }
}

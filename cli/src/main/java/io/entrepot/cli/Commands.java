package io.entrepot.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The table of commands. Only the one that was asked for is built: reading a command's annotations costs several
 * milliseconds at every start. All of them are built when help or a suggestion needs to list them.
 */
final class Commands {
    /** To add a command, write a class like {@link Entrepot} and add a line here; the order is that of the help. */
    private static final Map<String, Supplier<Object>> TABLE = new LinkedHashMap<>();

    static {
        TABLE.put("bench", () -> Launched.spec("bench", "Measure against peers and limits."));
        TABLE.put("chaos", () -> Launched.spec("chaos", "Crash it, cut its power, and check what it promised."));
        TABLE.put("help", HelpCommand::new);
    }

    private Commands() {}

    static CommandSpec specFor(String... args) {
        var root = CommandSpec.forAnnotatedObject(new Entrepot());
        var asked = asked(args);
        TABLE.forEach((name, command) -> {
            if (asked.isEmpty() || asked.get().equals(name)) {
                root.addSubcommand(name, new CommandLine(command.get()));
            }
        });
        return root;
    }

    /** The command that the arguments certainly name; empty if all are needed. */
    private static Optional<String> asked(String... args) {
        return Arrays.stream(args).filter(a -> !a.startsWith("-")).findFirst()
                .filter(name -> TABLE.containsKey(name) && !name.equals("help"));
    }
}

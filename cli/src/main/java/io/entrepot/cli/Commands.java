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
record Commands(Map<String, Supplier<Object>> table) {

    /** To add a command, write a class like {@link Entrepot} and add a line here; the order is that of the help. */
    static Commands all() {
        var table = new LinkedHashMap<String, Supplier<Object>>();
        table.put("bench", () -> Launched.spec("bench", "Measure against peers and limits."));
        table.put("chaos", () -> Launched.spec("chaos", "Crash it, cut its power, and check what it promised."));
        table.put("help", HelpCommand::new);
        return new Commands(table);
    }

    CommandSpec specFor(String... args) {
        var root = CommandSpec.forAnnotatedObject(new Entrepot());
        var asked = asked(args);
        table.forEach((name, command) -> {
            if (asked.isEmpty() || asked.get().equals(name)) {
                root.addSubcommand(name, new CommandLine(command.get()));
            }
        });
        return root;
    }

    /** The command that the arguments certainly name; empty if all are needed. */
    private Optional<String> asked(String... args) {
        return Arrays.stream(args).filter(a -> !a.startsWith("-")).findFirst()
                .filter(name -> table.containsKey(name) && !name.equals("help"));
    }
}

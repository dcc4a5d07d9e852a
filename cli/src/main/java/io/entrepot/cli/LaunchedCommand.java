package io.entrepot.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A command that the launcher starts as a program of its own (other class path, other JVM flags). It is here for the
 * help, and to explain itself when it was not the first argument and so came past the launcher.
 */
final class LaunchedCommand implements Callable<Integer> {
    private final String name;

    LaunchedCommand(String name) {
        this.name = name;
    }

    CommandSpec spec(String description) {
        var spec = CommandSpec.wrapWithoutInspection(this);
        spec.usageMessage().description(description, "See './entrepot " + name + " --help'.");
        return spec;
    }

    @Override
    public Integer call() {
        throw new Failure("usage", "'" + name + "' must come first: ./entrepot " + name + " ...", ExitCode.USAGE);
    }
}

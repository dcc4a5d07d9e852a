package io.entrepot.cli;

import picocli.CommandLine.Model.CommandSpec;

/**
 * A command that the launcher starts as a program of its own (other class path, other JVM flags). It is here for the
 * help, and to explain itself when it was not the first argument and so came past the launcher.
 */
final class Launched implements Runnable {
    private final String name;

    private Launched(String name) {
        this.name = name;
    }

    static CommandSpec spec(String name, String description) {
        var spec = CommandSpec.wrapWithoutInspection(new Launched(name));
        spec.usageMessage().description(description, "See './entrepot " + name + " --help'.");
        return spec;
    }

    @Override
    public void run() {
        throw new Failure("usage", "'" + name + "' must come first: ./entrepot " + name + " ...", ExitCode.USAGE);
    }
}

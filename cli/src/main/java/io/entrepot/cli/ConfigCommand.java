package io.entrepot.cli;

import io.entrepot.config.Configuration;
import io.entrepot.config.Shown;
import io.entrepot.server.ServerConfig;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A configuration, before it is used. */
@Command(name = "config", addMethodSubcommands = false, description = "Check a configuration, or see what it comes to.")
final class ConfigCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "Read it, with the environment over it, and tell all mistakes. Nothing is opened.")
    int check(@Mixin OnPool on) {
        Configuration<ServerConfig> configuration = on.serverConfig(List.of());
        on.answer("no mistakes", new JsonObject().with("mistakes", 0).with("settings", configuration.settings()
                .size()));
        return ExitCode.OK;
    }

    @Command(description = "All settings and where each comes from; secrets are masked.")
    int print(@Mixin OnPool on) {
        Configuration<ServerConfig> configuration = on.serverConfig(List.of());
        if (on.json) {
            for (Shown setting : configuration.settings()) {
                on.out().println(new JsonObject().with("setting", setting.key()).with("value", setting.value())
                        .with("origin", setting.origin().toString()));
            }
        } else {
            on.out().print(configuration.print());
        }
        return ExitCode.OK;
    }
}

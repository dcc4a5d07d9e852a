package io.entrepot.cli;

import io.entrepot.client.EntrepotClient;
import io.entrepot.client.Json;
import io.entrepot.config.Configuration;
import io.entrepot.config.Difference;
import io.entrepot.config.Effect;
import io.entrepot.config.Shown;
import io.entrepot.pool.PoolException;
import io.entrepot.server.ServerConfig;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A configuration, before it is used, and while it is. */
@Command(name = "config", addMethodSubcommands = false,
        description = "Check a configuration, see what it comes to, make a server read it again.")
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

    @Command(description = {"All settings, where each comes from, and what a change needs; secrets are masked.",
            "reload: a running server takes it when it reads its configuration again; restart: it does not; once: it counts when"
                    + " something is made that is not there."})
    int print(@Mixin OnPool on) {
        Configuration<ServerConfig> configuration = on.serverConfig(List.of());
        if (on.json) {
            for (Shown setting : configuration.settings()) {
                on.out().println(new JsonObject().with("setting", setting.key()).with("value", setting.value())
                        .with("origin", setting.origin().toString()).with("change", setting.effect()));
            }
        } else {
            on.out().print(configuration.print());
        }
        return ExitCode.OK;
    }

    @Command(description = {
            "Make a running server read its configuration again: the one that is named, or that runs on the data"
                    + " directory.",
            "What can be changed while it runs is, at once; what needs a restart is told. After a mistake nothing is changed."})
    int reload(@Mixin OnPool on) {
        try (EntrepotClient client = on.reachServer()) {
            Json told = client.call("POST", "/v1/config/reload", Optional.empty());
            List<Json> changed = told.get("changed").list();
            List<Json> waiting = told.get("waiting").list();
            changed.forEach(one -> tell(on, one, "changed", true));
            waiting.forEach(one -> tell(on, one, one.get("needs").text().equals("once")
                    ? "only when it is made"
                    : "needs a restart", false));
            if (changed.isEmpty() && waiting.isEmpty()) {
                on.say("nothing is different");
            }
            return ExitCode.OK;
        } catch (PoolException e) {
            if (!e.code().equals("config.invalid")) {
                throw e;
            }
            List<String> lines = Complaint.text(e).lines().map(String::strip).toList();
            lines.subList(lines.size() > 1 ? 1 : 0, lines.size())
                    .forEach(line -> new Complaint(e.code(), line, ExitCode.USAGE).print(on.err()));
            return ExitCode.USAGE;
        }
    }

    private static void tell(OnPool on, Json one, String what, boolean taken) {
        String key = one.get("setting").text();
        String from = one.get("from").text();
        String to = one.get("to").text();
        on.answer(what + "  " + new Difference(key, from, to, Effect.RELOAD), new JsonObject().with("setting", key)
                .with("from", from).with("to", to).with("changed", taken).with("needs", one.get("needs").text()));
    }
}

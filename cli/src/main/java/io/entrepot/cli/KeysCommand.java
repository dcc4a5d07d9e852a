package io.entrepot.cli;

import io.entrepot.client.EntrepotClient;
import io.entrepot.client.Json;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Who may call a server. */
@Command(name = "keys", addMethodSubcommands = false,
        description = {"Make and revoke the keys of a server.",
                "Through the server: the one that is named, or that runs on the data directory."})
final class KeysCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    @Command(description = "All keys, without their secrets.")
    int list(@Mixin OnPool on) {
        try (EntrepotClient client = on.reachServer()) {
            Columns table = new Columns("ID", "NAME", "CREATED", "EXPIRES", "LAST USED", "", "SCOPES");
            for (Json key : client.administration().keys()) {
                table.row(key.get("id").text(), key.get("name").text(), time(key, "created"), time(key, "expires"),
                        time(key, "lastUsed"), state(key),
                        String.join(" ", scopes(key)));
                if (on.json) {
                    on.out().println(json(key));
                }
            }
            on.print(table);
        }
        return ExitCode.OK;
    }

    @Command(description = {"Make a key. It is printed this once.",
            "A scope is admin, metrics, agent, view:read, or tenant:NAME:read, :write, :process; * for all tenants."})
    int create(@Mixin OnPool on,
            @Parameters(paramLabel = "NAME", description = "For people: whose it is, what for.") String name,
            @Option(names = "--scope", paramLabel = "SCOPE", required = true,
                    description = "What it may do; may be repeated.") List<String> scopes,
            @Option(names = "--expires", paramLabel = "DURATION",
                    description = "It ends after so long, as 90d (default: never).") @Nullable String expires) {
        Json ask = Json.object().with("name", name).with("scopes", scopes).with("expires", Optional.ofNullable(expires)
                .map(Durations::parse).map(Clock.systemUTC().instant()::plus));
        try (EntrepotClient client = on.reachServer()) {
            Json key = client.call("POST", "/v1/keys", Optional.of(ask));
            on.answer(key.get("key").text(), json(key).with("key", key.get("key").text()));
        }
        on.say("it is shown this once, so keep it: 'entrepot login' does");
        return ExitCode.OK;
    }

    @Command(description = "Refuse keys from now on.")
    int revoke(@Mixin OnPool on,
            @Parameters(paramLabel = "ID", arity = "1..*", description = "As list prints it.") List<String> ids) {
        try (EntrepotClient client = on.reachServer()) {
            for (String id : ids) {
                client.administration().revokeKey(id);
                on.answer("revoked  " + id, new JsonObject().with("id", id).with("revoked", true));
            }
        }
        return ExitCode.OK;
    }

    @Command(description = {"Take keys into use again that came back with a backup.",
            "After a restore all keys are held, as some of them may have been revoked since: revoke those first."})
    int enable(@Mixin OnPool on,
            @Parameters(paramLabel = "ID", arity = "0..*",
                    description = "As list prints it (default: all that are held).") @Nullable List<String> ids) {
        Json ask = Json.object();
        try (EntrepotClient client = on.reachServer()) {
            Json enabled = client.call("POST", "/v1/keys/enable",
                    Optional.of(ids == null || ids.isEmpty() ? ask : ask.with("ids", ids)));
            List<Json> keys = enabled.get("keys").list();
            for (Json key : keys) {
                on.answer("enabled  " + key.get("id").text() + "  " + key.get("name").text(), json(key));
            }
            if (keys.isEmpty()) {
                on.say(ids == null || ids.isEmpty() ? "no key is held" : "none of these is held");
            }
        }
        return ExitCode.OK;
    }

    private static String state(Json key) {
        if (key.get("revoked").isMissing()) {
            return key.get("held").isMissing() ? "" : "held";
        }
        return "revoked";
    }

    private static String time(Json key, String what) {
        return key.get(what).time().map(Times::of).orElse("-");
    }

    private static List<String> scopes(Json key) {
        return key.get("scopes").list().stream().map(Json::text).toList();
    }

    private static JsonObject json(Json key) {
        return new JsonObject().with("id", key.get("id").text()).with("name", key.get("name").text())
                .with("scopes", scopes(key)).with("created", key.get("created").text())
                .with("expires", key.get("expires").find()).with("lastUsed", key.get("lastUsed").find())
                .with("revoked", key.get("revoked").find()).with("held", !key.get("held").isMissing());
    }
}

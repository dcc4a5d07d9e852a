package io.entrepot.cli;

import io.entrepot.client.EntrepotClient;
import io.entrepot.client.Json;
import io.entrepot.config.Secret;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Keeps a server and a key. */
@Command(name = "login", description = {"Keep a server and a key under a name, for --profile.",
        "The key is asked for at a terminal, and else read from standard input. It is tried before it is kept, in"
                + " ~/.config/entrepot/profiles.toml, which only its owner can read."})
final class LoginCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "What it is to be called.")
    @SuppressWarnings("NullAway.Init") // required
    String name;

    @Parameters(index = "1", paramLabel = "URL", description = "The server, as http://host:8420.")
    @SuppressWarnings("NullAway.Init") // required
    String server;

    @Option(names = "--trust", paramLabel = "FILE",
            description = "Certificates (PEM) that it is to be known by, instead of those that Java trusts.")
    @Nullable
    Path trust;

    @Option(names = "--json", description = "Answer in JSON, an object on each line.")
    boolean json;

    @Override
    public Integer call() throws IOException {
        Profile profile = new Profile(name, ServerOption.address(server), key(),
                Optional.ofNullable(trust).map(path -> path.toAbsolutePath().normalize()));
        Json me;
        try (EntrepotClient client = EntrepotClient.connect(Reach.shortly(profile.config()))) {
            me = client.administration().me();
        }
        Profiles.ofUser().put(profile);
        List<String> scopes = me.get("scopes").list().stream().map(Json::text).toList();
        Object answer = json
                ? new JsonObject().with("profile", name).with("server", server).with("id", me.get("id").find())
                        .with("name", me.get("name").find()).with("scopes", scopes)
                : name + "  " + server + "  " + me.get("name").find().orElse("-") + "  " + String.join(" ", scopes);
        spec.commandLine().getOut().println(answer);
        return ExitCode.OK;
    }

    @SuppressWarnings("SystemConsoleNull") // it is null again since Java 25, where nobody is at the terminal
    private static Secret key() throws IOException {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            char[] typed = console.readPassword("key: ");
            return new Secret(typed == null ? "" : new String(typed).strip());
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return new Secret(Optional.ofNullable(lines.readLine()).orElse("").strip());
    }
}

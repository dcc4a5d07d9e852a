package io.entrepot.cli;

import io.entrepot.client.ClientConfig;
import io.entrepot.config.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Which server, if the pool is behind one; an option of every command on a pool. A key is never on the command line. */
final class ServerOption {
    /** Keys begin so. What else is in the variable is the key of a file, which {@code work} puts there for its commands. */
    private static final String OF_KEYS = "ek_";
    private static final String KEY_VARIABLE = "ENTREPOT_KEY";

    @Option(names = "--server", paramLabel = "URL", defaultValue = "${ENTREPOT_SERVER}",
            description = "The pool behind this server, as http://host:8420 (also: ENTREPOT_SERVER). The key is that of"
                    + " --key-file or ENTREPOT_KEY.")
    @Nullable
    String server;

    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "${ENTREPOT_PROFILE}",
            description = "The server and key that 'entrepot login NAME' has kept (also: ENTREPOT_PROFILE).")
    @Nullable
    String profile;

    @Option(names = "--key-file", paramLabel = "FILE", description = "Where the key for --server is.")
    @Nullable
    Path keyFile;

    @Option(names = "--trust", paramLabel = "FILE",
            description = "Certificates (PEM) that --server is to be known by, instead of those that Java trusts.")
    @Nullable
    Path trust;

    /** What is typed counts more than what the environment says. */
    Optional<ClientConfig> find(ParseResult given) {
        if (!isNamed(given)) {
            return Optional.empty();
        }
        if (profile != null && !given.hasMatchedOption("--server")) {
            return Optional.of(Profiles.ofUser().get(profile).config());
        }
        return Optional.ofNullable(server).map(this::config);
    }

    /** Whether {@link #find} would find one. */
    boolean isNamed(ParseResult given) {
        requireFit(given);
        return !given.hasMatchedOption("--data") && !given.hasMatchedOption("--config")
                && (server != null || profile != null);
    }

    private static void requireFit(ParseResult given) {
        if (given.hasMatchedOption("--server") && given.hasMatchedOption("--profile")) {
            throw usage("--server and --profile each name a server: one of them");
        }
        boolean named = given.hasMatchedOption("--server") || given.hasMatchedOption("--profile");
        if (named && (given.hasMatchedOption("--data") || given.hasMatchedOption("--config"))) {
            throw usage("a server knows where its data is: leave out --data and --config, or --server and --profile");
        }
        if (given.hasMatchedOption("--profile") && (given.hasMatchedOption("--key-file")
                || given.hasMatchedOption("--trust"))) {
            throw usage("a profile has a key and what is trusted: leave out --key-file and --trust");
        }
    }

    private ClientConfig config(String address) {
        ClientConfig config = ClientConfig.of(address(address), key(System.getenv()).text());
        return trust == null ? config : config.trusting(trust);
    }

    static URI address(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw usage("\"" + text + "\" is not the address of a server: write it as http://host:port");
        }
    }

    private Secret key(Map<String, String> environment) {
        if (keyFile != null) {
            try {
                return new Secret(Files.readString(keyFile).strip());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return Optional.ofNullable(environment.get(KEY_VARIABLE)).filter(text -> text.startsWith(OF_KEYS))
                .map(Secret::new).orElseThrow(() -> usage("a server wants a key: name its file with --key-file, put it"
                        + " into " + KEY_VARIABLE + ", or keep both with 'entrepot login'"));
    }

    private static Failure usage(String message) {
        return new Failure("usage", message, ExitCode.USAGE);
    }
}

package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.config.Configuration;
import io.entrepot.config.Source;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FilePool;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.server.ServerConfig;
import io.entrepot.server.ServerSettings;
import io.entrepot.store.DataDirectory;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What every command on a pool has: where the pool is, and how to answer. */
final class OnPool {
    /** A directory that has this beside no database had one. */
    private static final String SETTINGS = "entrepot.settings";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    DataOption data;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    ServerOption server;

    @Option(names = "--config", paramLabel = "FILE", defaultValue = "${ENTREPOT_CONFIG}",
            description = "The pool's configuration, as TOML, instead of --data (also: ENTREPOT_CONFIG).")
    @Nullable
    Path configFile;

    @Option(names = "--json", description = "Answer in JSON, an object on each line.")
    boolean json;

    /** By the file that is named, or with everything in the data directory. */
    PoolConfig config() {
        requireOne();
        return configuration().map(file -> ServerSettings.read(Optional.of(file), System.getenv(), List.of()).value()
                .pool()).orElseGet(() -> PoolConfig.in(data.directory()));
    }

    /** The same, with the settings of a server. */
    Configuration<ServerConfig> serverConfig(List<Source> flags) {
        requireOne();
        List<Source> over = new ArrayList<>(flags);
        if (configuration().isEmpty()) {
            over.add(new Source("--data", Map.of("directory", data.directory().toAbsolutePath().toString())));
        }
        return ServerSettings.read(configuration(), System.getenv(), over);
    }

    private void requireOne() {
        ParseResult given = spec.commandLine().getParseResult();
        if (given.hasMatchedOption("--server") || given.hasMatchedOption("--profile")) {
            throw localOnly("this is done where the data is, and not through a server");
        }
        if (given.hasMatchedOption("--config") && given.hasMatchedOption("--data")) {
            throw new Failure("usage", "--config says where the data is: leave out --data", ExitCode.USAGE);
        }
    }

    /**
     * For commands that no server does: nobody who has named one, be it by the environment, is to find that something else was
     * meant.
     *
     * @param why what a server does instead, or why it cannot
     */
    PoolConfig configOfOurs(String why) {
        if (server.isNamed(spec.commandLine().getParseResult())) {
            throw localOnly(why);
        }
        return config();
    }

    private static Failure localOnly(String why) {
        return new Failure("local-only", why + ": name where the data is with --data or --config", ExitCode.USAGE);
    }

    /** What is typed counts more than what the environment says. */
    private Optional<Path> configuration() {
        return spec.commandLine().getParseResult().hasMatchedOption("--data")
                ? Optional.empty()
                : Optional.ofNullable(configFile);
    }

    /** Wherever it is; made if there is none. */
    PoolAccess reach() throws InterruptedException {
        OneLineLogging.tellOfJobs(false);
        Optional<ClientConfig> named = named();
        return named.isPresent() ? Reach.there(Reach.shortly(named.get())) : Reach.here(config());
    }

    /**
     * Wherever it is; there must be one. A typing error must not make a new one; a configuration file that is there is no typing
     * error.
     */
    PoolAccess reachExisting() throws InterruptedException {
        OneLineLogging.tellOfJobs(false);
        Optional<ClientConfig> named = named();
        return named.isPresent() ? Reach.there(Reach.shortly(named.get())) : Reach.here(existing());
    }

    /** Wherever it is, made if there is none; if it is opened here, nothing runs by itself meanwhile. */
    PoolAccess reachQuietly() throws InterruptedException {
        Optional<ClientConfig> named = named();
        return named.isPresent() ? Reach.there(Reach.shortly(named.get())) : Reach.here(quiet(config()));
    }

    /** The same; there must be one. */
    PoolAccess reachExistingQuietly() throws InterruptedException {
        Optional<ClientConfig> named = named();
        return named.isPresent() ? Reach.there(Reach.shortly(named.get())) : Reach.here(quiet(existing()));
    }

    /**
     * The same for commands that stay: what goes wrong in the background is told.
     *
     * @param longest how long a call to a server may take at most, as the caller has something else to do
     */
    PoolAccess reachForLong(Duration longest) throws InterruptedException {
        OneLineLogging.tellOfJobs(true);
        ClientWarnings.inOneLine();
        Optional<ClientConfig> named = named();
        return named.isPresent()
                ? Reach.there(Reach.within(longest, named.get()))
                : Reach.here(existing(), longest);
    }

    /** The files and work of a pool that there must be, for commands that need nothing else. Closing it closes all. */
    FilePool reachFiles() throws InterruptedException {
        return reachExisting().pool();
    }

    /** The server that is named, or that has the data directory. @throws Failure if there is none */
    EntrepotClient reachServer() {
        return EntrepotClient.connect(Reach.shortly(named().or(() -> Reach.serverOn(config().directory()))
                .orElseThrow(() -> new Failure("no-server", "this is done by a server: name one with --server or"
                        + " --profile, or start one with 'entrepot serve'", ExitCode.UNAVAILABLE))));
    }

    private Optional<ClientConfig> named() {
        return server.find(spec.commandLine().getParseResult());
    }

    /**
     * For the command that stays and does in the background what a server does too.
     *
     * @param why it makes no sense beside one
     */
    Pool openForLong(String why) throws InterruptedException {
        OneLineLogging.tellOfJobs(true);
        PoolConfig config = configOfOurs(why);
        requireThere(config);
        return Reach.alone(config, why, Pool::open);
    }

    static PoolConfig quiet(PoolConfig config) {
        OneLineLogging.tellOfJobs(false);
        return config.withQueue(config.queue().withBackground(false));
    }

    private PoolConfig existing() {
        PoolConfig config = config();
        requireThere(config);
        return config;
    }

    private void requireThere(PoolConfig config) {
        if (configuration().isEmpty() && !Files.exists(config.directory().resolve(DataDirectory.MAIN))) {
            if (Files.exists(config.directory().resolve(SETTINGS))) {
                throw new Failure("no-database", "the database of " + config.directory() + " is gone; 'entrepot pool"
                        + " restore' puts a backup in its place, 'entrepot pool recover' rebuilds it from the files");
            }
            throw new Failure("no-data", config.directory()
                    + " is not a data directory; name one with --data or --config, or put a file first");
        }
    }

    void answer(String text, JsonObject object) {
        out().println(json ? object : text);
    }

    /** A table for people, or nothing if the answer is JSON. */
    void print(Columns table) {
        if (!json) {
            table.print(out());
        }
    }

    /** Something to know beside the answer; scripts need not. */
    void say(String text) {
        if (!json) {
            err().println(text);
            err().flush();
        }
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    static FileKey key(String text) {
        return FileKey.parse(text);
    }
}

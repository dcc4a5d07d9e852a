package io.entrepot.client;

import io.entrepot.pool.process.Processing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How a server is called.
 *
 * @param server         its address, as {@code https://files.example.org:8420}
 * @param key            an API key
 * @param connectTimeout how long a connection may take. Too short: a busy network is taken for a server that is away
 * @param idleTimeout    how long nothing may move, in either direction. Too short: a server that syncs a large file is given up;
 *                       too long: a connection that is dead is waited for so long
 * @param deadline       how long a call is tried again before it fails. Zero: never. Too short: a restart of the server is seen
 *                       by the program; too long: the program waits when it could do something else
 * @param trust          PEM certificates to be trusted instead of those that Java does
 * @param userAgent      what the server's log says of this program
 * @param sharedPaths    this machine sees the server's volumes under the same paths: then {@code FileInfo.path} is told. Keys of
 *                       administrators only
 * @param threads        for handlers of files and for listeners; virtual ones where Java has them
 * @param traceparent    which trace a call belongs to, by W3C Trace Context, asked for on the thread that makes the call: a server
 *                       that traces goes on with it. What is none is not sent
 * @param local          the data directory on this machine in which the server leaves its address and a key. They are read there
 *                       again when the server is away or does not know the key any more, as both are new when it is started again
 */
public record ClientConfig(URI server, String key, Duration connectTimeout, Duration idleTimeout, Duration deadline,
        Optional<Path> trust, String userAgent, boolean sharedPaths, Processing.Threads threads,
        Supplier<Optional<String>> traceparent, Optional<Path> local) {
    /** What a running server leaves in its data directory, for programs of the same user on the same machine. */
    private static final String LOCAL = "entrepot.server";

    public ClientConfig {
        String scheme = server.getScheme();
        if (server.getHost() == null || (!"http".equals(scheme) && !"https".equals(scheme))) {
            throw new IllegalArgumentException("\"" + server + "\" is not the address of a server: write it as"
                    + " http://host:port or https://host:port");
        }
        if (server.getRawUserInfo() != null || server.getRawQuery() != null || server.getRawFragment() != null) {
            throw new IllegalArgumentException("the address of a server has no user, query and fragment; the key is"
                    + " given beside it");
        }
        if (key.isBlank() || key.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new IllegalArgumentException("a key is needed: a text without blanks, as ek_…");
        }
        if (connectTimeout.compareTo(Duration.ofMillis(1)) < 0 || idleTimeout.compareTo(Duration.ofMillis(1)) < 0
                || deadline.isNegative()) {
            throw new IllegalArgumentException("timeouts are at least a millisecond, and a deadline is not negative: "
                    + connectTimeout + ", " + idleTimeout + ", " + deadline);
        }
    }

    public static ClientConfig of(URI server, String key) {
        return new ClientConfig(server, key, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30),
                Optional.empty(), "entrepot-client", false, ClientConfig::platform, Optional::empty,
                Optional.empty());
    }

    /**
     * The server that runs on this data directory, on this machine and for this user; empty if there is none. When it is started
     * again, a client goes on with the one that runs then.
     */
    public static Optional<ClientConfig> found(Path directory) {
        try {
            Json left = Json.parse(Files.readString(directory.resolve(LOCAL)));
            return Optional.of(of(URI.create(left.get("address").text()), left.get("key").text())
                    .foundIn(directory.toAbsolutePath()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("what the server has left in " + directory + " cannot be read: "
                    + e.getMessage(), e);
        }
    }

    private static Thread platform(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private ClientConfig foundIn(Path directory) {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, deadline, trust, userAgent, sharedPaths,
                threads,
                traceparent, Optional.of(directory));
    }

    /** With the address and the key that are in the data directory now; the same if they are, or if there are none. */
    ClientConfig lookedUpAgain() {
        try {
            return local.flatMap(ClientConfig::found)
                    .filter(now -> !now.server.equals(server) || !now.key.equals(key))
                    .map(now -> new ClientConfig(now.server, now.key, connectTimeout, idleTimeout, deadline, trust,
                            userAgent, sharedPaths, threads, traceparent, local))
                    .orElse(this);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            return this; // nobody's now, or another user's
        }
    }

    public ClientConfig withConnectTimeout(Duration value) {
        return new ClientConfig(server, key, value, idleTimeout, deadline, trust, userAgent, sharedPaths, threads,
                traceparent, local);
    }

    public ClientConfig withIdleTimeout(Duration value) {
        return new ClientConfig(server, key, connectTimeout, value, deadline, trust, userAgent, sharedPaths, threads,
                traceparent, local);
    }

    public ClientConfig withDeadline(Duration value) {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, value, trust, userAgent, sharedPaths, threads,
                traceparent, local);
    }

    public ClientConfig trusting(Path pem) {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, deadline, Optional.of(pem), userAgent,
                sharedPaths, threads, traceparent, local);
    }

    public ClientConfig withUserAgent(String value) {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, deadline, trust, value, sharedPaths, threads,
                traceparent, local);
    }

    public ClientConfig withSharedPaths() {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, deadline, trust, userAgent, true, threads,
                traceparent, local);
    }

    public ClientConfig withThreads(Processing.Threads value) {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, deadline, trust, userAgent, sharedPaths,
                value, traceparent, local);
    }

    /** With OpenTelemetry, say: what its propagator writes for the current context. */
    public ClientConfig withTraceparent(Supplier<Optional<String>> value) {
        return new ClientConfig(server, key, connectTimeout, idleTimeout, deadline, trust, userAgent, sharedPaths,
                threads, value, local);
    }

    /** Without the key: this may be written to a log. */
    @Override
    public String toString() {
        return "client of " + server;
    }
}

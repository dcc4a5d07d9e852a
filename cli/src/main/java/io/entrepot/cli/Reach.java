package io.entrepot.cli;

import io.entrepot.cli.access.PoolAccess;
import io.entrepot.client.ClientConfig;
import io.entrepot.client.EntrepotClient;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolUnavailableException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a command comes to its pool. A data directory is opened; if somebody has it, and that is a server that can be used, then
 * through that. Who has it is known by its lock alone: what a server that was killed has left behind says nothing.
 */
final class Reach {
    /** A person waits: a server that restarts is waited for, but not one that is not there. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration SHORTEST_IDLE = Duration.ofSeconds(1);
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(60);
    private static final Duration PROBE = Duration.ofSeconds(2);

    private Reach() {}

    static PoolAccess here(PoolConfig config) throws InterruptedException {
        return here(config, LONGEST_IDLE);
    }

    static PoolAccess here(PoolConfig config, Duration longest) throws InterruptedException {
        try {
            return PoolAccess.embedded(config);
        } catch (PoolUnavailableException e) {
            if (!e.code().endsWith(".in-use")) {
                throw e;
            }
            return there(within(longest, serverOn(config.directory()).orElseThrow(() -> e)));
        }
    }

    /** What is done with a pool that nobody else has. */
    interface Alone<R> {
        R with(PoolConfig config) throws InterruptedException;
    }

    /** @param why it is not done through a server, if that is who has it */
    static <R> R alone(PoolConfig config, String why, Alone<R> what) throws InterruptedException {
        try {
            return what.with(config);
        } catch (PoolUnavailableException e) {
            if (e.code().endsWith(".in-use")) {
                requireNoServer(config.directory(), why);
            }
            throw e;
        }
    }

    /** @throws Failure if a server has it */
    static void requireNoServer(Path directory, String why) {
        if (serverOn(directory).isPresent()) {
            throw new Failure("local-only", "a server has " + directory + ", and " + why, ExitCode.UNAVAILABLE);
        }
    }

    static PoolAccess there(ClientConfig config) {
        return PoolAccess.remote(isHere(config) ? config.withSharedPaths() : config);
    }

    static ClientConfig shortly(ClientConfig config) {
        return config.withDeadline(DEADLINE).withUserAgent("entrepot-cli");
    }

    /** An attempt, and all attempts together, take no longer than that, but neither is hasty. */
    static ClientConfig within(Duration longest, ClientConfig config) {
        Duration idle = longest.compareTo(SHORTEST_IDLE) < 0
                ? SHORTEST_IDLE
                : longest.compareTo(LONGEST_IDLE) > 0 ? LONGEST_IDLE : longest;
        return shortly(config).withIdleTimeout(idle).withDeadline(longest.compareTo(DEADLINE) < 0 ? longest : DEADLINE);
    }

    /** One that answers. */
    static Optional<ClientConfig> serverOn(Path directory) {
        try {
            Optional<ClientConfig> found = ClientConfig.found(directory).map(Reach::shortly);
            if (found.isPresent()) {
                try (EntrepotClient client = EntrepotClient.connect(found.get().withDeadline(Duration.ZERO)
                        .withConnectTimeout(PROBE).withIdleTimeout(PROBE))) {
                    boolean _ = client.administration().me().isMissing();
                }
            }
            return found;
        } catch (PoolException e) {
            if (e.code().endsWith(".untrusted")) {
                throw new Failure(e.code(), "a server has " + directory + ", and its certificate is not for the address"
                        + " that it has left there: name it as its certificate does, with --server, and --trust if Java"
                        + " does not know who signed it (" + e.getMessage() + ")", ExitCode.UNAVAILABLE);
            }
            return Optional.empty(); // another process has the directory, or another user's
        } catch (IllegalArgumentException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Its paths may be ours. Whoever uses one looks whether it is. */
    private static boolean isHere(ClientConfig config) {
        try {
            InetAddress address = InetAddress.getByName(config.server().getHost());
            return address.isLoopbackAddress() || address.isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

package io.entrepot.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A server program that is not ours, started as a child and reached over a port of this machine or a socket in a directory. It is killed on
 * {@link #close} and at exit. It does not outlive this process even if that is killed: a shell beside it waits for the end
 * of its input, which comes when we are gone, and takes the server with it.
 *
 * <p>Safe for use by many threads.
 */
public final class ChildServer<A extends SocketAddress> implements AutoCloseable {

    /** Starts the program given as arguments; ends with it, or kills it when the input ends. */
    private static final String GUARD = """
                                        exec 3<&0
                                        "$@" 3<&- </dev/null & server=$!
                                        { read -r _ <&3; kill -9 $server; } 2>/dev/null & guard=$!
                                        wait $server
                                        kill -9 $guard
                                        """;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = 10_000_000;

    private final Process process;
    private final A address;
    private final Path log;
    private final AtExit.Registration atExit;

    private ChildServer(Process process, A address, Path log) {
        this.process = process;
        this.address = address;
        this.log = log;
        this.atExit = AtExit.register(this::kill);
    }

    /**
     * Starts it and waits until it takes connections.
     *
     * @param address where it was told to listen
     * @param log what it prints goes there
     */
    public static <A extends SocketAddress> ChildServer<A> start(List<String> command, Map<String, String> environment,
            A address, Path log) throws IOException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", GUARD, "sh"));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        ChildServer<A> server = new ChildServer<>(builder.start(), address, log);
        try {
            server.awaitConnection();
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** A port of this machine that nobody uses now. */
    public static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        }
    }

    public A address() {
        return address;
    }

    private void awaitConnection() throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!listening()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new IOException("no server at " + address + "; it said: " + Files.readString(log).strip());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean listening() {
        try (SocketChannel channel = SocketChannel.open(address)) {
            return channel.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Kills it if it still lives; returns when it is gone. */
    @Override
    public void close() throws IOException {
        if (atExit.cancel()) {
            kill();
        }
    }

    /** The shell kills it and has buried it when it ends itself. */
    private void kill() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}

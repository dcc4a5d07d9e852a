package io.entrepot.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a client and a server and cuts connections: after so many bytes in one direction, so many times. What was cut
 * before the cut has arrived; what came after has not.
 */
final class Cutter implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final ServerSocket socket;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cutsLeft = new AtomicInteger();
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicLong toServer = new AtomicLong(NEVER);
    private final AtomicLong toClient = new AtomicLong(NEVER);

    Cutter(int target) throws IOException {
        this.target = target;
        this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    int cuts() {
        return cuts.get();
    }

    int connections() {
        return connections.get();
    }

    /** The next so many connections end when the server was sent so many bytes on them. */
    void cutRequests(long after, int times) {
        toServer.set(after);
        toClient.set(NEVER);
        cutsLeft.set(times);
        forgetConnections();
    }

    /** The next so many connections end when the client was sent so many bytes on them. */
    void cutAnswers(long after, int times) {
        toClient.set(after);
        toServer.set(NEVER);
        cutsLeft.set(times);
        forgetConnections();
    }

    /** Those that are open count from where they are; so they are closed, quietly, between requests. */
    private void forgetConnections() {
        open.forEach(Cutter::close);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                connections.incrementAndGet();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(server);
                Thread.ofVirtual().start(() -> copy(client, server, toServer));
                Thread.ofVirtual().start(() -> copy(server, client, toClient));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void copy(Socket from, Socket to, AtomicLong limit) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[16 << 10];
            long copied = 0;
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                int allowed = (int) Math.min(n, Math.max(0, limit.get() - copied));
                if (allowed < n && cutsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    out.write(piece, 0, allowed);
                    out.flush();
                    cuts.incrementAndGet();
                    return;
                }
                out.write(piece, 0, n);
                out.flush();
                copied += n;
            }
        } catch (IOException e) {
            // one side has gone
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void close(Socket one) {
        try {
            one.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        open.forEach(Cutter::close);
    }
}

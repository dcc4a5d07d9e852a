package io.entrepot.server.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections on which the head of a request, or a TLS handshake, comes in too small pieces. Jetty's idle timeout begins
 * anew with each byte, so a client that sends one now and then would stay for ever. Looks at all connections a few times within
 * the time that is allowed: bytes have come although every request has its answer, so they are of a head that is not complete.
 * Has a thread of its own.
 */
public final class SlowHeads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SlowHeads.class);
    private static final int LOOKS = 4;

    private final ServerConnector connector;
    private final Supplier<Duration> allowed;
    private final Thread thread;
    private Map<EndPoint, Seen> seen = new HashMap<>();

    /** @param begun when bytes of a head were first seen; 0 if there are none */
    private record Seen(long in, long out, long bytes, long begun) {}

    /** @param allowed as it is now: {@link #changed} says that it may be another */
    public SlowHeads(ServerConnector connector, Supplier<Duration> allowed) {
        this.connector = connector;
        this.allowed = allowed;
        this.thread = Thread.ofVirtual().name("slow-heads").unstarted(this::run);
        thread.start();
    }

    private void run() {
        while (!thread.isInterrupted()) { // until the server closes
            LockSupport.parkNanos(allowed.get().dividedBy(LOOKS).toNanos());
            look(System.nanoTime());
        }
    }

    /** Looks now, and from now on as often as the new time wants. */
    public void changed() {
        LockSupport.unpark(thread);
    }

    private void look(long now) {
        Duration time = allowed.get();
        Map<EndPoint, Seen> next = new HashMap<>();
        for (EndPoint end : connector.getConnectedEndPoints()) {
            Connection connection = http(end.getConnection());
            if (connection == null) {
                continue;
            }
            Seen is = judged(connection, seen.get(end), now);
            if (is.begun != 0 && now - is.begun >= time.toNanos()) {
                LOG.debug("closed: the head of a request from {} took too long", end.getRemoteSocketAddress());
                end.close();
            } else {
                next.put(end, is);
            }
        }
        seen = next;
    }

    private static Seen judged(Connection connection, @Nullable Seen before, long now) {
        long in = connection.getMessagesIn();
        long out = connection.getMessagesOut();
        long bytes = connection.getBytesIn();
        if (before == null) { // the first look at it: a handshake, or the beginning of a head
            return new Seen(in, out, bytes, in == 0 ? now : 0);
        }
        if (in != before.in || out != before.out || in != out) {
            return new Seen(in, out, bytes, 0);
        }
        return before.begun != 0 || bytes == before.bytes ? before : new Seen(in, out, before.bytes, now);
    }

    private static @Nullable Connection http(@Nullable Connection of) {
        return of instanceof SslConnection ssl ? ssl.getSslEndPoint().getConnection() : of;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

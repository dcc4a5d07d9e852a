package io.entrepot.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A line to a server that breaks once, after so many bytes were sent. Safe for use by many threads. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int target;
    private final AtomicLong untilCut;
    private final AtomicLong cuts = new AtomicLong();
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    CuttingProxy(int target, long untilCut) throws IOException {
        this.target = target;
        this.untilCut = new AtomicLong(untilCut);
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** How often it has broken. */
    long cuts() {
        return cuts.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.addAll(List.of(client, server));
                Thread.startVirtualThread(() -> pump(client, server, true));
                Thread.startVirtualThread(() -> pump(server, client, false));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pump(Socket from, Socket to, boolean counted) {
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[16 << 10];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                out.write(some, 0, n);
                out.flush();
                if (counted && untilCut.getAndAdd(-n) > 0 && untilCut.get() <= 0) {
                    cuts.incrementAndGet();
                    from.setSoLinger(true, 0); // not an end in good order
                    return;
                }
            }
        } catch (IOException e) {
            // one side is gone, so is the other
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}

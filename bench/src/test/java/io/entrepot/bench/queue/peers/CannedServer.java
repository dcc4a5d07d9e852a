package io.entrepot.bench.queue.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server that says the same to everybody, whatever was asked, and then nothing more. */
final class CannedServer implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

    CannedServer(String answer) throws IOException {
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    client.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    if (!socket.isClosed()) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        });
    }

    InetSocketAddress address() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

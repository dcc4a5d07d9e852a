package io.entrepot.lab;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One connection to an HTTP server, kept alive: as thin as a client can be, so that what is measured is the server, and so open
 * that what is no request at all can be sent too. It repeats nothing and repairs nothing. Use from one thread at a time.
 */
public final class HttpConnection implements AutoCloseable {
    private static final int MOST_HEAD = 1 << 20;

    private final Socket socket;
    private final InputStream in;

    /**
     * What came back.
     *
     * @param headers by their names in lower case; the last of each
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    public record Answer(int status, Map<String, String> headers, byte[] body) {

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    /** @param patience how long a silence may last */
    public HttpConnection(InetSocketAddress address, Duration patience) throws IOException {
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
            socket.connect(address, Math.toIntExact(patience.toMillis()));
            in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends a request and waits for its answer. Each header is a whole line. */
    public Answer ask(String method, String path, List<String> headers, byte[] body) throws IOException {
        send(request(method, path, headers, body));
        return answer(method.equals("HEAD"));
    }

    /** A request as it goes over the wire. */
    public static byte[] request(String method, String path, List<String> headers, byte[] body) {
        StringBuilder head = new StringBuilder(256).append(method).append(' ').append(path)
                .append(" HTTP/1.1\r\nHost: localhost\r\n");
        headers.forEach(line -> head.append(line).append("\r\n"));
        if (body.length > 0 || !(method.equals("GET") || method.equals("HEAD"))) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[first.length + body.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** For what needs more than sending and reading: half a close, or a reset. */
    public Socket socket() {
        return socket;
    }

    /** The next answer, whole. */
    public Answer answer() throws IOException {
        return answer(false);
    }

    private Answer answer(boolean headOnly) throws IOException {
        Answer head = head();
        if (head.status / 100 == 1) {
            return answer(headOnly);
        }
        byte[] body = headOnly || head.status == 204 || head.status == 304 ? new byte[0] : body(head);
        return new Answer(head.status, head.headers, body);
    }

    /** The next answer without its body, which is left to be read or not. */
    public Answer head() throws IOException {
        String first = line();
        if (!first.startsWith("HTTP/1.") || first.length() < 12) {
            throw new IOException("not an answer: " + first);
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("not a header: " + line);
            }
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
        try {
            return new Answer(Integer.parseInt(first, 9, 12, 10), headers, new byte[0]);
        } catch (NumberFormatException e) {
            throw new IOException("not an answer: " + first, e);
        }
    }

    private byte[] body(Answer head) throws IOException {
        String length = head.header("content-length");
        if (!length.isEmpty()) {
            return exactly(Integer.parseInt(length));
        }
        if (!head.header("transfer-encoding").equals("chunked")) {
            return in.readAllBytes();
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            all.writeBytes(exactly(size));
            line();
        }
        line();
        return all.toByteArray();
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ends after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed" + (line.isEmpty() ? "" : " after " + line));
            }
            if (line.length() > MOST_HEAD) {
                throw new IOException("the head of the answer is too large");
            }
            line.append((char) next);
        }
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

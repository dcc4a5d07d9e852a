package io.entrepot.chaos.server;

import io.entrepot.lab.HttpConnection;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * What no client should send: requests that are none, bodies of other lengths than was said, chunks that are none, uploads that are cut
 * in the middle, downloads nobody reads. Use by one thread.
 */
final class RawRequests {
    /** Longer than the server's. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LORISES = 64;
    private static final int HALF = 50_000;

    private final Host host;
    private final Judge judge;
    private final Random random;

    RawRequests(Host host, Judge judge, Random random) {
        this.host = host;
        this.judge = judge;
        this.random = random;
    }

    /** Not requests. Each is refused, or the connection is closed. */
    void malformed() throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (String text : List.of("\r\n\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/3.0\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "get / http/1.1\r\nhost: x\r\n\r\n",
                "GET http:// HTTP/1.1\r\nHost: x\r\n\r\n", "GET //v1//me HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET /v1/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /v1/tenants/%2e%2e/files HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /v1/tenants?%ff=%fe HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /v1/\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n bad: fold\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n: empty\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nA\0b: c\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                "POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /v1/keys HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
                "POST /v1/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "POST /v1/keys HTTP/1.1\r\nHost: x\r\nExpect: the unexpected\r\nContent-Length: 1\r\n\r\na",
                "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n",
                "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
                "BREW /v1/me HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n" + "A: b\r\n".repeat(20_000) + "\r\n")) {
            all.add(text.getBytes(StandardCharsets.ISO_8859_1));
        }
        for (int i = 0; i < 20; i++) {
            byte[] noise = new byte[1 + random.nextInt(3_000)];
            random.nextBytes(noise);
            all.add(noise);
        }
        for (byte[] bytes : all) {
            send(bytes, true);
        }
    }

    /** Bodies that are not as long as was said, or not in the chunks that were said. Nothing of them may be stored. */
    void wrongBodies() throws IOException {
        byte[] half = new byte[HALF];
        for (String length : List.of("Content-Length: 100000", "Transfer-Encoding: chunked")) {
            byte[] first = length.startsWith("T") ? bytes("186a0\r\n") : new byte[0];
            send(join(bytes(head(length)), first, half), true);
            send(join(bytes(head(length)), first, half), false);
        }
        for (String chunks : List.of("zz\r\nabc\r\n0\r\n\r\n", "-5\r\nabc\r\n", "ffffffffffffffffff\r\nabc",
                "3\r\nabcdef\r\n0\r\n\r\n",
                "3\nabc\n0\n\n\n", "3;" + "x".repeat(50_000) + "\r\nabc\r\n", "\r\n\r\n\r\n", "7fffffff\r\nabc",
                "0x3\r\nabc\r\n0\r\n\r\n")) {
            send(join(bytes(head("Transfer-Encoding: chunked")), bytes(chunks)), true);
        }
    }

    /** More than was said: the file is what was said, and the rest is a request that is none. */
    void longerThanSaid() throws IOException {
        try (HttpConnection connection = new HttpConnection(host.address(), PATIENCE)) {
            connection.send(join(bytes(head("Content-Length: 10")), bytes("0123456789and some more\r\n\r\n")));
            HttpConnection.Answer first = connection.answer();
            judge.judge(first, "an upload that is longer than was said");
            judge.run().check(first.status() == 201 && first.text().contains("\"size\":10"),
                    () -> "an upload of 10 bytes was answered with " + first.status() + " " + first.text());
            read(connection, "what followed an upload");
        }
    }

    /** More than the server takes, told before or found out on the way. Nothing of them may be stored. */
    void tooLarge() throws IOException {
        byte[] piece = new byte[HALF];
        send(join(bytes(head("Content-Length: " + (RudeRounds.MOST + 1))), piece), true);
        send(join(bytes(head("Content-Length: " + Long.MAX_VALUE)), piece), true);
        byte[] all = new byte[RudeRounds.MOST + 1];
        send(join(bytes(head("Transfer-Encoding: chunked")), bytes(Integer.toHexString(all.length) + "\r\n"), all,
                bytes("\r\n0\r\n\r\n")), true);
    }

    /** They send a byte now and then, for as long as they are let. Each is cut off; others are served meanwhile. */
    void dribble() throws IOException {
        List<HttpConnection> open = new ArrayList<>();
        try (Caller caller = new Caller(host)) {
            for (int i = 0; i < LORISES; i++) {
                open.add(new HttpConnection(host.address(), PATIENCE));
                open.getLast()
                        .send(bytes(i % 2 == 0 ? "GET /health/live HTTP/1.1\r\nX: " : head("Content-Length: 100000")));
            }
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!open.isEmpty() && System.nanoTime() - deadline < 0) {
                open.removeIf(RawRequests::isCutOff);
                judge.run().check(caller.get("/v1/me").status() == 200, () -> "somebody was not served");
                LockSupport.parkNanos(100_000_000);
            }
            judge.run().check(open.isEmpty(),
                    () -> open.size() + " clients that send a byte now and then are let do so for "
                            + PATIENCE);
        } finally {
            for (HttpConnection one : open) {
                one.close();
            }
        }
    }

    private static boolean isCutOff(HttpConnection loris) {
        try {
            loris.send(bytes("x"));
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** They send a little and fall silent; others are served meanwhile. */
    void slowLoris() throws IOException {
        List<HttpConnection> lorises = new ArrayList<>();
        try (Caller caller = new Caller(host)) {
            for (int i = 0; i < LORISES; i++) {
                lorises.add(new HttpConnection(host.address(), PATIENCE));
                lorises.getLast().send(bytes(i % 2 == 0 ? "GET /health/live HT" : head("Content-Length: 1000")));
            }
            for (int turn = 0; turn < 5; turn++) {
                for (HttpConnection loris : lorises) {
                    try {
                        loris.send(bytes("x"));
                    } catch (IOException e) {
                        // Cut off: rightly.
                    }
                }
                long began = System.nanoTime();
                judge.run().check(caller.get("/v1/me").status() == 200, () -> "somebody was not served");
                long took = (System.nanoTime() - began) / 1_000_000;
                judge.run().check(took < 5_000, () -> "somebody was served after " + took + " ms");
            }
            for (HttpConnection loris : lorises) { // silent from now on
                read(loris, "a slow request");
            }
        } finally {
            for (HttpConnection loris : lorises) {
                loris.close();
            }
        }
    }

    /** Some are read in part, some not at all; all are reset. */
    void abortedDownloads(String path, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            try (HttpConnection connection = new HttpConnection(host.address(), PATIENCE)) {
                connection.send(HttpConnection.request("GET", path, List.of("Authorization: Bearer " + host.key()),
                        new byte[0]));
                if (i % 2 == 0) {
                    judge.judge(connection.head(), path);
                }
                connection.socket().setSoLinger(true, 0);
            }
        }
    }

    private String head(String length) {
        return "POST /v1/tenants/" + RudeRounds.CUT + "/files?name=x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                + host.key() + "\r\n" + length + "\r\n\r\n";
    }

    /** @param halfClose say that no more comes, and listen; else go away without a word */
    private void send(byte[] bytes, boolean halfClose) throws IOException {
        String asked = new String(bytes, 0, Math.min(200, bytes.length), StandardCharsets.ISO_8859_1);
        try (HttpConnection connection = new HttpConnection(host.address(), PATIENCE)) {
            try {
                connection.send(bytes);
                if (!halfClose) {
                    connection.socket().setSoLinger(true, random.nextInt(2));
                    return;
                }
                connection.socket().shutdownOutput();
            } catch (SocketException e) {
                return; // refused before it was all sent
            }
            read(connection, asked);
        }
    }

    /** Until the server closes, which it does. */
    private void read(HttpConnection connection, String asked) throws IOException {
        try {
            while (true) {
                judge.judge(connection.answer(), asked);
            }
        } catch (EOFException | SocketException e) {
            judge.run().check(true, () -> "");
        } catch (IOException e) {
            judge.run().check(false, () -> e + " after " + Judge.shown(asked));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}

package io.entrepot.bench.http;

import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.HttpConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our server, as its users run it: in a process of its own, with the JVM's own choice of compilers and collector. */
final class MeasuredServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Pattern LEASE = Pattern.compile("\"lease\":\"([^\"]+)\"");
    private static final String FILES = "/v1/tenants/default/";
    private static final byte[] CLAIM = "{\"wait\":\"10s\"}".getBytes(StandardCharsets.UTF_8);

    private final ChildJvm child;
    private final BlockingQueue<String> said;
    private final InetSocketAddress address;
    private final List<String> binary;
    private final List<String> json;

    private MeasuredServer(ChildJvm child, BlockingQueue<String> said, int port, String key) {
        this.child = child;
        this.said = said;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.binary = List.of("Authorization: Bearer " + key, "Content-Type: application/octet-stream");
        this.json = List.of("Authorization: Bearer " + key, "Content-Type: application/json");
    }

    static MeasuredServer start(Path parent) throws IOException, InterruptedException {
        Path data = Files.createTempDirectory(parent, "server");
        // Other children live for a second, and are started with one quick compiler.
        ChildJvm child = ChildJvm.start(ChildSpec.of(ServerChild.class).withFlags("-XX:TieredStopAtLevel=4",
                "-XX:-UseSerialGC"));
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        try {
            child.awaitReady(PATIENCE);
            child.listen(said::add);
            child.send(data.toString());
            String[] told = said.take().split(" ", -1);
            return new MeasuredServer(child, said, Integer.parseInt(told[0]), told[1]);
        } catch (IOException | InterruptedException | RuntimeException e) {
            child.close();
            throw e;
        }
    }

    HttpConnection connect() throws IOException {
        return new HttpConnection(address, PATIENCE);
    }

    void upload(HttpConnection connection, byte[] content) throws IOException {
        expect(201, connection.ask("POST", FILES + "files?name=file.dat", binary, content));
    }

    void claimAndComplete(HttpConnection connection) throws IOException {
        String claimed = expect(200, connection.ask("POST", FILES + "claims", json, CLAIM));
        Matcher lease = LEASE.matcher(claimed);
        if (!lease.find()) {
            throw new IOException("nothing was handed out: " + claimed);
        }
        byte[] body = ("{\"leases\":[\"" + lease.group(1) + "\"]}").getBytes(StandardCharsets.UTF_8);
        String ended = expect(200, connection.ask("POST", FILES + "leases/complete", json, body));
        if (!ended.contains("\"completed\"")) {
            throw new IOException("it was not completed: " + ended);
        }
    }

    private static String expect(int status, HttpConnection.Answer answer) throws IOException {
        if (answer.status() != status) {
            throw new IOException(answer.status() + " " + answer.text());
        }
        return answer.text();
    }

    /** What the volumes have still to do. */
    void sync() throws IOException, InterruptedException {
        child.send(ServerChild.SYNC);
        said.take();
    }

    @Override
    public void close() {
        child.close();
    }
}

package io.entrepot.bench.queue.peers;

import io.entrepot.bench.peers.Program;
import io.entrepot.bench.queue.PairLoad;
import io.entrepot.lab.ChildServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Redis that syncs its log before it answers; no snapshots and no rewriting of the log during a run. */
final class RedisServer implements PeerServer, Peer {

    static final String NAME = "redis-always";
    private static final int FILL_STEP = 1_000;

    private final ChildServer<InetSocketAddress> server;

    private RedisServer(ChildServer<InetSocketAddress> server) {
        this.server = server;
    }

    static RedisServer start(Path directory, Program program) throws IOException {
        Path data = Files.createDirectories(directory.resolve("redis"));
        InetSocketAddress address = ChildServer.freeAddress();
        List<String> command = List.of(program.file().toString(), "--bind", address.getAddress().getHostAddress(),
                "--port",
                "" + address.getPort(), "--dir", data.toString(), "--appendonly", "yes", "--appendfsync", "always",
                "--save", "", "--auto-aof-rewrite-percentage", "0");
        return new RedisServer(ChildServer.start(command, program.environment(), address, data.resolve("log")));
    }

    @Override
    public List<Peer> peers() {
        return List.of(this);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String note() {
        return "appendfsync always, one sync for all commands of a turn; a list of ids and a hash of held ones, moved by a"
                + " script; the same list for all tenants; payload, history, outcomes, retries, expiry and fencing no";
    }

    @Override
    public double measure(PairLoad load) throws Exception {
        fill(load.items());
        return Line.measure(load, this::open);
    }

    RedisLine open() throws IOException {
        return new RedisLine(connect());
    }

    RespConnection connect() throws IOException {
        return new RespConnection(server.address());
    }

    /** Forgets everything and puts so many ids into the list. */
    void fill(int items) throws IOException {
        try (RespConnection connection = connect()) {
            connection.ask(List.of("FLUSHALL"));
            for (int from = 0; from < items; from += FILL_STEP) {
                List<String> push = new ArrayList<>(List.of("RPUSH", RedisLine.READY));
                for (int id = from; id < Math.min(items, from + FILL_STEP); id++) {
                    push.add("" + id);
                }
                connection.ask(push);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}

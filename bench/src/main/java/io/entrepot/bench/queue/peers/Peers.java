package io.entrepot.bench.queue.peers;

import io.entrepot.bench.BenchRun;
import io.entrepot.bench.peers.PeerCache;
import io.entrepot.bench.peers.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The peers that can be had on this machine, each server started once for the whole run. One that cannot be had is a
 * note in the report and does not stop the run. Use from one thread.
 */
public final class Peers implements AutoCloseable {

    /** Our own queue on PostgreSQL, measured like a peer. */
    public static final String ON_POSTGRES = "entrepot-postgres";

    /** The same while nothing can be vacuumed. */
    public static final String WITH_AN_OLD_SNAPSHOT = "entrepot-postgres-old-snapshot";

    private static final int FEW_ITEMS = 3_000;
    private static final int ITEMS = 5_000;

    /** How a server is started with its data in a directory. */
    @FunctionalInterface
    private interface Start {
        PeerServer in(Path directory) throws IOException;
    }

    private final BenchRun run;
    private final Deque<PeerServer> servers = new ArrayDeque<>();
    private final List<Peer> open = new ArrayList<>();

    private Peers(BenchRun run) {
        this.run = run;
    }

    /** In the short form only those that need no download and start quickly. */
    public static Peers open(BenchRun run) {
        PeerCache cache = PeerCache.ofUser();
        Peers peers = new Peers(run);
        int items = run.shortForm() ? FEW_ITEMS : ITEMS;
        peers.start(PostgresPeers.PEERS, directory -> PostgresPeers.start(directory, cache.directory(), items));
        if (!run.shortForm()) {
            Programs programs = new Programs(cache);
            peers.start(List.of(RedisServer.NAME), directory -> RedisServer.start(directory, programs.redis()));
            peers.start(List.of(BeanstalkdServer.NAME),
                    directory -> BeanstalkdServer.start(directory, programs.beanstalkd(), items));
        }
        return peers;
    }

    private void start(List<String> names, Start start) {
        String all = String.join(", ", names);
        run.progress().say("starting " + all);
        try {
            PeerServer server = start.in(run.directory());
            servers.push(server);
            open.addAll(server.peers());
        } catch (IOException e) {
            run.note(all + " skipped: " + ("" + e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    /** Those of this name that can be had: in the order given. */
    public List<Peer> named(List<String> names) {
        return names.stream().flatMap(name -> open.stream().filter(peer -> peer.name().equals(name))).toList();
    }

    @Override
    public void close() throws IOException {
        while (!servers.isEmpty()) {
            servers.pop().close();
        }
    }
}

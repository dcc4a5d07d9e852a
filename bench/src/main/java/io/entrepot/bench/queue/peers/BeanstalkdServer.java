package io.entrepot.bench.queue.peers;

import io.entrepot.bench.peers.Program;
import io.entrepot.bench.queue.PairLoad;
import io.entrepot.lab.ChildServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** beanstalkd with a log that it syncs at each write. */
final class BeanstalkdServer implements PeerServer, Peer {

    static final String NAME = "beanstalkd";

    private final ChildServer<InetSocketAddress> server;
    private final int mostItems;
    private int tubes;

    private BeanstalkdServer(ChildServer<InetSocketAddress> server, int mostItems) {
        this.server = server;
        this.mostItems = mostItems;
    }

    static BeanstalkdServer start(Path directory, Program program, int mostItems) throws IOException {
        Path data = Files.createDirectories(directory.resolve("beanstalkd"));
        InetSocketAddress address = ChildServer.freeAddress();
        List<String> command = List.of(program.file().toString(), "-l", address.getAddress().getHostAddress(), "-p",
                "" + address.getPort(), "-b", data.toString(), "-f0");
        Path log = directory.resolve("beanstalkd.log");
        return new BeanstalkdServer(ChildServer.start(command, program.environment(), address, log), mostItems);
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
        return "-f0, a sync per delete; a reservation is in memory only, so one of the two syncs of a pair is missing;"
                + " payload and expiry yes, history, outcomes and fencing no";
    }

    /** Into a tube of its own, which is how a queue is called there. */
    @Override
    public double measure(PairLoad load) throws Exception {
        PairLoad own = load.atMost(mostItems);
        String tube = fill(own.items());
        return Line.measure(own, () -> open(tube));
    }

    /** Puts so many items into a new tube. */
    String fill(int items) throws IOException {
        String tube = "bench-" + tubes++;
        try (BeanstalkdLine line = open(tube)) {
            line.put(items);
        }
        return tube;
    }

    BeanstalkdLine open(String tube) throws IOException {
        return new BeanstalkdLine(server.address(), tube);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}

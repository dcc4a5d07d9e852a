package io.entrepot.chaos.server;

import io.entrepot.lab.AotCache;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildServer;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDirectory;
import io.entrepot.lab.Nursery;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a server lives, dies and comes back: always over the same data, at the same address, with the same key. Use from one thread;
 * address and key are for all.
 */
final class Host implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String NO_KEY = "-";

    private final Nursery nursery;
    private final Map<String, String> settings;
    private final Bug bug;
    private final InetSocketAddress address;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private volatile String key = NO_KEY;
    private @Nullable ChildJvm child;

    private Host(Nursery nursery, Map<String, String> settings, Bug bug, InetSocketAddress address) {
        this.nursery = nursery;
        this.settings = settings;
        this.bug = bug;
        this.address = address;
    }

    /** Nothing runs yet. */
    static Host of(Nursery nursery, Path data, Map<String, String> more, Bug bug) throws IOException {
        InetSocketAddress address = ChildServer.freeAddress();
        Map<String, String> settings = new LinkedHashMap<>(more);
        settings.put("directory", data.toString());
        settings.put("server.port", "" + address.getPort());
        return new Host(nursery, settings, bug, address);
    }

    /** Children that start as quickly as they can. */
    static Nursery nursery(int ahead) throws IOException, InterruptedException {
        try (LabDirectory data = LabDirectory.create(DiskOptions.memory())) {
            ChildSpec spec = AotCache.train(ChildSpec.of(ServerChild.class).withFlags("-Xmx256m"),
                    List.of(ServerChild.order(Map.of("directory", data.path().toString(), "server.port", "0"),
                            Bug.NONE), ServerChild.TRAIN));
            return Nursery.open(spec, ahead);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** For everything. */
    String key() {
        return key;
    }

    /** Returns before it serves. */
    void begin() throws IOException, InterruptedException {
        said.clear();
        child = nursery.take();
        child.listen(said::add);
        child.send(ServerChild.order(settings, bug));
    }

    void awaitServing() throws IOException, InterruptedException {
        String line = hear();
        if (!line.startsWith(ServerChild.SERVING)) {
            throw new IOException("a server said: " + line);
        }
        String told = line.substring(line.lastIndexOf(' ') + 1);
        key = told.equals(NO_KEY) ? key : told;
    }

    private String hear() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            String line = said.poll(100, TimeUnit.MILLISECONDS);
            if (line != null) {
                return line;
            }
            if (!child().alive()) {
                throw new IOException("the server died by itself" + child().lastWords());
            }
        }
        throw new IOException("the server says nothing" + child().lastWords());
    }

    /** How many requests it has not answered. */
    int busy() throws IOException, InterruptedException {
        child().send(ServerChild.BUSY);
        return Integer.parseInt(hear().substring(ServerChild.BUSY.length() + 1));
    }

    boolean alive() {
        return child().alive();
    }

    /** Files and sockets that it has open, and directories that are not its volume's. */
    long handles() throws IOException {
        return opened().size();
    }

    /** What {@link #handles} counts. */
    List<String> opened() throws IOException {
        return links().filter(target -> !isOfVolume(target)).toList();
    }

    /**
     * The directories of its volume that it has open, as often as it has: those it works in, up to a bound, so there are the more of
     * them the more files there are.
     */
    List<String> directories() throws IOException {
        return links().filter(this::isOfVolume).toList();
    }

    private boolean isOfVolume(String target) {
        return target.startsWith(Path.of(String.valueOf(settings.get("directory"))).resolve("files").toString())
                && Files.isDirectory(Path.of(target));
    }

    private Stream<String> links() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> links = Files.list(Path.of("/proc/" + child().pid(), "fd"))) {
            for (Path link : links.toList()) {
                try {
                    all.add(Files.readSymbolicLink(link).toString());
                } catch (NoSuchFileException e) {
                    // closed just now
                }
            }
        }
        return all.stream().sorted();
    }

    /** Of the kernel's kind. */
    long threads() throws IOException {
        return count("task");
    }

    private long count(String what) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/" + child().pid(), what))) {
            return all.count();
        }
    }

    void kill() throws InterruptedException {
        child().kill9();
    }

    private ChildJvm child() {
        if (child == null) {
            throw new IllegalStateException("nothing was begun");
        }
        return child;
    }

    @Override
    public void close() {
        if (child != null) {
            child.close();
        }
    }
}

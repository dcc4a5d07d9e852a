package io.entrepot.bench.http;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.bench.Standings;
import io.entrepot.bench.peers.PeerCache;
import io.entrepot.bench.peers.Program;
import io.entrepot.bench.peers.Programs;
import io.entrepot.bench.pool.BenchPool;
import io.entrepot.bench.pool.Crew;
import io.entrepot.lab.HttpConnection;
import io.entrepot.pool.ClaimOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The server under many connections, beside the library that it serves and a web server that writes files. */
public final class HttpBench implements Bench {
    private static final String OURS = "entrepot";
    private static final String LIBRARY = "library";
    private static final String NGINX = "nginx-dav";
    private static final int CONNECTIONS = 64;
    private static final int SIZE = 4096;

    @Override
    public String name() {
        return "http";
    }

    @Override
    public String measures() {
        return "durable uploads of 4 KiB and claim + complete over 64 connections, against the library and nginx's WebDAV";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        byte[] content = new byte[SIZE];
        new Random(1).nextBytes(content);
        int requests = run.shortForm() ? 1_000 : 20_000;
        try (MeasuredServer server = MeasuredServer.start(run.directory());
                BenchPool library = BenchPool.open(run.directory())) {
            String upload = "upload 4 KiB, 64 connections";
            if (run.wants(upload)) {
                upload(run, upload, requests, server, library, content);
            }
            String work = "claim + complete, 64 connections";
            if (run.wants(work)) {
                work(run, work, requests, server, library, content);
            }
        }
        run.note(
                "entrepot: a server in a process of its own, its clients in the bench's; the syncs of the volume that follow are"
                        + " counted. library: the same calls without a server, in the bench's process");
    }

    private static void upload(BenchRun run, String name, int requests, MeasuredServer server, BenchPool library,
            byte[] content) throws Exception {
        Latencies latencies = new Latencies();
        Optional<Nginx> nginx = nginx(run);
        try {
            Contest contest = new Contest(name, "files/s")
                    .enter(OURS, () -> ours(server, requests, latencies,
                            connection -> server.upload(connection, content)))
                    .enter(LIBRARY, () -> Crew.run(CONNECTIONS, requests, (_, _) -> library.write(content),
                            library.pool().volumes()::sync));
            if (nginx.isPresent()) {
                contest.enter(NGINX, () -> nginx.get().measure(CONNECTIONS, requests, content));
            }
            Standings standings = run.run(contest);
            add(run, nginx.isPresent()
                    ? standings.row(name, OURS, LIBRARY, NGINX)
                    : standings.row(name, OURS, LIBRARY), latencies);
        } finally {
            if (nginx.isPresent()) {
                nginx.get().close();
            }
        }
    }

    private static void work(BenchRun run, String name, int requests, MeasuredServer server, BenchPool library,
            byte[] content) throws Exception {
        Latencies latencies = new Latencies();
        Standings standings = run.run(new Contest(name, "files/s")
                .enter(OURS, () -> {
                    ours(server, requests, new Latencies(), connection -> server.upload(connection, content));
                    return ours(server, requests, latencies, server::claimAndComplete);
                })
                .enter(LIBRARY, () -> {
                    Crew.run(CONNECTIONS, requests, (_, _) -> library.write(content), library.pool().volumes()::sync);
                    return Crew.run(CONNECTIONS, requests, (worker, _) -> library.pool().work()
                            .complete(library.pool().work().claim(ClaimOrder.of(BenchPool.TENANT, "worker-" + worker)
                                    .waiting(Duration.ofSeconds(10))).getFirst().lease()),
                            library.pool().volumes()::sync);
                }));
        add(run, standings.row(name, OURS, LIBRARY), latencies);
    }

    private static void add(BenchRun run, Row row, Latencies latencies) {
        run.add(row);
        run.add(Goal.atLeast(0.5, LIBRARY, row));
        int rounds = row.series().rounds().size();
        Row slow = new Row(row.caseName() + ", p99", OURS, "ms", latencies.millis(0.99, rounds),
                Map.of("p50", latencies.millis(0.5, rounds)));
        run.add(new Row(row.caseName() + ", p50", OURS, "ms", latencies.millis(0.5, rounds), Map.of()));
        run.add(slow);
        run.add(Goal.atMost(10, "p50", slow));
    }

    /** What one connection is used for. */
    private interface Use {
        void of(HttpConnection connection) throws IOException;
    }

    private static double ours(MeasuredServer server, int requests, Latencies latencies, Use use) throws Exception {
        long[] nanos = latencies.begin(requests);
        List<HttpConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(server.connect());
            }
            return Crew.run(CONNECTIONS, requests, (worker, turn) -> {
                long began = System.nanoTime();
                use.of(connections.get(worker));
                nanos[turn] = System.nanoTime() - began;
            }, server::sync);
        } finally {
            for (HttpConnection connection : connections) {
                connection.close();
            }
        }
    }

    private static Optional<Nginx> nginx(BenchRun run) throws IOException {
        try {
            Optional<Program> program = run.shortForm()
                    ? Programs.installedNginx()
                    : Optional.of(new Programs(PeerCache.ofUser()).nginx());
            if (program.isPresent()) {
                run.note(NGINX + ": one worker for each core; files are renamed into place and nothing is synced");
                return Optional.of(Nginx.start(run.directory(), program.get()));
            }
            run.note("no " + NGINX + ": not on the PATH, and the short form downloads nothing");
        } catch (IOException e) {
            run.note("no " + NGINX + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return Optional.empty();
    }
}

package io.entrepot.bench.queue;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.bench.Standings;
import io.entrepot.bench.queue.peers.Peer;
import io.entrepot.bench.queue.peers.Peers;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Claim and finish, durable, beside other queues and a bare journal with group commit: the most that a queue can do on
 * this disk. Then the same with ever more items in the queue: a pair must not cost more for it.
 */
public final class QueueBench implements Bench {

    private static final String OURS = "entrepot";
    private static final String LIMIT = "journal-limit";
    private static final int FLAT_WORKERS = 64;
    private static final List<String> ON_THE_SAME = List.of("postgres-1", "postgres-100", "db-scheduler", "jobrunr");

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public String measures() {
        return "claim + finish pairs, durable, with history and outcomes on, against a bare journal and other queues";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        run.note(LIMIT
                + ": not a queue; it keeps no payload, history, outcomes, retries or listing, and its state is in memory only");
        run.note(
                "peers: servers on this machine, reached over TCP with a connection per worker; ours runs in the workers' process");
        run.note("ours and the peers have been in use before: their logs, like that of " + LIMIT
                + ", have their length");
        try (Peers peers = Peers.open(run)) {
            List<QueueCase> cases = (run.shortForm() ? shortCases() : cases()).stream()
                    .filter(one -> run.wants(name(one.load()))).toList();
            for (QueueCase one : cases) {
                contest(run, one, peers.named(one.peers()));
            }
            oldSnapshot(run, peers);
            List<String> names = cases.stream().flatMap(one -> one.peers().stream()).distinct().toList();
            peers.named(names).forEach(peer -> run.note(peer.name() + ": " + peer.note()));
        }
        flatness(run, run.shortForm() ? 100_000 : 10_000_000);
    }

    private static List<QueueCase> shortCases() {
        return List.of(
                QueueCase.of(8, 1, 1, 10_000),
                QueueCase.of(64, 1, 1, 40_000).against(Peers.ON_POSTGRES, "postgres-1").goal(0.6, LIMIT).goal(8,
                        "postgres-1"),
                QueueCase.of(64, 16, 1, 40_000).goal(0.35, LIMIT),
                QueueCase.of(8, 1, 100, 100_000));
    }

    private static List<QueueCase> cases() {
        String[] all = {Peers.ON_POSTGRES, "redis-always", "postgres-1", "beanstalkd", "db-scheduler", "jobrunr"};
        String[] many = {Peers.ON_POSTGRES, "redis-always", "postgres-100"};
        return List.of(
                QueueCase.of(8, 1, 1, 20_000).against(all),
                QueueCase.of(64, 1, 1, 80_000).against(all)
                        .goal(0.6, LIMIT).goal(1.5, "redis-always").goal(8, "postgres-1"),
                QueueCase.of(8, 16, 1, 20_000),
                QueueCase.of(64, 16, 1, 80_000).against("redis-always").goal(0.35, LIMIT).goal(1.2, "redis-always"),
                QueueCase.of(8, 1, 100, 400_000).against(many).goal(1, "postgres-100"),
                QueueCase.of(64, 1, 100, 400_000).against(many).goal(1, "postgres-100"),
                QueueCase.of(64, 16, 100, 400_000));
    }

    private static String name(PairLoad load) {
        return "claim + finish, " + load.text();
    }

    private static void contest(BenchRun run, QueueCase one, List<Peer> peers) throws Exception {
        PairLoad load = one.load();
        List<String> others = new ArrayList<>(List.of(LIMIT));
        Standings standings;
        try (EmbeddedQueue ours = new EmbeddedQueue(run.directory().resolve("entrepot"))) {
            Contest contest = new Contest(load.text(), "pairs/s")
                    .enter(OURS, () -> refilled(ours.queue(), load))
                    .enter(LIMIT, () -> JournalLimit.measure(run.directory(), load));
            for (Peer peer : peers) {
                contest.enter(peer.name(), () -> peer.measure(load));
                others.add(peer.name());
            }
            standings = run.run(contest);
        }
        Row row = standings.row(name(load), OURS, others.toArray(String[]::new));
        run.add(row);
        if (others.contains(Peers.ON_POSTGRES)) {
            onPostgres(run, one, standings, others);
        }
        one.goals().forEach((peer, factor) -> {
            if (others.contains(peer)) {
                run.add(Goal.atLeast(factor, peer, row));
            }
        });
    }

    /** The same table of figures seen from our queue on PostgreSQL. */
    private static void onPostgres(BenchRun run, QueueCase one, Standings standings, List<String> others) {
        List<String> beside = others.stream().filter(peer -> ON_THE_SAME.contains(peer)).toList();
        Row row = standings.row("on PostgreSQL, " + one.load().text(), Peers.ON_POSTGRES,
                beside.toArray(String[]::new));
        run.add(row);
        if (one.load().batch() == 1 && one.load().workers() == FLAT_WORKERS) {
            beside.forEach(peer -> run.add(Goal.atLeast(peer.equals("postgres-1") ? 5 : 1, peer, row)));
        }
    }

    /** A reader that never ends keeps every deleted row in the tables; a pair must not cost much more for it. */
    private static void oldSnapshot(BenchRun run, Peers peers) throws Exception {
        PairLoad load = new PairLoad(FLAT_WORKERS, 1, 1, run.shortForm() ? 10_000 : 50_000);
        Contest contest = new Contest("pairs on PostgreSQL beside a long reader", "pairs/s");
        List<Peer> both = peers.named(List.of(Peers.ON_POSTGRES, Peers.WITH_AN_OLD_SNAPSHOT));
        String name = "on PostgreSQL beside a long reader, " + load.text();
        if (both.size() == 2 && run.wants(name)) {
            both.forEach(peer -> contest.enter(peer.name(), () -> peer.measure(load)));
            run.add(run.run(contest).row(name,
                    Peers.WITH_AN_OLD_SNAPSHOT, Peers.ON_POSTGRES));
        }
    }

    /** One queue that is kept small and one that is kept full, measured in turns on the same disk. */
    private static void flatness(BenchRun run, int full) throws Exception {
        int small = 10_000;
        PairLoad load = new PairLoad(FLAT_WORKERS, 1, 1, small);
        String caseName = "claim + finish with " + full + " items in the queue";
        if (!run.wants(caseName)) {
            return;
        }
        run.progress().say("filling a queue with " + full + " items");
        try (EmbeddedQueue few = new EmbeddedQueue(run.directory().resolve("few"));
                EmbeddedQueue many = new EmbeddedQueue(run.directory().resolve("many"))) {
            many.queue().fill(1, full);
            String peer = small + " items";
            String name = full + " items";
            Standings standings = run.run(new Contest("pairs with " + name + " in the queue", "pairs/s")
                    .enter(peer, () -> refilled(few.queue(), load))
                    .enter(name, () -> refilled(many.queue(), load)));
            Row row = standings.row(caseName, name, peer);
            run.add(row);
            run.add(Goal.atLeast(1 / 1.2, peer, row));
            run.note("heap in use with " + full + " items in the queue: " + heapMegabytes() + " MB");
        }
    }

    private static double refilled(OurQueue queue, PairLoad load) throws Exception {
        queue.fill(load.tenants(), load.items());
        return load.run(queue);
    }

    private static long heapMegabytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}

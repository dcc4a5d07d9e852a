package io.entrepot.bench.queue;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.bench.Standings;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;

/**
 * Claim and finish, durable, against a bare journal with group commit: the most that a queue can do on this disk. Then the
 * same with ever more items in the queue: a pair must not cost more for it.
 */
public final class QueueBench implements Bench {

    private static final String OURS = "entrepot";
    private static final String LIMIT = "journal-limit";
    private static final int FLAT_WORKERS = 64;

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public String measures() {
        return "claim + finish pairs, durable, with history and outcomes on, against a bare journal";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        int scale = run.shortForm() ? 1 : 4;
        contest(run, new PairLoad(8, 1, 1, 10_000 * scale), OptionalDouble.empty());
        contest(run, new PairLoad(64, 1, 1, 40_000 * scale), OptionalDouble.of(0.6));
        contest(run, new PairLoad(64, 16, 1, 40_000 * scale), OptionalDouble.of(0.35));
        contest(run, new PairLoad(8, 1, 100, 100_000 * scale), OptionalDouble.empty());
        if (!run.shortForm()) {
            contest(run, new PairLoad(8, 16, 1, 10_000 * scale), OptionalDouble.empty());
            contest(run, new PairLoad(64, 1, 100, 100_000 * scale), OptionalDouble.empty());
            contest(run, new PairLoad(64, 16, 100, 100_000 * scale), OptionalDouble.empty());
        }
        flatness(run, run.shortForm() ? 100_000 : 10_000_000);
        run.note(
                "journal-limit is not a queue: it keeps no payload, history, outcomes, retries or listing, and its state is in memory only");
    }

    private static void contest(BenchRun run, PairLoad load, OptionalDouble goal) throws Exception {
        Standings standings = run.run(new Contest(load.text(), "pairs/s")
                .enter(OURS, () -> EmbeddedQueue.measure(run.directory(), load))
                .enter(LIMIT, () -> JournalLimit.measure(run.directory(), load)));
        Row row = standings.row("claim + finish, " + load.text(), OURS, LIMIT);
        run.add(row);
        goal.ifPresent(factor -> run.add(Goal.atLeast(factor, LIMIT, row)));
    }

    /** One queue that is kept small and one that is kept full, measured in turns on the same disk. */
    private static void flatness(BenchRun run, int full) throws Exception {
        int small = 10_000;
        PairLoad load = new PairLoad(FLAT_WORKERS, 1, 1, small);
        run.progress().say("filling a queue with " + full + " items");
        try (EmbeddedQueue few = new EmbeddedQueue(run.directory().resolve("few"));
                EmbeddedQueue many = new EmbeddedQueue(run.directory().resolve("many"))) {
            many.fill(1, full);
            String peer = small + " items";
            String name = full + " items";
            Standings standings = run.run(new Contest("pairs with " + name + " in the queue", "pairs/s")
                    .enter(peer, () -> refilled(few, load))
                    .enter(name, () -> refilled(many, load)));
            Row row = standings.row("claim + finish with " + name + " in the queue", name, peer);
            run.add(row);
            run.add(Goal.atLeast(1 / 1.2, peer, row));
            run.note("heap in use with " + full + " items in the queue: " + heapMegabytes() + " MB");
        }
    }

    private static double refilled(EmbeddedQueue queue, PairLoad load) throws Exception {
        queue.fill(1, load.items());
        return load.run(queue);
    }

    private static long heapMegabytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }
}

package io.entrepot.bench.queue;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Standings;

/** The upper bound by itself; the queue's own bench measures it again beside the queue. */
public final class JournalBench implements Bench {

    private static final String LIMIT = "journal-limit";

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public String measures() {
        return "the upper bound for a durable queue: claim and finish on a bare journal with group commit";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        int scale = run.shortForm() ? 1 : 4;
        measure(run, new JournalLoad(8, 1, 1, 5_000 * scale));
        measure(run, new JournalLoad(64, 1, 1, 25_000 * scale));
        measure(run, new JournalLoad(64, 16, 1, 25_000 * scale));
        measure(run, new JournalLoad(64, 1, 100, 250_000 * scale));
    }

    private static void measure(BenchRun run, JournalLoad load) throws Exception {
        Standings standings = run.run(new Contest(load.text(), "pairs/s")
                .enter(LIMIT, () -> JournalLimit.measure(run.directory(), load)));
        run.add(standings.row("claim + finish, " + load.text(), LIMIT));
    }
}

package io.entrepot.bench.disk;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Standings;

/** The physical limits: small durable appends, and files that are created durably. */
public final class DiskBench implements Bench {

    private static final int[] THREADS = {1, 8, 64};

    @Override
    public String name() {
        return "disk";
    }

    @Override
    public String measures() {
        return "what the disk can do: appends with fdatasync, files created, synced and renamed";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        long nanos = run.shortForm() ? 300_000_000L : 1_000_000_000L;
        for (int threads : THREADS) {
            String crowd = threads == 1 ? "1 thread" : threads + " threads";
            Standings standings = run.run(new Contest(crowd, "ops/s")
                    .enter("append", () -> Load.run(run.directory(), threads, nanos, Appender::new))
                    .enter("create", () -> Load.run(run.directory(), threads, nanos, Creator::new)));
            run.add(standings.row("append 300 B + fdatasync, " + crowd, "append"));
            run.add(standings.row("create 4 KiB + fsync + rename + fsync(dir), " + crowd, "create"));
        }
    }
}

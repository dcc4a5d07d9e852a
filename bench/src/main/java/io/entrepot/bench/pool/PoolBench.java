package io.entrepot.bench.pool;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.NewFile;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** The whole way of a file, written, claimed, read and completed, with few files waiting beside it and with many. */
public final class PoolBench implements Bench {
    private static final int WORKERS = 64;
    private static final int SIZE = 4096;

    @Override
    public String name() {
        return "pool";
    }

    @Override
    public String measures() {
        return "files of 4 KiB written, claimed, read and completed by 64 workers, beside 10 thousand and 10 million that wait";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        int few = 10_000;
        int many = run.shortForm() ? 100_000 : 10_000_000;
        int files = run.shortForm() ? 2_000 : 10_000;
        String name = "write, claim, read, complete beside " + many + " files";
        if (!run.wants(name)) {
            return;
        }
        byte[] content = new byte[SIZE];
        new Random(1).nextBytes(content);
        try (BenchPool small = filled(run, few); BenchPool large = filled(run, many)) {
            Row row = run.run(new Contest("whole way", "files/s")
                    .enter(few + " files", () -> wholeWay(small, files, content))
                    .enter(many + " files", () -> wholeWay(large, files, content)))
                    .row(name, many + " files", few + " files");
            run.add(row);
            run.add(Goal.atLeast(1 / 1.2, few + " files", row));
        }
        run.note("the files that wait have rows and queue items and no bytes; the syncs of the volume are counted");
    }

    private static BenchPool filled(BenchRun run, int files) throws Exception {
        run.progress().say("filling a pool with " + files + " files");
        Path directory = Files.createTempDirectory(run.directory(), "pool");
        BenchPool.over(directory).pool().close();
        WaitingFiles.put(directory, BenchPool.TENANT, files);
        return BenchPool.over(directory);
    }

    private static double wholeWay(BenchPool pool, int files, byte[] content) throws Exception {
        return Crew.run(WORKERS, files, (worker, _) -> {
            pool.pool().files().write(BenchPool.TENANT, NewFile.named("file.dat"), content);
            ClaimedFile claimed = claimed(pool, "worker-" + worker);
            try (FileContent open = pool.pool().files().open(BenchPool.TENANT, claimed.key());
                    InputStream in = open.verifiedStream()) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            pool.pool().work().complete(claimed.lease());
        }, pool.pool().volumes()::sync);
    }

    /**
     * One with bytes. At a moment when all of those are somebody's, or kept for a worker who is about to ask, one that waits behind them is handed
     * out; it goes back.
     */
    private static ClaimedFile claimed(BenchPool pool, String worker) throws InterruptedException {
        ClaimOrder order = ClaimOrder.of(BenchPool.TENANT, worker).waiting(Duration.ofMinutes(1));
        while (true) {
            ClaimedFile claimed = pool.pool().work().claim(order).getFirst();
            if (!claimed.file().name().equals(Optional.of(WaitingFiles.NAME))) {
                return claimed;
            }
            pool.pool().work().release(claimed.lease());
        }
    }
}

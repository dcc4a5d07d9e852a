package io.entrepot.bench.pool;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.lab.Command;
import io.entrepot.pool.FileKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Durable small files, the whole way into the pool, against a careful program and against files that are not synced at all. */
public final class WriteBench implements Bench {
    private static final String OURS = "entrepot";
    private static final byte[] CONTENT = new byte[4096];
    private static final int WARM_UP = 48_000;
    private static final int MANY = 64;

    static {
        new Random(1).nextBytes(CONTENT);
    }

    private record Case(int writers, int files, double goal) {}

    @Override
    public String name() {
        return "write";
    }

    @Override
    public String measures() {
        return "durable writes of 4 KiB by 1, 8 and 64 writers, against write + fsync + rename + fsync of the directory, and no sync";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        int share = run.shortForm() ? 4 : 1;
        try (BenchPool pool = BenchPool.open(run.directory());
                Careful careful = Careful.open(run.directory());
                Careful rows = Careful.open(run.directory())) {
            Trials trials = new Trials(run.directory(), pool, careful, rows);
            settle(run, trials, WARM_UP / share);
            for (Case one : new Case[]{new Case(1, 1_600, 3), new Case(8, 8_000, 3), new Case(64, 24_000, 1.7)}) {
                String name = "write 4 KiB, " + one.writers + (one.writers == 1 ? " writer" : " writers");
                if (run.wants(name)) {
                    int files = one.files / share;
                    Row row = run.run(new Contest(name, "files/s")
                            .enter(OURS, () -> trials.ours(one.writers, files))
                            .enter("careful", () -> trials.careful(one.writers, files))
                            .enter("row-only", () -> trials.rows(one.writers, files))
                            .enter("no-sync", () -> trials.unsynced(one.writers, files)))
                            .row(name, OURS, "careful", "row-only", "no-sync");
                    run.add(row);
                    run.add(Goal.atLeast(one.goal, "careful", row));
                }
            }
        }
        run.note(
                "entrepot: checksum, quota, row, queue item, description and event, durable when told; the syncs of the volume"
                        + " that follow are counted, until nothing is left to do");
        run.note(
                "careful: write, fsync, rename, fsync of the directory, then a row in the same kind of store; no checksum,"
                        + " no quota");
        run.note(
                "row-only: careful's row without the file: the limit of whoever commits a row to that store for each file");
        run.note("no-sync: create and rename only, nothing is durable");
        run.note(
                "all of them have been in use before: their logs have their length, and Java has compiled what they do");
    }

    /** Measured is what has been running for a while, not how a program and its files come into being. */
    private static void settle(BenchRun run, Trials trials, int files) throws Exception {
        for (int round = 1; round <= 2; round++) {
            run.progress().tick("warming up");
            trials.ours(MANY, files);
            trials.careful(MANY, files);
            trials.rows(MANY, files);
        }
    }

    /** Files that were written go again before the next one is measured: a disk that fills up becomes slower for everybody. */
    private record Trials(Path directory, BenchPool pool, Careful careful, Careful rows) {

        double ours(int writers, int files) throws Exception {
            Queue<FileKey> written = new ConcurrentLinkedQueue<>();
            double figure = Crew.run(writers, files, (_, _) -> written.add(pool.write(CONTENT)), this::sync);
            Crew.run(MANY, files, (_, _) -> pool.pool().files().delete(BenchPool.TENANT, written.remove(),
                    "measured"), this::sync);
            return figure;
        }

        private void sync() throws Exception {
            pool.pool().volumes().sync();
        }

        double careful(int writers, int files) throws Exception {
            return withoutFiles(Crew.run(writers, files, (_, _) -> careful.write(CONTENT), () -> {}), careful.files());
        }

        double rows(int writers, int files) throws Exception {
            return Crew.run(writers, files, (_, _) -> rows.writeRow(), () -> {});
        }

        double unsynced(int writers, int files) throws Exception {
            Path names = Files.createTempDirectory(directory, "unsynced");
            return withoutFiles(Crew.run(writers, files,
                    (_, turn) -> Careful.create(Careful.place(names, turn), CONTENT, false), () -> {}), names);
        }

        private double withoutFiles(double figure, Path files) throws Exception {
            BenchPool.delete(files);
            Command.check(directory, List.of("sync", "-f", ".")); // or whoever is next has it to do
            return figure;
        }
    }
}

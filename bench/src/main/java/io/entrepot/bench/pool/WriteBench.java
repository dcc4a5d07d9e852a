package io.entrepot.bench.pool;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Durable small files, the whole way into the pool, against a careful program and against files that are not synced at all. */
public final class WriteBench implements Bench {
    private static final String OURS = "entrepot";
    private static final int SIZE = 4096;

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
        byte[] content = new byte[SIZE];
        new Random(1).nextBytes(content);
        int share = run.shortForm() ? 4 : 1;
        for (Case one : new Case[]{new Case(1, 1_600, 3), new Case(8, 8_000, 3), new Case(64, 24_000, 1.7)}) {
            String name = "write 4 KiB, " + one.writers + (one.writers == 1 ? " writer" : " writers");
            if (run.wants(name)) {
                int files = one.files / share;
                Row row = run.run(new Contest(name, "files/s")
                        .enter(OURS, () -> ours(run.directory(), one.writers, files, content))
                        .enter("careful", () -> careful(run.directory(), one.writers, files, content))
                        .enter("row-only", () -> rows(run.directory(), one.writers, files))
                        .enter("no-sync", () -> unsynced(run.directory(), one.writers, files, content)))
                        .row(name, OURS, "careful", "row-only", "no-sync");
                run.add(row);
                run.add(Goal.atLeast(one.goal, "careful", row));
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
    }

    private static double ours(Path parent, int writers, int files, byte[] content) throws Exception {
        try (BenchPool pool = BenchPool.open(parent)) {
            return Crew.run(writers, files, (_, _) -> pool.write(content), pool.pool().volumes()::sync);
        }
    }

    private static double careful(Path parent, int writers, int files, byte[] content) throws Exception {
        try (Careful careful = Careful.open(parent)) {
            return Crew.run(writers, files, (_, turn) -> careful.write(turn, content), () -> {});
        }
    }

    private static double rows(Path parent, int writers, int files) throws Exception {
        try (Careful careful = Careful.open(parent)) {
            return Crew.run(writers, files, (_, turn) -> careful.writeRow(turn), () -> {});
        }
    }

    private static double unsynced(Path parent, int writers, int files, byte[] content) throws Exception {
        Path directory = Files.createTempDirectory(parent, "unsynced");
        try {
            return Crew.run(writers, files,
                    (_, turn) -> Careful.create(Careful.place(directory, turn), content, false), () -> {});
        } finally {
            BenchPool.delete(directory);
        }
    }
}

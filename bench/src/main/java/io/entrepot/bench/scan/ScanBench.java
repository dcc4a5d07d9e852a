package io.entrepot.bench.scan;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.bench.Standings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A tree gone through with sizes and times, warm, beside other programs; then again when nothing has changed. */
public final class ScanBench implements Bench {
    private static final String OURS = "entrepot";
    private static final String STATX = "c-statx";
    private static final int THREADS = 2;

    @Override
    public String name() {
        return "scan";
    }

    @Override
    public String measures() {
        return "files seen with size and time, by 2 threads, against find, a C program and java.nio; and once more, unchanged";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        FileTree tree = FileTree.make(run, run.shortForm() ? 2_000 : 20_000);
        OurScan ours = new OurScan(tree, THREADS);
        String size = tree.files() + " files in " + tree.directories() + " directories";
        if (run.wants("scan, " + size)) {
            full(run, tree, ours, "scan, " + size);
        }
        if (run.wants("scan again, " + size)) {
            again(run, ours, "scan again, " + size);
        }
    }

    private static void full(BenchRun run, FileTree tree, OurScan ours, String caseName) throws Exception {
        Contest contest = new Contest("scan", "files/s").enter(OURS, () -> tree.files() / ours.full());
        List<String> rivals = new ArrayList<>();
        if (Rival.isThere("find", "--version")) {
            Rival find = Rival.find(tree);
            contest.enter(find.name(), () -> tree.files() / find.measure());
            rivals.add(find.name());
            run.note("find: one find -printf with size, time and path, into /dev/null");
        } else {
            run.note("find skipped: no GNU find here");
        }
        try {
            Rival statx = Rival.statx(tree, run.directory(), THREADS);
            contest.enter(STATX, () -> tree.files() / statx.measureByItself(tree.files()));
            rivals.add(STATX);
            run.note("c-statx: getdents64 and statx in C, 2 threads; keeps nothing of what it sees");
        } catch (IOException e) {
            run.note(STATX + " skipped: it could not be compiled ("
                    + ("" + e.getMessage()).lines().findFirst().orElse("")
                    + ")");
        }
        contest.enter("nio", () -> tree.files() / NioScan.measure(tree, THREADS));
        rivals.add("nio");
        run.note("nio: Files.walkFileTree on the branches, 2 threads");
        if (!Rival.isThere("watchman", "--version")) {
            run.note("watchman skipped: not installed");
        } else {
            run.note("watchman skipped: it is here, but how to measure it has not been tried");
        }
        Row row = run.run(contest).row(caseName, OURS, rivals.toArray(String[]::new));
        run.add(row);
        if (rivals.contains("find")) {
            run.add(Goal.atLeast(2, "find", row));
        }
        if (rivals.contains(STATX)) {
            run.add(Goal.atLeast(0.85, STATX, row));
        }
    }

    private static void again(BenchRun run, OurScan ours, String caseName) throws Exception {
        run.progress().say("waiting until the tree is old enough to be trusted");
        while (!ours.remember()) {
            Thread.sleep(200);
        }
        Standings standings = run.run(new Contest("scan again", "ms").enter("again", () -> 1e3 * ours.again())
                .enter("full", () -> 1e3 * ours.full()));
        Row row = standings.row(caseName, "again", "full");
        run.add(row);
        run.add(Goal.atMost(0.15, "full", row));
        run.note("scan again: " + ours.stats() + " entries looked at in " + ours.passes() + " passes, " + ours.shares()
                + " of them in directories whose turn it was (1 of " + OurScan.TURNS + ")");
        run.add(new Goal(caseName + ": entries looked at beyond those whose turn it was", ours.stats() == ours.shares(),
                ours.stats() - ours.shares()));
    }
}

package io.entrepot.bench.scan;

import io.entrepot.bench.Bench;
import io.entrepot.bench.BenchRun;
import io.entrepot.bench.Contest;
import io.entrepot.bench.Goal;
import io.entrepot.bench.Row;
import io.entrepot.bench.Standings;
import io.entrepot.bench.peers.PeerCache;
import io.entrepot.bench.peers.Program;
import io.entrepot.bench.peers.Programs;
import io.entrepot.posix.FileCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A tree gone through with sizes and times, warm, beside other programs; then again when nothing has changed; and one that is
 * watched while it grows.
 */
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
        return "files seen with size and time, by 2 threads, against find, a C program, java.nio and watchman; once more, unchanged; and watched while files are made";
    }

    @Override
    public void run(BenchRun run) throws Exception {
        int directories = run.shortForm() ? 2_000 : 20_000;
        String size = FileTree.filesIn(directories) + " files in " + directories + " directories";
        boolean once = run.wants("scan, " + size);
        boolean again = run.wants("scan again, " + size);
        if (once || again) {
            FileTree tree = FileTree.make(run, directories);
            OurScan ours = new OurScan(tree, THREADS);
            if (once) {
                full(run, tree, ours, "scan, " + size);
            }
            if (again) {
                again(run, ours, "scan again, " + size);
            }
        }
        int files = run.shortForm() ? 20_000 : 200_000;
        String watch = "watch, " + files + " files made at full speed";
        if (run.wants(watch)) {
            watch(run, files, watch);
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
        enterWatchman(run, tree, contest, rivals);
        Row row = run.run(contest).row(caseName, OURS, rivals.toArray(String[]::new));
        run.add(row);
        if (rivals.contains("find")) {
            run.add(Goal.atLeast(2, "find", row));
        }
        if (rivals.contains(STATX)) {
            run.add(Goal.atLeast(0.85, STATX, row));
        }
    }

    /** A server for each measurement: nothing that it watches or remembers is there while others are measured. */
    private static void enterWatchman(BenchRun run, FileTree tree, Contest contest, List<String> rivals)
            throws Exception {
        try {
            Optional<String> obstacle = Watchman.obstacle(tree.directories());
            if (obstacle.isPresent()) {
                throw new IOException(obstacle.get());
            }
            Program program = watchman(run);
            try (Watchman watchman = Watchman.start(run.directory(), program)) {
                watchman.watch(tree.root());
                long files = watchman.files(tree.root());
                if (files != tree.files()) {
                    throw new IOException("it saw " + files + " files of " + tree.files());
                }
            }
            contest.enter(Watchman.NAME, () -> {
                try (Watchman watchman = Watchman.start(run.directory(), program)) {
                    return tree.files() / watchman.watch(tree.root());
                }
            });
            rivals.add(Watchman.NAME);
            run.note(
                    "watchman: its first crawl; it also watches each directory by inotify and keeps the tree in memory,"
                            + " which ours does not here");
        } catch (IOException e) {
            run.note(Watchman.NAME + " skipped: " + ("" + e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    private static Program watchman(BenchRun run) throws IOException {
        if (run.shortForm()) {
            return Programs.installedWatchman()
                    .orElseThrow(() -> new IOException("not installed, and the short form downloads nothing"));
        }
        run.progress().say("looking for watchman");
        return new Programs(PeerCache.ofUser()).watchman();
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

    private static void watch(BenchRun run, int files, String caseName) throws Exception {
        if (FileCalls.system().notification().isEmpty()) {
            run.note("watch skipped: there is no inotify on this system");
            return;
        }
        WatchTrial trial = new WatchTrial(Tmpfs.make(run, "watched tree"), THREADS, files);
        run.add(run.run(new Contest("watch", "files/s").enter(OURS, trial::measure)).row(caseName, OURS));
        run.add(new Goal(caseName + ": files that nobody was told of", trial.missing() == 0, trial.missing()));
        run.note(String.format(Locale.ROOT,
                "watch: %d times, made by %d threads at %,.0f files/s at most; last fact %d ms after the last file at most;"
                        + " %d overflows, %d rescans asked for",
                trial.trials(), THREADS, trial.fastestMaking(), Math.max(0, trial.longestDelayNanos() / 1_000_000),
                trial.overflows(), trial.rescans()));
    }
}

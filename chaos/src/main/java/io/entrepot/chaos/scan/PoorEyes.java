package io.entrepot.chaos.scan;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.FaultyCalls;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.scan.DirectoryTimes;
import io.entrepot.scan.Fact;
import io.entrepot.scan.HotWatchSet;
import io.entrepot.scan.HotWatches;
import io.entrepot.scan.Mirror;
import io.entrepot.scan.Problem;
import io.entrepot.scan.Scan;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.Visit;
import io.entrepot.scan.WatchReport;
import io.entrepot.scan.Watcher;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Trees of which not everything can be seen at once: too few watches, directories that may not be read, or that hang. */
final class PoorEyes {
    private static final int DIRECTORIES = 1000;
    private static final int WATCHES = 10;
    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final ChaosRun run;
    private final FileCalls calls = FileCalls.system();
    private final BootClock clock = BootClock.system();

    PoorEyes(ChaosRun run) {
        this.run = run;
    }

    /** A thousand directories, ten watches: what watches and scans see together is the tree. */
    void fewWatches(BytePath inside, BytePath outside, List<ChildJvm> children, int rounds) throws Exception {
        try (Directory root = calls.openDirectory(inside)) {
            for (int i = 0; i < DIRECTORIES; i++) {
                root.makeDirectory(Name.of("d" + i));
            }
        }
        Random random = run.random(31);
        Answers answers = new Answers(children);
        HotWatchSet.Settings restless = new HotWatchSet.Settings(Duration.ZERO, Duration.ZERO);
        Scanner scanner = new Scanner(calls, clock);
        try (Mirror mirror = new Mirror(calls, clock, inside);
                HotWatches hot = HotWatches.open(calls, clock, InstantSource.system(), inside,
                        Watcher.Settings.ofNamed().withLimit(WATCHES), restless, mirror)) {
            for (int round = 0; round < rounds; round++) {
                for (ChildJvm child : children) {
                    child.send("storm " + inside + " " + outside + " " + random.nextLong() + " 20 false");
                }
                answers.await();
                Collection<DirectoryTimes> times = new ConcurrentLinkedQueue<>();
                scanner.scan(ScanRequest.of(inside).withThreads(1), visit -> {
                    if (visit instanceof Visit.Listed listed) {
                        times.add(DirectoryTimes.of(listed.listing()));
                        mirror.accept(new Fact.Listed(listed.listing()));
                    }
                });
                WatchReport report = hot.adapt(times);
                hot.watcher().flush();
                int watched = hot.watcher().watched().size();
                run.check(watched <= WATCHES && report.notWatched() > 0,
                        () -> watched + " watches where " + WATCHES + " are allowed; " + report);
                run.checked(mirror.size(),
                        mirror.differences(5).stream().map(one -> "with few watches: " + one).toList());
                run.round();
            }
        }
    }

    /** One directory that may not be read, one that hangs: everything else is seen, and these are named. */
    void blindSpots(BytePath inside, int rounds) throws Exception {
        Random random = run.random(37);
        try (Directory root = calls.openDirectory(inside)) {
            for (int i = 0; i < WATCHES; i++) {
                Name name = Name.of("d" + i);
                root.makeDirectory(name);
                try (Directory below = root.open(name)) {
                    below.create(Name.of("file")).close();
                }
            }
        }
        for (int round = 0; round < rounds; round++) {
            FaultyCalls faulty = new FaultyCalls();
            BytePath hangs = inside.resolve(Name.of("d" + random.nextInt(WATCHES / 2)));
            BytePath forbidden = inside.resolve(Name.of("d" + (WATCHES / 2 + random.nextInt(WATCHES / 2))));
            CountDownLatch latch = faulty.hang(hangs);
            faulty.failToOpen(forbidden, Errno.EACCES);
            try {
                ScanReport report = scan(faulty, inside);
                run.check(!report.isWhole() && report.counts().files() == WATCHES - 2,
                        () -> "a hanging and a forbidden directory cost more than themselves: " + report);
                run.check(isNamed(report, hangs, Problem.Kind.HANGING),
                        () -> hangs + " hangs and is not named: " + report);
                run.check(isNamed(report, forbidden, Problem.Kind.UNREADABLE),
                        () -> forbidden + " cannot be read and is not named: " + report);
            } finally {
                latch.countDown();
            }
            run.round();
        }
    }

    private ScanReport scan(FileCalls faulty, BytePath inside) throws IOException, InterruptedException {
        try (Scan scan = new Scanner(faulty, clock).start(ScanRequest.of(inside).withPatience(PATIENCE), _ -> {})) {
            return scan.await();
        }
    }

    private static boolean isNamed(ScanReport report, BytePath path, Problem.Kind kind) {
        return report.problems().stream().anyMatch(problem -> problem.path().equals(path) && problem.kind() == kind);
    }
}

package io.entrepot.chaos.scan;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.ChildJvm;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.scan.Mirror;
import io.entrepot.scan.Watcher;
import java.util.List;
import java.util.Random;

/**
 * A tree that other processes change at full speed while it is watched. Whenever it is quiet, a picture drawn from nothing but
 * the facts must be the tree.
 */
final class WatchRounds {
    private static final int SHOWN = 5;

    private final ChaosRun run;
    private final FileCalls calls = FileCalls.system();
    private final BootClock clock = BootClock.system();

    WatchRounds(ChaosRun run) {
        this.run = run;
    }

    /** Storms in one tree, round after round; each round begins with the tree that the one before has left. */
    void run(BytePath inside, BytePath outside, List<ChildJvm> children, int rounds) throws Exception {
        Random random = run.random(17);
        Answers answers = new Answers(children);
        long changes = 0;
        try (Mirror mirror = new Mirror(calls, clock, inside);
                Watcher watcher = Watcher.open(calls, clock, inside, Watcher.Settings.ofWholeTree(), mirror)) {
            for (int round = 0; round < rounds; round++) {
                boolean links = random.nextBoolean();
                for (ChildJvm child : children) {
                    child.send("storm " + inside + " " + outside + " " + random.nextLong() + " "
                            + (5 + random.nextInt(run.shortForm() ? 60 : 300)) + " " + links);
                }
                changes += answers.await();
                watcher.flush();
                mirror.settle();
                int number = round;
                List<String> differences = mirror.differences(SHOWN);
                run.checked(mirror.size() + 1, differences.stream()
                        .map(one -> "watched, round " + number + " (seed " + run.seed() + "): " + one).toList());
                run.check(watcher.status().failure().isEmpty(), () -> "the watcher ended: " + watcher.status());
                run.round();
            }
            run.note("%d rounds in a watched tree: %d changes, %d facts, %d rescans, %d overflows".formatted(rounds,
                    changes, watcher.status().facts(), mirror.rescans(), watcher.status().overflows()));
        }
    }

    /** So many files made at once: none is missing. */
    void burst(BytePath inside, ChildJvm child, int count) throws Exception {
        Answers answers = new Answers(List.of(child));
        try (Mirror mirror = new Mirror(calls, clock, inside);
                Watcher watcher = Watcher.open(calls, clock, inside, Watcher.Settings.ofWholeTree(), mirror)) {
            watcher.flush();
            long begin = clock.nanos();
            child.send("burst " + inside + " " + count);
            answers.await();
            long made = clock.nanos();
            watcher.flush();
            long seen = clock.nanos();
            List<String> differences = mirror.differences(SHOWN);
            run.checked(count, differences.stream().map(one -> "after a burst: " + one).toList());
            run.note("%d files made in %d ms, all seen %d ms later; %d rescans, %d overflows".formatted(count,
                    (made - begin) / 1_000_000, (seen - made) / 1_000_000, mirror.rescans(),
                    watcher.status().overflows()));
            run.round();
        }
    }
}

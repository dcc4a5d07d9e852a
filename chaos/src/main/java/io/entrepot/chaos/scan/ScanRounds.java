package io.entrepot.chaos.scan;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.ChildJvm;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileCalls;
import io.entrepot.scan.Incremental;
import io.entrepot.scan.Rotation;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.StorageClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/**
 * A tree that other processes change at full speed while it is scanned again and again, each time only what has changed since.
 * Whenever it is quiet, the next such scan must lead to the same picture as a scan that knows nothing.
 */
final class ScanRounds {
    /** More than a tick of the kernel's clock, and far less than a round. */
    private static final Duration MARGIN = Duration.ofMillis(20);
    private static final int SHOWN = 3;

    private final ChaosRun run;
    private final BootClock clock = BootClock.system();
    private final Scanner scanner = new Scanner(FileCalls.system(), clock);
    private final StorageClock storage = StorageClock.local(clock, InstantSource.system());

    ScanRounds(ChaosRun run) {
        this.run = run;
    }

    void run(BytePath inside, BytePath outside, List<ChildJvm> children, int rounds) throws Exception {
        Random random = run.random(23);
        Answers answers = new Answers(children);
        Picture picture = new Picture(storage);
        Rotation rotation = new Rotation(0, 1_000_000);
        long silent = 0;
        long scans = 0;
        for (int round = 0; round < rounds; round++) {
            boolean links = random.nextBoolean();
            for (ChildJvm child : children) {
                child.send("storm " + inside + " " + outside + " " + random.nextLong() + " "
                        + (5 + random.nextInt(run.shortForm() ? 60 : 300)) + " " + links);
            }
            for (int during = random.nextInt(4); during >= 0; during--) {
                scan(inside, picture, rotation);
                scans++;
            }
            answers.await();
            ScanReport report = scan(inside, picture, rotation);
            silent += report.counts().silent();
            Picture real = new Picture(storage);
            scanner.scan(ScanRequest.of(inside), real);
            real.ended();
            int number = round;
            run.check(report.isWhole(), () -> "a scan of a quiet tree is not whole: " + report);
            run.checked(real.size() + 1, picture.differences(real).stream().limit(SHOWN)
                    .map(one -> "scanned, round " + number + " (seed " + run.seed() + "): " + one).toList());
            run.round();
        }
        run.note("%d rounds in a scanned tree: %d scans during storms; %d directories were silent afterwards"
                .formatted(rounds, scans, silent));
    }

    private ScanReport scan(BytePath inside, Picture picture, Rotation rotation) throws Exception {
        ScanReport report = scanner.scan(
                ScanRequest.of(inside).withIncremental(new Incremental(picture, rotation, MARGIN)), picture);
        picture.ended();
        return report;
    }
}

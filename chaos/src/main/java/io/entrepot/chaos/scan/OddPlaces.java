package io.entrepot.chaos.scan;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.posix.BootClock;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import io.entrepot.posix.FileCalls;
import io.entrepot.posix.Name;
import io.entrepot.scan.Mirror;
import io.entrepot.scan.ScanReport;
import io.entrepot.scan.ScanRequest;
import io.entrepot.scan.Scanner;
import io.entrepot.scan.Watcher;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Trees that few programs are made for: very deep, very wide, with names that are no text. */
final class OddPlaces {
    private static final int DEPTH = 300;
    private static final int WIDTH = 100_000;
    private static final Name LONG = Name.of("n".repeat(255));

    private final ChaosRun run;
    private final FileCalls calls = FileCalls.system();
    private final BootClock clock = BootClock.system();

    OddPlaces(ChaosRun run) {
        this.run = run;
    }

    void run(BytePath place) throws Exception {
        try (Mirror mirror = new Mirror(calls, clock, place);
                Watcher watcher = Watcher.open(calls, clock, place, Watcher.Settings.ofWholeTree(), mirror)) {
            deep(place);
            wide(place);
            unspeakable(place);
            watcher.flush();
            run.checked(mirror.size(), mirror.differences(5).stream().map(one -> "odd places: " + one).toList());
        }
        ScanReport report = new Scanner(calls, clock).scan(ScanRequest.of(place), _ -> {});
        long directories = 1 + DEPTH + 1 + 1;
        run.check(report.isWhole(), () -> "odd places are not scanned whole: " + report);
        run.check(report.counts().directories() == directories, () -> "odd places have " + directories
                + " directories, scanned were " + report.counts());
        run.check(report.counts().files() == WIDTH + 254, () -> "odd places have " + (WIDTH + 254)
                + " files, scanned were " + report.counts());
        run.round();
        removeDeep(place);
    }

    /** Far beyond the longest path that the kernel takes at once. */
    private void deep(BytePath place) throws IOException {
        Directory at = calls.openDirectory(place);
        for (int i = 0; i < DEPTH; i++) {
            at.makeDirectory(LONG);
            Directory below = at.open(LONG);
            at.close();
            at = below;
        }
        at.close();
    }

    /** java.nio could not. */
    private void removeDeep(BytePath place) throws IOException {
        Deque<Directory> open = new ArrayDeque<>(List.of(calls.openDirectory(place)));
        for (int i = 0; i < DEPTH; i++) {
            open.push(open.element().open(LONG));
        }
        while (open.size() > 1) {
            open.pop().close();
            open.element().removeDirectory(LONG);
        }
        open.pop().close();
    }

    private void wide(BytePath place) throws IOException {
        try (Directory here = calls.openDirectory(place)) {
            here.makeDirectory(Name.of("wide"));
            try (Directory wide = here.open(Name.of("wide"))) {
                for (int i = 0; i < WIDTH; i++) {
                    wide.create(Name.of(Integer.toString(i))).close();
                }
            }
        }
    }

    /** Every byte that can be a name of its own: all but the slash, and the dot. */
    private void unspeakable(BytePath place) throws IOException {
        try (Directory here = calls.openDirectory(place)) {
            here.makeDirectory(Name.of("bytes"));
            try (Directory bytes = here.open(Name.of("bytes"))) {
                for (int b = 1; b < 256; b++) {
                    if (b != '/') {
                        bytes.create(Name.of(b == '.' ? new byte[]{'.', '.', '.'} : new byte[]{(byte) b})).close();
                    }
                }
            }
        }
    }
}

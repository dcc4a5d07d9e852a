package io.entrepot.chaos.scan;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDirectory;
import io.entrepot.posix.BytePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Everything that those who look at directories must survive. */
public final class ScanChaos implements Chaos {
    private static final int CHILDREN = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "scan";
    }

    @Override
    public String what() {
        return "trees that other processes change at full speed while they are scanned and watched";
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < CHILDREN; i++) {
                children.add(ChildJvm.start(ChildSpec.of(StormChild.class)));
            }
            for (ChildJvm child : children) {
                child.awaitReady(PATIENCE);
            }
            run(run, children);
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    private static void run(ChaosRun run, List<ChildJvm> children) throws Exception {
        long descriptors = descriptors();
        try (LabDirectory directory = LabDirectory.create(DiskOptions.memory())) {
            run.progress().say("storms in a watched tree");
            WatchRounds watched = new WatchRounds(run);
            watched.run(made(directory, "watched"), made(directory, "not-watched"), children, run.rounds(120, 2_000));
            run.progress().say("storms in a scanned tree");
            new ScanRounds(run).run(made(directory, "scanned"), made(directory, "not-scanned"), children,
                    run.rounds(120, 2_000));
            run.progress().say("a burst of new files");
            watched.burst(made(directory, "burst"), children.getFirst(), 200_000);
            run.progress().say("few watches, and directories that cannot be seen");
            PoorEyes poor = new PoorEyes(run);
            poor.fewWatches(made(directory, "few"), made(directory, "not-few"), children, run.shortForm() ? 10 : 100);
            poor.blindSpots(made(directory, "blind"), run.shortForm() ? 5 : 50);
            run.progress().say("odd places");
            new OddPlaces(run).run(made(directory, "odd"));
        }
        long left = descriptors();
        run.check(left <= descriptors,
                () -> "descriptors were left open: " + descriptors + " before, " + left + " now");
    }

    private static BytePath made(LabDirectory place, String name) throws IOException {
        return BytePath.of(Files.createDirectory(place.path().resolve(name)));
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}

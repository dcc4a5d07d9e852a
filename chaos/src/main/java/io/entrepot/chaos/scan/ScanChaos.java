package io.entrepot.chaos.scan;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDirectory;
import io.entrepot.posix.BytePath;
import io.entrepot.scan.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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
        try (LabDirectory directory = LabDirectory.create(DiskOptions.memory())) {
            BytePath place = BytePath.of(directory.path());
            WatchRounds watched = new WatchRounds(run);
            run.progress().say("storms in a watched tree");
            watched.run(place, children, run.rounds(200, 2_000), Watcher.Settings.ofWholeTree());
            run.progress().say("a burst of new files");
            watched.burst(place, children.getFirst(), 200_000);
        }
    }
}

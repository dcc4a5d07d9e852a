package io.entrepot.chaos.queue;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.History;
import io.entrepot.lab.FailingDisk;
import io.entrepot.lab.FullDisk;
import io.entrepot.lab.LabDisk;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Disks that break under a working queue: syncs that fail, space that runs out. Every call is answered with a clear error
 * or with the truth; what was acknowledged is there afterwards, and a failed sync is never taken for a good one.
 */
final class DiskRounds {
    private static final Duration TERM = Duration.ofMillis(40);
    private static final long FULL_DISK_BYTES = 64L << 20;

    private final ChaosRun run;

    DiskRounds(ChaosRun run) {
        this.run = run;
    }

    /** Something that makes a disk fail, or heals it. */
    private interface Change {
        void make() throws IOException;
    }

    void run() throws IOException {
        Optional<String> obstacle = LabDisk.obstacle();
        if (obstacle.isPresent()) {
            run.note("no broken disks: " + obstacle.get());
            return;
        }
        run.progress().say("disks that fail and fill up");
        for (int round = run.shortForm() ? 2 : 20; round > 0; round--) {
            for (FailingDisk.Failure failure : FailingDisk.Failure.values()) {
                try (FailingDisk disk = FailingDisk.create(failure)) {
                    round(disk.root(), Site.CONFIG.withHeadroom(0), disk::startFailing, disk::stopFailing,
                            "failed syncs of " + failure, failure == FailingDisk.Failure.DATA);
                }
            }
            for (long headroom : new long[]{8L << 20, 0}) {
                try (FullDisk disk = FullDisk.create(FULL_DISK_BYTES)) {
                    round(disk.root(), Site.CONFIG.withHeadroom(headroom), () -> disk.fill(headroom / 2), disk::free,
                            "a full disk with " + headroom + " bytes of headroom", true);
                }
            }
        }
    }

    private void round(Path root, StoreConfig config, Change fail, Change heal, String cause, boolean heals)
            throws IOException {
        History history = new History();
        Site site = new Site(root.resolve("data"));
        try (DataDirectory data = DataDirectory.open(site.directory(), config);
                Queues queues = Queues.open(data, config, QueueConfig.DEFAULT.withMaxDeliveries(1_000))) {
            Workload workload = new Workload("before", queues, history.recorder("before"), run.random(7), Site.LANES,
                    TERM, () -> LockSupport.parkNanos(TERM.toNanos()));
            workUntilError(workload, 100);
            fail.make();
            Optional<StoreException> error = workUntilError(
                    new Workload("during", queues, history.recorder("during"), run.random(8), Site.LANES, TERM,
                            () -> {}),
                    100_000);
            run.check(error.isPresent(), () -> "no error was reported for " + cause);
            error.ifPresent(
                    e -> run.check(e.getMessage() != null && !e.getMessage().isBlank() && e.code().startsWith("store."),
                            () -> "an unclear error for " + cause + ": " + e));
            heal.make();
            if (error.isPresent() && error.get().code().equals("store.disk-full")) {
                // Nothing was in doubt: the same store goes on.
                Optional<StoreException> still = workUntilError(new Workload("after", queues, history.recorder("after"),
                        run.random(9), Site.LANES, TERM, () -> {}), 100);
                run.check(still.isEmpty(), () -> "the store did not recover from " + cause + ": " + still);
            }
        }
        if (heals) {
            site.inspect(history, run, cause);
        }
        run.round();
    }

    private static Optional<StoreException> workUntilError(Workload workload, int steps) {
        try {
            for (int number = 0; number < steps; number++) {
                workload.put(number);
                workload.work();
            }
            return Optional.empty();
        } catch (StoreException e) {
            return Optional.of(e);
        }
    }
}

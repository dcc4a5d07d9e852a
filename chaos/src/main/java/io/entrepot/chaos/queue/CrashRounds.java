package io.entrepot.chaos.queue;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.History;
import io.entrepot.lab.AotCache;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.Nursery;
import io.entrepot.lab.PowerCut;
import io.entrepot.store.Faults;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The owning process dies, again and again: killed at a random moment, killed while it stands at a named point of a commit,
 * or the power of its disk is cut. After each death the data is opened and compared with everything that was acknowledged
 * since the directory was new. The next process goes on with the same data.
 */
final class CrashRounds {
    /** After so many deaths a new directory is begun, so that a history stays small enough to be checked each time. */
    private static final int LIVES = 12;
    /** Lines that say that a child is at work; from then on it lives for a random time. */
    private static final int WARM = 30;
    private static final int LONGEST_LIFE_MICROS = 40_000;
    private static final int FURTHEST_COUNT = 30;
    private static final int POINT_PATIENCE_MILLIS = 2_000;

    private static final List<Faults.Point> POINTS = List.of(Faults.Point.values());
    private static final List<Death> KILLS = List.of(Death.KILL, Death.POINT);
    private static final List<Death> ALL = List.of(Death.values());

    private final ChaosRun run;
    private final boolean sync;
    private final Random random;

    private enum Death {
        KILL, POINT, CUT
    }

    /** {@code sync} false is a seeded bug: commits that do not wait for the disk. */
    CrashRounds(ChaosRun run, boolean sync) {
        this.run = run;
        this.sync = sync;
        this.random = run.random(2);
    }

    void run() throws Exception {
        run.progress().say("preparing children");
        ChildSpec spec = AotCache.train(ChildSpec.of(QueueChild.class), List.of("train"));
        int rounds = run.rounds(210, 2_000);
        try (Nursery nursery = Nursery.open(spec, 2)) {
            for (int done = 0; done < rounds; done += LIVES) {
                directory(nursery, Math.min(LIVES, rounds - done), done / LIVES);
            }
        }
    }

    /** One directory from its beginning through its deaths. */
    private void directory(Nursery nursery, int lives, int number) throws Exception {
        LabDisk disk = LabDisk.create(DiskOptions.forCuts());
        boolean canCut = disk.note().isEmpty();
        disk.note().ifPresent(note -> run.note(note + "; no power cuts"));
        History history = new History();
        try {
            for (int life = 0; life < lives; life++) {
                Death death = (canCut ? ALL : KILLS).get(random.nextInt(canCut ? ALL.size() : KILLS.size()));
                disk = life(nursery, disk, history, "d" + number + "." + life, death);
                run.round();
            }
        } finally {
            disk.close();
        }
    }

    /** One life and death; the disk on which the next one goes on. */
    private LabDisk life(Nursery nursery, LabDisk disk, History history, String source, Death death)
            throws IOException, InterruptedException {
        Faults.Point point = POINTS.get(random.nextInt(POINTS.size()));
        int count = 1 + random.nextInt(FURTHEST_COUNT);
        CountDownLatch atPoint = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(WARM);
        LabDisk after = disk;
        Site site = new Site(disk.root().resolve("data"));
        String cause = death == Death.POINT ? "a kill at " + point : death == Death.CUT ? "a power cut" : "a kill";
        try (ChildJvm child = nursery.take()) {
            child.listen(line -> {
                if (line.equals(QueueChild.AT_POINT)) {
                    atPoint.countDown();
                } else {
                    history.addLine(source, line);
                    working.countDown();
                }
            });
            child.send(site.directory() + " " + random.nextLong() + " " + (death == Death.POINT ? point : "none") + " "
                    + count + " " + sync);
            if (death == Death.POINT) {
                atPoint.await(POINT_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            } else if (random.nextInt(8) > 0) { // otherwise it dies while it opens its data
                working.await(POINT_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
            LockSupport.parkNanos(random.nextInt(LONGEST_LIFE_MICROS) * 1_000L);
            if (!child.alive()) {
                run.check(false, () -> "the owning process died by itself before " + cause + child.lastWords());
            }
            if (death == Death.CUT) {
                child.stop();
                after = PowerCut.of(disk);
            }
            child.kill9();
        }
        if (death == Death.CUT) {
            disk.close();
        }
        new Site(after.root().resolve("data")).inspect(history, run, cause);
        return after;
    }
}

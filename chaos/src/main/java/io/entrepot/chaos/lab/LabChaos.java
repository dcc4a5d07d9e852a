package io.entrepot.chaos.lab;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.AotCache;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.LabDisk;
import io.entrepot.lab.Nursery;
import io.entrepot.lab.PowerCut;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The lab against the simplest program there is. If a number that was said after its sync were missing after a kill or a
 * cut, the lab would lie, and nothing that the other scenarios find with it could be believed. It also shows how many
 * rounds a machine can do.
 */
public final class LabChaos implements Chaos {

    private static final int LONGEST_LIFE_MICROS = 20_000;

    @Override
    public String name() {
        return "lab";
    }

    @Override
    public String what() {
        return "kills and power cuts of a program that appends to a file: tests the tests";
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        Random random = run.random(1);
        run.progress().say("preparing");
        ChildSpec spec = AotCache.train(ChildSpec.of(AppendingChild.class), List.of("exit"));
        LabDisk disk = LabDisk.create(DiskOptions.forCuts());
        boolean canCut = disk.note().isEmpty();
        disk.note().ifPresent(note -> run.note(note + "; kills only"));
        Tally kills = new Tally("kill and new child");
        Tally cuts = new Tally("power cut and new child");
        try (Nursery nursery = Nursery.open(spec, 2)) {
            for (int left = run.rounds(300, 2_000); left > 0; left--) {
                boolean cut = canCut && random.nextBoolean();
                long life = random.nextInt(LONGEST_LIFE_MICROS) * 1_000L;
                long begin = System.nanoTime();
                disk = round(nursery, disk, cut, life, run);
                (cut ? cuts : kills).add(System.nanoTime() - begin);
                run.round();
            }
        } finally {
            disk.close();
        }
        run.note(kills.text());
        run.note(cuts.text());
    }

    /** One life and death; the disk on which the next one goes on. */
    private static LabDisk round(Nursery nursery, LabDisk disk, boolean cut, long life, ChaosRun run)
            throws IOException, InterruptedException {
        long first = new NumberFile(disk.root()).check().count() + 1;
        AtomicLong acknowledged = new AtomicLong(first - 1);
        LabDisk after = disk;
        try (ChildJvm child = nursery.take()) {
            child.listen(line -> acknowledged.set(Long.parseLong(line)));
            child.send(new NumberFile(disk.root()).path() + " " + first);
            LockSupport.parkNanos(life);
            if (cut) {
                child.stop();
                after = PowerCut.of(disk);
            }
            child.kill9();
        }
        if (cut) {
            disk.close();
        }
        NumberFile.Contents found = new NumberFile(after.root()).check();
        run.check(found.whole(), () -> "the file is not 1, 2, 3 …: " + found);
        run.check(found.count() >= acknowledged.get(), () -> (cut ? "a power cut" : "a kill") + " lost numbers: "
                + acknowledged.get() + " were acknowledged, " + found.count() + " are there");
        return after;
    }
}

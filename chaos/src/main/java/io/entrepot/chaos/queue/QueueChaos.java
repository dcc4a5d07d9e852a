package io.entrepot.chaos.queue;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;

/** Everything that the queue must survive. */
public final class QueueChaos implements Chaos {

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public String what() {
        return "kills at random and at named points, power cuts, broken disks, 64 late workers, jumping clocks";
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        new CrashRounds(run, true).run();
        new CrowdRound(run, run.shortForm() ? 30_000 : 100_000).run();
        new DiskRounds(run).run();
    }
}

package io.entrepot.chaos.queue;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.StoreKind;
import java.util.EnumSet;
import java.util.Set;

/** Everything that the queue must survive. */
public final class QueueChaos implements Chaos {

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public String what() {
        return "kills at random and at named points, power cuts, broken disks, 64 late workers, jumping clocks;"
                + " on postgres several processes, the database and its connections";
    }

    @Override
    public Set<StoreKind> stores() {
        return EnumSet.allOf(StoreKind.class);
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        if (run.store() == StoreKind.POSTGRES) {
            new PostgresRounds(run).run();
            return;
        }
        new CrashRounds(run, true).run();
        new CrowdRound(run, run.shortForm() ? 15_000 : 100_000).run();
        new DiskRounds(run).run();
    }
}

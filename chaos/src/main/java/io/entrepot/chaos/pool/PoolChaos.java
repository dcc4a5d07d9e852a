package io.entrepot.chaos.pool;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;

/** Everything that the pool must survive. */
public final class PoolChaos implements Chaos {

    @Override
    public String name() {
        return "pool";
    }

    @Override
    public String what() {
        return "kills at random and at named points, power cuts, disks that are full, read-only, gone or failing,"
                + " hostile names";
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        new NameRounds(run).run();
        new DiskRounds(run).run();
        new CrashRounds(run, Bug.NONE, CrashRounds.Death.values()).run();
    }
}

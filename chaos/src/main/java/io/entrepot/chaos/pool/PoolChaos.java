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
        return "kills and power cuts at random and at named points, disks that are full, read-only, gone or failing,"
                + " orphan scans among writers, slow copies, hostile names";
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        new NameRounds(run).run();
        new SlowRounds(run, SlowRounds.AGE).run();
        new OrphanRounds(run, Bug.NONE).run();
        new DiskRounds(run).run();
        new CrashRounds(run, Bug.NONE, CrashRounds.Death.values()).run();
    }
}

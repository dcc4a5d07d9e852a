package io.entrepot.chaos.server;

import io.entrepot.chaos.Chaos;
import io.entrepot.chaos.ChaosRun;

/** Everything that the server must survive. */
public final class ServerChaos implements Chaos {

    @Override
    public String name() {
        return "server";
    }

    @Override
    public String what() {
        return "a server killed under 64 clients, which go on by themselves; requests that are none, wrong, slow, cut off or"
                + " too large; a full disk";
    }

    @Override
    public void run(ChaosRun run) throws Exception {
        new RudeRounds(run).run();
        new FullDiskRounds(run).run();
        new KillRounds(run, Bug.NONE, KillRounds.CLIENTS, KillRounds.BUSY).run();
    }
}

package io.entrepot.chaos;

import io.entrepot.chaos.lab.LabChaos;
import io.entrepot.chaos.pool.PoolChaos;
import io.entrepot.chaos.queue.QueueChaos;
import io.entrepot.chaos.scan.ScanChaos;
import io.entrepot.chaos.server.ServerChaos;
import java.util.List;
import java.util.Optional;

/** All there is. Immutable. */
record Scenarios(List<Chaos> all) {

    static Scenarios known() {
        return new Scenarios(List.of(new LabChaos(), new QueueChaos(), new PoolChaos(), new ScanChaos(),
                new ServerChaos()));
    }

    Optional<Chaos> named(String name) {
        return all.stream().filter(chaos -> chaos.name().equals(name)).findFirst();
    }

    String list() {
        StringBuilder text = new StringBuilder("scenarios:\n");
        all.forEach(chaos -> text.append(String.format("  %-10s %s%n", chaos.name(), chaos.what())));
        return text.toString();
    }
}

package io.entrepot.bench;

import io.entrepot.bench.disk.DiskBench;
import io.entrepot.bench.http.HttpBench;
import io.entrepot.bench.http.StartBench;
import io.entrepot.bench.pool.ImportBench;
import io.entrepot.bench.pool.LargeBench;
import io.entrepot.bench.pool.PoolBench;
import io.entrepot.bench.pool.WriteBench;
import io.entrepot.bench.queue.QueueBench;
import io.entrepot.bench.scan.ScanBench;
import java.util.List;
import java.util.Optional;

/** All benches there are. Immutable. */
record Benches(List<Bench> all) {

    static Benches known() {
        return new Benches(List.of(new DiskBench(), new QueueBench(), new ScanBench(), new WriteBench(),
                new LargeBench(), new ImportBench(), new PoolBench(), new HttpBench(), new StartBench()));
    }

    Optional<Bench> named(String name) {
        return all.stream().filter(bench -> bench.name().equals(name)).findFirst();
    }

    String list() {
        StringBuilder text = new StringBuilder("benches:\n");
        all.forEach(bench -> text.append(String.format("  %-10s %s%n", bench.name(), bench.measures())));
        return text.toString();
    }
}

package io.entrepot.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmokeTest {
    @Test
    void roundTrip(@TempDir Path dir) {
        Owner a = new Owner("a");
        try (DataDirectory d = DataDirectory.open(dir.resolve("d"), StoreConfig.of())) {
            Store s = d.main();
            s.write(a, tx -> tx.update("CREATE TABLE t (x INTEGER)"));
            int n = s.write(a, tx -> tx.update("INSERT INTO t VALUES (1),(2)"));
            assertThat(n).isEqualTo(2);
            s.write(a, tx -> {
                tx.add(new Counter("c", 1), 5);
                tx.publish(a, "t", "s", "b");
                return 0;
            });
            assertThat(s.events().after(0, 10)).hasSize(1);
            assertThat(s.check().problems()).isEmpty();
            d.backup(dir.resolve("b"));
            s.write(a, tx -> tx.update("DELETE FROM t"));
        }
        DataDirectory.restore(dir.resolve("b"), dir.resolve("r"), StoreConfig.of());
        try (DataDirectory d = DataDirectory.open(dir.resolve("r"), StoreConfig.of())) {
            assertThat(d.main().incarnation().number()).isEqualTo(2);
            List<Integer> xs = d.main().read(s -> s.query("SELECT x FROM t ORDER BY x", r -> r.getInt(1)));
            assertThat(xs).containsExactly(1, 2);
            System.out.println(d.main().compact());
        }
    }
}

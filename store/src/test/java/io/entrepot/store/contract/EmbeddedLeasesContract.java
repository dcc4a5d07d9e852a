package io.entrepot.store.contract;

import static io.entrepot.lease.Protection.UNFENCED;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Lease;
import io.entrepot.lease.Renewal.Renewed;
import io.entrepot.store.Faults.Point;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What leases promise besides, where one process has the store for itself. */
abstract class EmbeddedLeasesContract extends LeasesContract {

    EmbeddedLeasesContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @Test
    void renew_whenHeld_needsNoCommit() {
        Lease a = grant("a", UNFENCED);
        AtomicInteger commits = new AtomicInteger();
        faults = point -> {
            if (point == Point.COMMIT) {
                commits.incrementAndGet();
            }
        };
        for (int i = 0; i < 100; i++) {
            clocks.pass(Duration.ofSeconds(5));
            assertThat(renew(a)).isEqualTo(new Renewed(a));
        }
        assertThat(commits).hasValue(0);
    }

    @Test
    void renew_whenWriterHoldsItsGroupOpen_doesNotWait() {
        Lease a = grant("a", UNFENCED);
        try (Gate gate = Gate.shut(store)) {
            assertThat(renew(a)).isEqualTo(new Renewed(a));
            gate.open();
        }
    }
}

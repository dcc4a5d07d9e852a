package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time of a unit of work never goes back, whatever is done to the wall clock and whatever happens to the process. */
abstract class TimeContract extends StoreContract {

    TimeContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @BeforeEach
    void manualClocks() {
        reopen(clocks.in(config()));
    }

    private long write(long id) {
        return store.write(ACME, tx -> insert(tx, id) * tx.now());
    }

    /** A unit that writes by a query. */
    private long writeByQuery(long id) {
        return store.write(ACME, tx -> {
            tx.query("INSERT INTO item (id, n) VALUES (?, 0) RETURNING id", row -> row.getLong(1), id);
            return tx.now();
        });
    }

    @Test
    void now_whenWallClockStepsBack_doesNot() {
        long before = write(1);
        assertThat(before).isEqualTo(clocks.instant().toEpochMilli());
        clocks.setWall(Duration.ofHours(-5));
        assertThat(write(2)).isGreaterThanOrEqualTo(before);
        assertThat(store.<Long>read(snapshot -> snapshot.now())).isGreaterThanOrEqualTo(before);
        clocks.pass(Duration.ofSeconds(8));
        assertThat(write(3)).isGreaterThanOrEqualTo(before + 7000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void now_whenReopenedWithWallClockHoursBack_goesOn(boolean inGoodOrder) {
        long last = 0;
        for (int i = 0; i < 25; i++) {
            clocks.pass(Duration.ofMillis(130));
            last = i % 2 == 0 ? write(i) : writeByQuery(i);
        }
        clocks.setWall(Duration.ofHours(-5));
        if (inGoodOrder) {
            reopen(clocks.in(config()));
        } else {
            crash(clocks.in(config()));
        }
        assertThat(write(100)).isGreaterThanOrEqualTo(last).isLessThanOrEqualTo(last + 2000);
    }

    @Test
    void now_whenClosedInGoodOrder_goesOnWhereItWas() {
        clocks.pass(Duration.ofMillis(777));
        long last = write(1);
        reopen(clocks.in(config()));
        assertThat(write(2)).isEqualTo(last);
    }
}

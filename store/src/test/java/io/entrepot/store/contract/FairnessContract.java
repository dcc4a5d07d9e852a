package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Counter;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** No owner can keep another one waiting by having much to do. */
abstract class FairnessContract extends StoreContract {
    private static final Counter SEQUENCE = new Counter("fairness.test", 1);
    private static final int MANY = 2000;

    FairnessContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    private long place() {
        return store.write(OTHER, tx -> tx.next(SEQUENCE, 1));
    }

    @Test
    void write_whenAnotherOwnerHasThousandsWaiting_getsItsTurnSoon() {
        reopen(config().withLimits(new GroupLimits(100, 1 << 20, Duration.ofMillis(20), Duration.ZERO)));
        Crowd<Long> many;
        Crowd<Long> one;
        try (Gate gate = Gate.shut(store)) {
            many = Crowd.start(MANY, _ -> store.write(ACME, tx -> tx.next(SEQUENCE, 1)));
            many.awaitWaiting();
            one = Crowd.start(1, _ -> place());
            one.awaitWaiting();
            gate.open();
        }
        assertThat(one.results().getFirst()).isLessThan(250);
        assertThat(many.results()).doesNotHaveDuplicates();
    }

    @Test
    void write_whenAnotherOwnersUnitsUseUpTheTimeOfTheirGroups_getsItsTurnSoon() {
        reopen(config().withLimits(new GroupLimits(100, 1 << 20, Duration.ofNanos(1), Duration.ZERO)));
        Crowd<Long> many;
        Crowd<Long> one;
        try (Gate gate = Gate.shut(store)) {
            many = Crowd.start(500, _ -> store.write(ACME, tx -> tx.next(SEQUENCE, 1)));
            many.awaitWaiting();
            one = Crowd.start(1, _ -> place());
            one.awaitWaiting();
            gate.open();
        }
        assertThat(one.results().getFirst()).isLessThan(50);
        assertThat(many.results()).doesNotHaveDuplicates();
    }

    @Test
    void write_whenRequestsOfAnOperationUseUpTheTime_getsItsTurnToo() {
        reopen(config().withLimits(new GroupLimits(100, 1 << 20, Duration.ofNanos(1), Duration.ZERO)));
        Operation<Long, Long> slow = (tx, requests) -> {
            LockSupport.parkNanos(1000);
            return requests.stream().map(_ -> tx.next(SEQUENCE, 1)).toList();
        };
        Crowd<Long> many;
        List<Long> places;
        try (Gate gate = Gate.shut(store)) {
            many = Crowd.start(20, _ -> {
                long last = 0;
                for (int i = 0; i < 50; i++) {
                    last = store.write(ACME, slow, 1L);
                }
                return last;
            });
            Crowd<Long> ones = Crowd.start(5, _ -> place());
            ones.awaitWaiting();
            gate.open();
            places = ones.results();
        }
        assertThat(places).allSatisfy(place -> assertThat(place).isLessThan(500));
        many.results();
    }
}

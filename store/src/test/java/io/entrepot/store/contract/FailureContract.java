package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.Crowd.Outcome;
import io.entrepot.lease.Fence;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Verdict;
import io.entrepot.store.Advice;
import io.entrepot.store.Counter;
import io.entrepot.store.Faults.Point;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.StoreClosedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a failure means depends on where it happens: before the commit, in it, or after it. */
abstract class FailureContract extends StoreContract {
    private static final Counter COUNTER = new Counter("failure.test", 1);
    private static final int CALLERS = 20;

    FailureContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    /** Callers whose units are committed together; the sixth one's unit fails by itself. */
    private List<Outcome<Integer>> group() {
        Crowd<Integer> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(CALLERS, caller -> store.write(ACME, tx -> {
                insert(tx, caller);
                tx.add(COUNTER, 1);
                tx.publish(ACME, "made", "" + caller, "");
                if (caller == 5) {
                    throw new IllegalArgumentException("five");
                }
                return caller;
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        return crowd.outcomes();
    }

    /** Lets the gate's own group through, then throws once. */
    private void failAt(Point where, Supplier<? extends Throwable> failure) {
        AtomicInteger passes = new AtomicInteger();
        faults = point -> {
            if (point == where && passes.incrementAndGet() == 2) {
                sneak(failure.get());
            }
        };
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    private void assertAllOrNothing() {
        List<Long> all = LongStream.range(0, CALLERS).filter(i -> i != 5).boxed().toList();
        List<Long> found = ids();
        assertThat(found).isIn(all, List.of());
        assertThat(store.<Long>read(snapshot -> snapshot.count(COUNTER))).isEqualTo(found.size());
        assertThat(store.events().after(0, 100)).hasSize(found.size());
    }

    private void assertUnknownAfterCommitFailsWith(Supplier<? extends Throwable> failure) {
        failAt(Point.COMMIT, failure);
        List<Outcome<Integer>> outcomes = group();
        for (int caller = 0; caller < CALLERS; caller++) {
            if (caller == 5) {
                assertThat(outcomes.get(caller).failure()).isInstanceOf(IllegalArgumentException.class);
            } else {
                assertThat(outcomes.get(caller).failure()).isInstanceOfSatisfying(OutcomeUnknownException.class,
                        e -> assertThat(e.advice()).isEqualTo(Advice.UNKNOWN));
            }
        }
        assertRefusesEverything();
        reopen();
        assertAllOrNothing();
    }

    private void assertRefusesEverything() {
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.write(ACME, tx -> insert(tx, 99)));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(this::ids);
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.events().after(0, 1));
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.check());
    }

    @Test
    void commit_whenItFails_isUnknownToEverybodyInTheGroupAndEndsTheStore() {
        assertUnknownAfterCommitFailsWith(() -> new IllegalStateException("the sync failed"));
    }

    @Test
    void commit_whenItFailsWithAnError_isUnknownToo() {
        assertUnknownAfterCommitFailsWith(() -> new OutOfMemoryError("in the commit"));
    }

    @Test
    void commit_whenItFails_refusesThoseWhoWaitForTheNextGroup() {
        Crowd<Integer> later = new Crowd<>();
        AtomicInteger passes = new AtomicInteger();
        faults = point -> {
            if (point == Point.COMMIT && passes.incrementAndGet() == 2) {
                later.start(() -> store.write(ACME, tx -> insert(tx, 99)));
                later.awaitWaiting();
                throw new IllegalStateException("the sync failed");
            }
        };
        group();
        assertThat(later.outcomes().getFirst().failure()).isInstanceOf(StoreClosedException.class);
        reopen();
        assertThat(ids()).doesNotContain(99L);
        assertAllOrNothing();
    }

    @Test
    void commit_whenItFails_grantsAndRenewsNoLeaseAnyMore() {
        Fence fence = ((Verdict.Granted) store.leases().request("x", "a", Duration.ofHours(1), Protection.UNFENCED))
                .lease().fence();
        failAt(Point.COMMIT, () -> new IllegalStateException("the sync failed"));
        group();
        assertThatExceptionOfType(StoreClosedException.class).isThrownBy(() -> store.leases().renew("x", fence));
    }

    @Test
    void group_whenItFailsBeforeTheCommit_isNotDoneAndTheStoreGoesOn() {
        for (Supplier<Throwable> failure : List.<Supplier<Throwable>>of(() -> new IllegalStateException("too early"),
                () -> new AssertionError("too early"))) {
            failAt(Point.BEGUN, failure);
            for (Outcome<Integer> outcome : group()) {
                assertThat(outcome.failure()).isInstanceOfSatisfying(NotDoneException.class,
                        e -> assertThat(e.advice()).isEqualTo(Advice.RETRY));
            }
            assertThat(ids()).isEmpty();
            assertThat(store.events().last()).isZero();
        }
        faults = _ -> {};
        group();
        assertThat(ids()).hasSize(CALLERS - 1);
        assertAllOrNothing();
    }

    @Test
    void group_whenSomethingFailsAfterTheCommit_isAnsweredAndDurable() {
        for (Point point : List.of(Point.COMMITTED, Point.ANSWER)) {
            failAt(point, () -> new IllegalStateException("too late"));
            List<Outcome<Integer>> outcomes = group();
            for (int caller = 0; caller < CALLERS; caller++) {
                if (caller == 5) {
                    assertThat(outcomes.get(caller).failure()).isInstanceOf(IllegalArgumentException.class);
                } else {
                    assertThat(outcomes.get(caller).value()).isEqualTo(caller);
                }
            }
            assertRefusesEverything();
            faults = _ -> {};
            reopen();
            assertThat(ids()).hasSize(CALLERS - 1);
            store.write(ACME, tx -> tx.update("DELETE FROM item"));
        }
    }

    @Test
    void crash_whenCommitWasAboutToBegin_leavesNothingOfTheGroup() {
        AtomicInteger passes = new AtomicInteger();
        faults = point -> {
            if (point == Point.COMMIT && passes.incrementAndGet() == 2) {
                crash();
            }
        };
        group();
        assertThat(ids()).isEmpty();
        assertAllOrNothing();
    }

    @Test
    void crash_whenNobodyHasBeenToldYet_leavesTheWholeGroup() {
        AtomicInteger passes = new AtomicInteger();
        faults = point -> {
            if (point == Point.COMMITTED && passes.incrementAndGet() == 2) {
                crash();
            }
        };
        group();
        assertThat(ids()).hasSize(CALLERS - 1);
        assertAllOrNothing();
    }
}

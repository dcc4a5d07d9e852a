package io.entrepot.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lab.Crowd.Outcome;
import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.Protection;
import io.entrepot.store.Advice;
import io.entrepot.store.Event;
import io.entrepot.store.StoreClosedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a store in good order. */
abstract class CloseContract extends StoreContract {
    private static final Fence FENCE = new Fence(new Epoch(1), 1);

    CloseContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @Test
    void close_whenCallsWait_finishesThem() {
        Crowd<Integer> writers;
        Crowd<Integer> closer = new Crowd<>();
        try (Gate gate = Gate.shut(store)) {
            writers = Crowd.start(20, caller -> store.write(ACME, tx -> insert(tx, caller)));
            writers.awaitWaiting();
            closer.start(() -> {
                store.close();
                return 0;
            });
            closer.awaitWaiting();
            gate.open();
        }
        assertThat(writers.results()).hasSize(20).containsOnly(1);
        closer.results();
        reopen();
        assertThat(ids()).isEqualTo(LongStream.range(0, 20).boxed().toList());
    }

    @Test
    void close_whenInterrupted_stillWaitsForWhatIsUnderWay() {
        Crowd<Boolean> crowd = new Crowd<>();
        try (Gate gate = Gate.shut(store, tx -> insert(tx, 1))) {
            Thread closer = crowd.start(() -> {
                store.close();
                return Thread.currentThread().isInterrupted();
            });
            crowd.awaitWaiting();
            closer.interrupt();
            crowd.awaitWaiting();
            assertThat(closer.isAlive()).isTrue();
            gate.open();
        }
        assertThat(crowd.results()).containsExactly(true);
        reopen();
        assertThat(ids()).containsExactly(1L);
    }

    @Test
    void anyCall_whenClosed_isRefused(@TempDir Path elsewhere) {
        store.close();
        List<ThrowingCallable> calls = List.of(() -> store.write(ACME, tx -> insert(tx, 1)),
                () -> store.write(ACME, (_, requests) -> requests, 1L), this::ids, () -> store.events().after(0, 1),
                () -> store.events().await(0, 1, Duration.ofHours(1)), () -> store.events().oldest(),
                () -> store.events().forgetBefore(Instant.EPOCH), () -> store.check(), () -> store.compact(),
                () -> store.backup(elsewhere.resolve("copy")),
                () -> store.leases().request("x", "me", Duration.ofSeconds(1), Protection.FENCED),
                () -> store.leases().renew("x", FENCE), () -> store.leases().gone("x", FENCE),
                () -> store.leases().release("x", FENCE), () -> store.leases().current("x"));
        assertThat(calls).allSatisfy(call -> assertThatExceptionOfType(StoreClosedException.class)
                .isThrownBy(call).satisfies(e -> {
                    assertThat(e.code()).isEqualTo("store.closed");
                    assertThat(e.advice()).isEqualTo(Advice.GIVE_UP);
                }));
        assertThat(elsewhere).isEmptyDirectory();
        store.close();
    }

    /** A call that races with the end is done for good, or clearly refused: never neither, never left waiting. */
    @RepeatedTest(5)
    void write_whenRacingWithClose_isDurableOrRefused() {
        AtomicInteger written = new AtomicInteger();
        Crowd<List<Long>> writers = Crowd.start(32, caller -> {
            List<Long> acknowledged = new ArrayList<>();
            for (long id = caller; true; id += 32) {
                long mine = id;
                try {
                    store.write(ACME, tx -> insert(tx, mine));
                    acknowledged.add(mine);
                    written.incrementAndGet();
                    ids();
                } catch (StoreClosedException e) {
                    return acknowledged;
                }
            }
        });
        Awaitility.await().until(() -> written.get() >= 200);
        store.close();
        List<Long> acknowledged = writers.results().stream().flatMap(List::stream).sorted().toList();
        reopen();
        assertThat(ids()).isEqualTo(acknowledged);
    }

    @Test
    void await_whenClosed_endsAtOnce() {
        Crowd<List<Event>> waiting = Crowd.start(3, _ -> {
            try {
                return store.events().await(0, 1, Duration.ofDays(365_000_000));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waiting.awaitWaiting();
        store.close();
        for (Outcome<List<Event>> outcome : waiting.outcomes()) {
            assertThat(outcome.failure()).isInstanceOf(StoreClosedException.class);
        }
    }

    @Test
    void close_whenCalledByManyThreads_returnsToAllOfThemOnceItIsClosed() {
        Crowd.run(8, _ -> {
            store.close();
            return true;
        });
        reopen();
        assertThat(ids()).isEmpty();
    }
}

package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
    private static final Instant START = Instant.parse("2026-11-16T03:23:00Z");

    /** A wall clock and a ticker that move together, except for the wall clock's steps. */
    private static final class Machine {
        final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000);
        Instant wall = START;
        final SteadyClock clock = new SteadyClock(() -> wall, ticker);

        void pass(Duration time) {
            ticker.advance(time);
            wall = wall.plus(time);
        }

        void step(Duration jump) {
            wall = wall.plus(jump);
        }
    }

    private final Machine machine = new Machine();

    @Test
    void instant_whenNothingIsWrong_isWallTime() {
        machine.pass(Duration.ofHours(5));
        assertThat(machine.clock.instant()).isEqualTo(machine.wall).isEqualTo(START.plus(Duration.ofHours(5)));
    }

    @Test
    void instant_whenSteppedForwardOrSuspended_isTheNewWallTimeAtOnce() {
        machine.step(Duration.ofDays(1));
        assertThat(machine.clock.instant()).isEqualTo(START.plus(Duration.ofDays(1)));
    }

    @Test
    void instant_whenSteppedBack_runsSlowerUntilBothAgree() {
        machine.step(Duration.ofSeconds(-10));
        assertThat(machine.clock.instant()).isEqualTo(START);
        machine.pass(Duration.ofSeconds(8));
        assertThat(machine.clock.instant()).isEqualTo(START.plusSeconds(7));
        machine.pass(Duration.ofSeconds(72));
        assertThat(machine.clock.instant()).isEqualTo(START.plusSeconds(70)).isEqualTo(machine.wall);
        machine.pass(Duration.ofSeconds(1));
        assertThat(machine.clock.instant()).isEqualTo(machine.wall);
    }

    @Test
    void instant_whenRestartedWithAFloor_startsThere() {
        Instant floor = START.plusSeconds(10);
        SteadyClock restarted = new SteadyClock(() -> machine.wall, machine.ticker, floor);
        assertThat(restarted.instant()).isEqualTo(floor);
        machine.pass(Duration.ofSeconds(80));
        assertThat(restarted.instant()).isEqualTo(machine.wall);
        assertThat(new SteadyClock(() -> machine.wall, machine.ticker, floor).instant()).isEqualTo(machine.wall);
    }

    @Test
    void instant_whenReadVeryOften_losesNothingToRounding() {
        machine.step(Duration.ofSeconds(-10));
        for (int i = 0; i < 100_000; i++) {
            machine.pass(Duration.ofNanos(7));
            machine.clock.instant();
        }
        assertThat(Duration.between(START, machine.clock.instant())).isEqualTo(Duration.ofNanos(700_000 / 8 * 7));
    }

    record Turn(int passMicros, int stepMillis) {}

    @Provide
    Arbitrary<List<Turn>> turns() {
        return Combinators.combine(Arbitraries.integers().between(0, 5_000_000),
                Arbitraries.oneOf(Arbitraries.just(0), Arbitraries.integers().between(-60_000, 60_000))).as(Turn::new)
                .list().ofMinSize(1).ofMaxSize(50);
    }

    @Property
    void instant_whateverTheWallClockDoes_neverGoesBackAndKeepsDelays(@ForAll("turns") List<Turn> turns,
            @ForAll @IntRange(min = -60_000, max = 60_000) int floorMillis) {
        Machine any = new Machine();
        SteadyClock clock = new SteadyClock(() -> any.wall, any.ticker, START.plusMillis(floorMillis));
        Instant first = clock.instant();
        Instant before = first;
        Duration total = Duration.ZERO;
        Duration forward = Duration.ZERO;
        for (Turn turn : turns) {
            Duration passed = Duration.ofNanos(turn.passMicros() * 1000L);
            Duration step = Duration.ofMillis(turn.stepMillis());
            any.pass(passed);
            any.step(step);
            total = total.plus(passed);
            forward = step.isPositive() ? forward.plus(step) : forward;

            Instant now = clock.instant();
            assertThat(now).isAfterOrEqualTo(before).isAfterOrEqualTo(any.wall);
            before = now;
            assertThat(Duration.between(first, now)).isGreaterThanOrEqualTo(total.multipliedBy(7).dividedBy(8))
                    .isLessThanOrEqualTo(total.plus(forward));
        }
        any.pass(Duration.between(any.wall, before).multipliedBy(8));
        assertThat(clock.instant()).isEqualTo(any.wall);
    }

    /** Two readers between whose readings another one comes could leave an older line behind: so they go one by one. */
    @Test
    void instant_whenManyThreadsRead_takesOneAtATimeAndNeverGoesBack() throws InterruptedException, ExecutionException {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        Ticker ticker = Ticker.system();
        long start = ticker.nanos();
        SteadyClock clock = new SteadyClock(() -> {
            together.accumulateAndGet(inside.incrementAndGet(), Math::max);
            LockSupport.parkNanos(1);
            inside.decrementAndGet();
            return START.plusNanos(ticker.nanos() - start + ThreadLocalRandom.current().nextLong(100_000));
        }, ticker);
        AtomicReference<Instant> latest = new AtomicReference<>(Instant.MIN);
        Callable<Integer> reader = () -> {
            int back = 0;
            for (int i = 0; i < 1000; i++) {
                Instant known = latest.get();
                Instant now = clock.instant();
                back += now.isBefore(known) ? 1 : 0;
                latest.accumulateAndGet(now, (a, b) -> a.isAfter(b) ? a : b);
            }
            return back;
        };
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (Future<Integer> back : threads.invokeAll(Collections.nCopies(4, reader))) {
                assertThat(back.get()).isZero();
            }
        }
        assertThat(together).hasValue(1);
    }
}

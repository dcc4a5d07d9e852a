package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.HybridClock.Observation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HybridClockTest {
    private static final long START = 1_794_799_380_123L;

    private long wall = START;
    private final HybridClock clock = new HybridClock(() -> Instant.ofEpochMilli(wall));

    private static HybridTime time(long millis, int counter) {
        return new HybridTime(millis, counter);
    }

    enum Kind {
        SET_WALL, NOW, OBSERVE, RESTAMP
    }

    record Op(Kind kind, long millis, int counter) {}

    @Provide
    Arbitrary<List<Op>> ops() {
        return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.longs().between(-100_000, 100_000),
                Arbitraries.integers().between(0, 65535)).as(Op::new).list().ofMaxSize(100);
    }

    @Property
    void now_whateverHappened_isLaterThanAllGivenAndTaken(@ForAll("ops") List<Op> ops) {
        long[] wallMillis = {START};
        HybridClock any = new HybridClock(() -> Instant.ofEpochMilli(wallMillis[0]));
        HybridTime latest = HybridTime.ZERO;
        for (Op op : ops) {
            HybridTime remote = time(START + op.millis(), op.counter());
            switch (op.kind()) {
                case SET_WALL -> wallMillis[0] = START + op.millis();
                case NOW -> {
                    HybridTime now = any.now();
                    assertThat(now).isGreaterThan(latest);
                    latest = now;
                }
                case OBSERVE -> latest = any.observe(remote) == Observation.TAKEN ? max(latest, remote) : latest;
                case RESTAMP -> latest = max(latest, any.restamp(remote, Duration.ofMillis(op.counter())));
            }
        }
        assertThat(any.now()).isGreaterThan(latest);
    }

    private static HybridTime max(HybridTime a, HybridTime b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    record Message(int from, int to, int pauseMillis) {}

    @Provide
    Arbitrary<List<Message>> messages() {
        Arbitrary<Integer> node = Arbitraries.integers().between(0, 2);
        return Combinators.combine(node, node, Arbitraries.integers().between(0, 3)).as(Message::new).list()
                .ofMaxSize(100);
    }

    @Property
    void stamps_whenOneEventFollowsFromAnother_areInThatOrder(@ForAll("messages") List<Message> messages,
            @ForAll @Size(3) List<@IntRange(min = -30_000, max = 30_000) Integer> skews) {
        long[] real = {START};
        List<HybridClock> nodes = new ArrayList<>();
        for (int skew : skews) {
            nodes.add(new HybridClock(() -> Instant.ofEpochMilli(real[0] + skew)));
        }
        for (Message message : messages) {
            real[0] += message.pauseMillis();
            HybridTime sent = nodes.get(message.from()).now();
            assertThat(nodes.get(message.to()).observe(sent)).isEqualTo(Observation.TAKEN);
            assertThat(nodes.get(message.to()).now()).isGreaterThan(sent);
        }
    }

    @Test
    void now_whenTheWallClockMoves_followsIt() {
        assertThat(clock.now()).isEqualTo(time(START, 0));
        assertThat(clock.now()).isEqualTo(time(START, 1));
        wall += 5;
        assertThat(clock.now()).isEqualTo(time(START + 5, 0));
        wall -= 5000;
        assertThat(clock.now()).isEqualTo(time(START + 5, 1));
    }

    @Test
    void now_whenTheWallClockIsBefore1970_stillWorks() {
        wall = -1;
        assertThat(clock.now()).isEqualTo(time(0, 1));
    }

    @Test
    void now_whenRestartedWithAFloor_isLaterEvenBeyondTheSkewLimit() {
        HybridTime floor = time(START + 3_600_000, 9);
        InstantSource source = () -> Instant.ofEpochMilli(START);
        assertThat(new HybridClock(source, HybridClock.SKEW_LIMIT, floor).now()).isEqualTo(floor.next());
    }

    @Test
    void observe_whenBeyondTheSkewLimit_isNotTakenOver() {
        assertThat(clock.observe(time(START + 60_001, 0))).isEqualTo(Observation.SKEWED);
        assertThat(clock.now()).isEqualTo(time(START, 0));
        assertThat(clock.observe(time(START + 60_000, 7))).isEqualTo(Observation.TAKEN);
        assertThat(clock.now()).isEqualTo(time(START + 60_000, 8));
    }

    @Test
    void restamp_whenTheClockIsAYearAhead_doesNotWinForever() {
        Duration year = Duration.ofDays(365);
        HybridTime remote = time(START + year.toMillis() - 2000, 4);
        assertThat(clock.observe(remote)).isEqualTo(Observation.SKEWED);
        assertThat(clock.restamp(remote, year)).isEqualTo(time(START - 2000, 4));
        assertThat(clock.now()).isEqualTo(time(START, 0));
    }

    @Test
    void restamp_whenTheClockIsBehind_movesTheStampForward() {
        assertThat(clock.restamp(time(START - 90_000, 4), Duration.ofSeconds(-80))).isEqualTo(time(START - 10_000, 4));
    }

    @Test
    void restamp_whenTheOffsetIsAbsurd_staysWithinOurPast() {
        assertThat(clock.restamp(time(START, 4), Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(HybridTime.ZERO);
        assertThat(clock.restamp(time(START, 4), Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(time(START, 0));
        assertThat(clock.now()).isEqualTo(time(START, 1));
    }

    @Property
    void restamp_whenStampsAreOfOneClock_keepsTheirOrder(
            @ForAll @Size(2) List<@LongRange(min = 0, max = 200_000) Long> millis,
            @ForAll @Size(2) List<@IntRange(max = 65535) Integer> counters,
            @ForAll @IntRange(min = -100_000, max = 100_000) int offset) {
        HybridClock ours = new HybridClock(() -> Instant.ofEpochMilli(100_000));
        HybridTime a = time(millis.getFirst(), counters.getFirst());
        HybridTime b = time(millis.getLast(), counters.getLast());
        HybridTime restampedA = ours.restamp(a, Duration.ofMillis(offset));
        HybridTime restampedB = ours.restamp(b, Duration.ofMillis(offset));
        assertThat(restampedA.millis()).isLessThanOrEqualTo(100_000);
        assertThat(a.compareTo(b) * restampedA.compareTo(restampedB)).isGreaterThanOrEqualTo(0);
    }

    @Test
    void now_whenManyThreadsAsk_givesEachStampOnce() throws InterruptedException, ExecutionException {
        int each = 50_000;
        Callable<long[]> reader = () -> {
            long[] stamps = new long[each];
            Arrays.setAll(stamps, _ -> clock.now().packed());
            return stamps;
        };
        Set<Long> all = new HashSet<>();
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (Future<long[]> stamps : threads.invokeAll(Collections.nCopies(4, reader))) {
                assertThat(stamps.get()).isSorted();
                Arrays.stream(stamps.get()).forEach(all::add);
            }
        }
        assertThat(all).hasSize(4 * each);
    }
}

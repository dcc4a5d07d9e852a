package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.ManualTicker;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.store.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class HoldsTest {
    private static final Owner OWNER = new Owner("acme");
    private static final long KEEPER = 7;

    private static ItemLease lease(long item, long epoch) {
        return new ItemLease(new ItemId(OWNER, item), new Fence(new Epoch(epoch), epoch * 31));
    }

    private static Held held(ItemLease lease, long termMillis) {
        return new Held(lease, queue(lease.item().number()), "worker", termMillis, KEEPER, 0);
    }

    private static long queue(long item) {
        return item / 2;
    }

    /** What one entry of the simple picture of it is: a lease and when it runs out. */
    private record Entry(ItemLease lease, long term, long endsAt, boolean adopted) {}

    @Property(tries = 300)
    void holds_whateverIsDone_areAsASimpleMapWouldBe(@ForAll long seed) {
        Random random = new Random(seed);
        ManualTicker ticker = new ManualTicker(random.nextBoolean() ? 0 : Long.MAX_VALUE - 20_000_000L);
        Holds holds = new Holds(ticker, true);
        Map<Long, Entry> simple = new HashMap<>();
        long epochs = 1;
        for (int i = 0; i < 200; i++) {
            long item = 1L + random.nextInt(6);
            Entry entry = simple.get(item);
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    ItemLease lease = lease(item, epochs++);
                    long term = 1L + random.nextInt(5);
                    boolean adopted = random.nextInt(4) == 0;
                    holds.add(held(lease, term), adopted);
                    simple.put(item, new Entry(lease, term * 1_000_000, ticker.nanos() + term * 1_000_000, adopted));
                }
                case 2 -> {
                    ItemLease lease = entry == null || random.nextInt(4) == 0 ? lease(item, epochs) : entry.lease;
                    assertThat(holds.renew(lease, KEEPER + 1)).isFalse();
                    assertThat(holds.renew(lease, KEEPER)).isEqualTo(entry != null && entry.lease.equals(lease));
                    simple.computeIfPresent(item, (_, one) -> one.lease.equals(lease)
                            ? new Entry(lease, one.term, ticker.nanos() + one.term, false)
                            : one);
                }
                case 3 -> {
                    ItemLease lease = entry == null || random.nextInt(4) == 0 ? lease(item, epochs) : entry.lease;
                    holds.end(item, lease.fence());
                    simple.computeIfPresent(item, (_, one) -> one.lease.equals(lease) ? null : one);
                }
                case 4 -> ticker.advance(Duration.ofNanos(random.nextInt(3_000_000)));
                default -> expire(holds, simple, ticker, random);
            }
            assertThat(holds.size()).isEqualTo(simple.size());
            Entry now = simple.get(item);
            assertThat(holds.find(lease(item, epochs))).isEmpty();
            if (now != null) {
                assertThat(holds.find(now.lease).map(Held::queue)).contains(queue(item));
            }
            assertThat(holds.nanosToNext()).isEqualTo(simple.values().stream()
                    .mapToLong(one -> one.endsAt - ticker.nanos()).min());
        }
    }

    private static void expire(Holds holds, Map<Long, Entry> simple, ManualTicker ticker, Random random) {
        Map<ItemId, Entry> due = new HashMap<>();
        simple.values().stream().filter(one -> one.endsAt - ticker.nanos() <= 0)
                .forEach(one -> due.put(one.lease.item(), one));
        int most = 1 + random.nextInt(4);
        List<Holds.Expired> taken = holds.takeExpired(most);
        assertThat(taken).hasSize(Math.min(most, due.size()));
        for (Holds.Expired one : taken) {
            long item = one.held().lease().item().number();
            Entry entry = Objects.requireNonNull(due.get(one.held().lease().item()));
            assertThat(one)
                    .isEqualTo(new Holds.Expired(held(entry.lease, entry.term / 1_000_000), !entry.adopted));
            simple.remove(item);
            if (random.nextInt(3) == 0) {
                holds.giveBack(one, 500_000);
                simple.put(item,
                        new Entry(entry.lease, entry.term, ticker.nanos() + 500_000, entry.adopted));
            }
        }
    }

    @Example
    void giveBack_whenTheItemHasAnotherHolder_leavesThatOne() {
        ManualTicker ticker = new ManualTicker();
        Holds holds = new Holds(ticker, true);
        holds.add(held(lease(1, 1), 10), false);
        ticker.advance(Duration.ofMillis(10));
        Holds.Expired expired = holds.takeExpired(10).getFirst();
        holds.add(held(lease(1, 2), 10), false);
        holds.giveBack(expired, 5);
        assertThat(holds.renew(lease(1, 1), KEEPER)).isFalse();
        assertThat(holds.renew(lease(1, 2), KEEPER)).isTrue();
        assertThat(holds.size()).isEqualTo(1);
    }

    /** Who is renewed again and again is not passed over for that. */
    @Example
    void takeRenewed_whenSomeWereRenewed_areThoseThatAreStillHeldInTheOrderOfTheFirstTime() {
        Holds holds = new Holds(new ManualTicker(), true);
        for (long item = 1; item <= 5; item++) {
            holds.add(held(lease(item, 1), 10), false);
        }
        for (long item : List.of(4L, 2L, 1L, 3L, 4L)) {
            assertThat(holds.renew(lease(item, 1), KEEPER)).isTrue();
        }
        holds.end(2, lease(2, 1).fence());
        assertThat(holds.takeRenewed(2)).containsExactly(lease(4, 1), lease(1, 1));
        assertThat(holds.takeRenewed(2)).containsExactly(lease(3, 1));
        assertThat(holds.takeRenewed(2)).isEmpty();
    }

    /** Only the heads of the lists are looked at: nothing is copied, however many are held. */
    @Example
    void takeExpired_whenManyAreHeld_takesThemInTheOrderOfTheirEnds() {
        ManualTicker ticker = new ManualTicker();
        Holds holds = new Holds(ticker, true);
        TreeMap<Long, Long> ends = new TreeMap<>();
        for (long item = 1; item <= 50_000; item++) {
            holds.add(held(lease(item, 1), 60_000), false);
            ends.put(item, ticker.nanos() + 60_000_000_000L);
            ticker.advance(Duration.ofNanos(100));
        }
        List<Long> taken = new ArrayList<>();
        ticker.advance(Duration.ofNanos(ends.lastEntry().getValue() - ticker.nanos()));
        for (List<Holds.Expired> some = holds.takeExpired(500); !some.isEmpty(); some = holds.takeExpired(500)) {
            some.forEach(one -> taken.add(one.held().lease().item().number()));
        }
        assertThat(taken).hasSize(50_000).isSorted();
        assertThat(holds.size()).isZero();
        assertThat(holds.nanosToNext()).isEmpty();
    }
}

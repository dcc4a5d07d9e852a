package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Many workers that finish, fail, give back, forget and come back late, while leases run out: what each of them saw is
 * collected, and afterwards it must fit together.
 */
abstract class ConcurrencyContract extends QueueContract {
    private static final int WORKERS = 64;
    private static final RetryPolicy AT_ONCE = RetryPolicy.fixed(Duration.ZERO, 50);
    private static final RetryPolicy LATER = RetryPolicy.fixed(Duration.ofMillis(15), 50);
    private static final List<QueueName> QUEUES = List.of(Q, R, OTHER);

    /** The order of what happened: a call has a number from before it and one from after it. */
    private final AtomicLong order = new AtomicLong();
    private final AtomicInteger putDone = new AtomicInteger();
    private volatile boolean over;
    private final Queue<Taken> taken = new ConcurrentLinkedQueue<>();
    private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();
    private final Queue<ItemLease> forgotten = new ConcurrentLinkedQueue<>();
    private final Queue<ItemId> put = new ConcurrentLinkedQueue<>();

    private final int items;

    ConcurrencyContract(Function<Path, QueuesFixture> kind, int items) {
        super(kind);
        this.items = items;
    }

    private record Taken(ItemLease lease, long before, long after) {}

    /** {@code outcome} is empty if the lease was lost. */
    private record Ended(ItemLease lease, Optional<Outcome> outcome, long before, long after) {}

    private void end(ItemLease lease, Ending ending) {
        long before = order.getAndIncrement();
        Optional<Outcome> outcome;
        try {
            outcome = Optional.of(queues.end(lease, ending));
        } catch (LeaseLostException e) {
            outcome = Optional.empty();
        }
        ended.add(new Ended(lease, outcome, before, order.getAndIncrement()));
    }

    private void work(Claimed claimed, Random random) {
        ItemLease lease = claimed.lease();
        int dice = random.nextInt(100);
        if (dice < 20) {
            try {
                queues.renew(lease);
            } catch (LeaseLostException e) {
                assertThat(e.fence()).isEqualTo(lease.fence());
            }
        }
        switch (random.nextInt(20)) {
            case 0 -> end(lease, new Ending.Finish(true));
            case 1 -> end(lease, new Ending.Fail("again", true, AT_ONCE));
            case 2 -> end(lease, new Ending.Fail("later", true, LATER));
            case 3 -> end(lease, new Ending.Fail("hopeless", false, LATER));
            case 4, 5 -> end(lease, new Ending.Release());
            case 6, 7 -> forgotten.add(lease);
            case 8 -> {
                end(lease, new Ending.Finish(false));
                end(lease, new Ending.Fail("twice", true, AT_ONCE));
            }
            default -> end(lease, new Ending.Finish(false));
        }
    }

    private int worker(int number) throws InterruptedException {
        Random random = new Random(number);
        int done = 0;
        while (!over) {
            List<QueueName> from = number % 4 == 0 ? QUEUES : List.of(QUEUES.get(number % 3));
            long before = order.getAndIncrement();
            List<Claimed> claimed = queues.claim(new ClaimRequest(from, "worker-" + number, 1 + random.nextInt(4),
                    Duration.ofMillis(5 + random.nextInt(60)), Duration.ofMillis(random.nextInt(3))));
            long after = order.getAndIncrement();
            claimed.forEach(one -> taken.add(new Taken(one.lease(), before, after)));
            claimed.forEach(one -> work(one, random));
            done += claimed.size();
            ItemLease late = random.nextInt(4) == 0 ? forgotten.poll() : null;
            if (late != null) {
                end(late, new Ending.Finish(false));
            }
        }
        return done;
    }

    private boolean finished() {
        return putDone.get() == items && QUEUES.stream().allMatch(queue -> {
            QueueCounts counts = counts(queue);
            return counts.ready() + counts.held() + counts.delayed() == 0;
        });
    }

    @Test
    void everything_whenManyDoItAtOnce_fitsTogether() {
        config = config.withMaxDeliveries(4);
        open();
        Crowd<Integer> clock = Crowd.start(1, _ -> {
            Random random = new Random(0);
            int ticks = 0;
            for (; !finished(); ticks++) {
                clocks.pass(Duration.ofMillis(1 + random.nextInt(12)));
                if (random.nextInt(10) == 0) {
                    clocks.setWall(Duration.ofMinutes(random.nextInt(600) - 300));
                }
                queues.tick();
            }
            over = true;
            return ticks;
        });
        Crowd<Integer> putters = Crowd.start(8, putter -> {
            for (int i = putter; i < items; i += 8) {
                put.add(put(item(QUEUES.get(i % 3), "item " + i).withPriority(i % 7)));
                putDone.incrementAndGet();
            }
            return 0;
        });
        Crowd.run(WORKERS, this::worker);
        putters.results();
        clock.results();
        check();
        assertSound();
    }

    private void check() {
        assertThat(put).hasSize(items).doesNotHaveDuplicates();
        Map<ItemLease, List<Ended>> endings = new HashMap<>();
        ended.forEach(one -> endings.computeIfAbsent(one.lease, _ -> new ArrayList<>()).add(one));
        Map<ItemId, List<Taken>> byItem = new HashMap<>();
        taken.forEach(one -> byItem.computeIfAbsent(one.lease.item(), _ -> new ArrayList<>()).add(one));
        assertThat(byItem.keySet()).isEqualTo(new HashSet<>(put));
        Map<Outcome.Kind, Integer> kinds = new HashMap<>();
        byItem.forEach((item, all) -> {
            all.sort(Comparator.comparing(one -> one.lease.fence().epoch()));
            for (int i = 0; i < all.size(); i++) {
                Taken current = all.get(i);
                assertThat(current.lease.fence().epoch().value()).as("epochs of %s", item).isEqualTo(i + 1);
                Optional<Ended> effect = effect(endings.getOrDefault(current.lease, List.of()));
                effect.ifPresent(one -> kinds.merge(one.outcome.orElseThrow().kind(), 1, Integer::sum));
                if (i + 1 < all.size()) {
                    Taken next = all.get(i + 1);
                    assertThat(current.before).as("order of leases of %s", item).isLessThan(next.after);
                    effect.ifPresent(one -> {
                        assertThat(one.outcome.orElseThrow().kind()).as("no end of %s", item)
                                .isNotIn(Outcome.Kind.FINISHED, Outcome.Kind.KEPT, Outcome.Kind.DEAD);
                        assertThat(one.before).as("two holders of %s", item).isLessThan(next.after);
                    });
                }
            }
        });
        // All kinds of endings have happened, and everything is accounted for.
        assertThat(kinds.keySet()).containsExactlyInAnyOrder(Outcome.Kind.FINISHED, Outcome.Kind.KEPT,
                Outcome.Kind.RETRYING, Outcome.Kind.DEAD, Outcome.Kind.RELEASED);
        long kept = QUEUES.stream().mapToLong(queue -> counts(queue).kept()).sum();
        long dead = QUEUES.stream().mapToLong(queue -> counts(queue).dead()).sum();
        assertThat(kept).isEqualTo(kinds.get(Outcome.Kind.KEPT).longValue());
        assertThat(dead).isGreaterThanOrEqualTo(kinds.get(Outcome.Kind.DEAD).longValue());
        assertThat(kept + dead + kinds.get(Outcome.Kind.FINISHED)).isEqualTo(items);
        assertThat(ended).anySatisfy(one -> assertThat(one.outcome).isEmpty());
    }

    /** The one ending of a lease that had an effect, if any; all others must say what that one was. */
    private static Optional<Ended> effect(List<Ended> endings) {
        List<Ended> effects = endings.stream().filter(one -> one.outcome.filter(o -> !o.repeated()).isPresent())
                .toList();
        assertThat(effects).hasSizeLessThanOrEqualTo(1);
        Set<Outcome.Kind> kinds = new HashSet<>();
        endings.forEach(one -> one.outcome.ifPresent(outcome -> kinds.add(outcome.kind())));
        assertThat(kinds).hasSize(effects.size());
        return effects.stream().findFirst();
    }
}

package io.entrepot.queue.internal;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for something to arrive in a queue, woken in the order in which they came, and only as many as there
 * is something for.
 *
 * <p>A caller registers *before* it looks into the queue, so that nothing can arrive unnoticed in between; and it leaves
 * *before* it looks whether it was woken without need, so that a wake-up cannot be lost on its way out. Thread-safe.
 *
 * <p>INVARIANT: while somebody sleeps beside a queue with something in it, another caller has been woken for that and
 * has not looked yet, or hands its wake-up on.
 */
final class Waiters {
    private final Map<Long, Deque<Waiter>> byLane = new HashMap<>();
    /** Those whose claims have an idempotency key. */
    private final Map<String, Deque<Waiter>> byKey = new HashMap<>();

    /** One waiting caller; it may wait at several queues, of several stores. */
    static final class Waiter {
        private final CountDownLatch woken = new CountDownLatch(1);

        boolean await(long nanos) throws InterruptedException {
            return woken.await(nanos, TimeUnit.NANOSECONDS);
        }

        boolean isWoken() {
            return woken.getCount() == 0;
        }

        void wake() {
            woken.countDown();
        }
    }

    synchronized void register(Waiter waiter, Collection<Lane> lanes, Optional<String> key) {
        for (Lane lane : lanes) {
            byLane.computeIfAbsent(lane.id(), _ -> new ArrayDeque<>()).addLast(waiter);
        }
        key.ifPresent(text -> byKey.computeIfAbsent(text, _ -> new ArrayDeque<>()).addLast(waiter));
    }

    synchronized void leave(Waiter waiter, Collection<Lane> lanes, Optional<String> key) {
        lanes.forEach(lane -> leave(waiter, byLane, lane.id()));
        key.ifPresent(text -> leave(waiter, byKey, text));
    }

    private static <K> void leave(Waiter waiter, Map<K, Deque<Waiter>> places, K place) {
        Deque<Waiter> waiting = places.get(place);
        if (waiting != null) {
            waiting.remove(waiter);
            if (waiting.isEmpty()) {
                places.remove(place);
            }
        }
    }

    /** A claim with that key got something: the others that wait with it are to have the same. */
    synchronized void claimed(String key) {
        byKey.getOrDefault(key, new ArrayDeque<>()).forEach(Waiter::wake);
    }

    /** The keys that somebody waits with. */
    synchronized Set<String> keys() {
        return Set.copyOf(byKey.keySet());
    }

    /** There is nothing to wait for any more. */
    synchronized void wakeAll() {
        byLane.values().forEach(waiting -> waiting.forEach(Waiter::wake));
    }

    /** The queues that somebody waits at, by their numbers. */
    synchronized Set<Long> waitedFor() {
        return Set.copyOf(byLane.keySet());
    }

    /** How many queues somebody waits at, and keys somebody waits with. */
    synchronized int size() {
        return byLane.size() + byKey.size();
    }

    /** Something for that many callers is there. */
    synchronized void arrived(long lane, long items) {
        Deque<Waiter> waiting = byLane.get(lane);
        for (long left = items; left > 0 && waiting != null;) {
            @Nullable
            Waiter waiter = waiting.pollFirst();
            if (waiter == null) {
                return;
            }
            if (!waiter.isWoken()) {
                waiter.wake();
                left--;
            }
        }
    }
}

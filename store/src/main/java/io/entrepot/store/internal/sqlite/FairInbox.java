package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.Owner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls on their way to the committing thread, fair between owners.
 *
 * <p>Callers add to a lock-free queue; the one taker sorts arrivals into a lane for each owner and fills a group by
 * deficit round robin: each lane in turn is credited a quantum and gives calls as long as their cost is covered. So an
 * owner with a million waiting calls delays another one's first call by a few quanta, not by a million.
 *
 * <p>The taker sleeps until as many calls as it {@code wanted} have arrived: one when idle; as many as the last group
 * had while it waits for company. Callers wake it only when that number is reached, which spares most of the wake-ups.
 */
final class FairInbox {
    /** Credit per turn, in operations; large enough that small calls go in runs, small against a group. */
    static final long QUANTUM = 16;
    private static final long BYTES_PER_OPERATION = 4096;
    private static final Ticker REAL = Ticker.system();
    private static final int AWAKE = Integer.MAX_VALUE;

    private final GroupLimits limits;
    private final Queue<Call<?>> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile int wanted = AWAKE;
    private volatile boolean nudged;
    private volatile Thread taker = Thread.currentThread();

    private final Map<Owner, Lane> lanes = new HashMap<>();
    private final Deque<Lane> turns = new ArrayDeque<>();
    private int waiting;
    private int lastGroup = 1;

    private static final class Lane {
        final Owner owner;
        final Deque<Call<?>> calls = new ArrayDeque<>();
        long credit;
        boolean credited;

        Lane(Owner owner) {
            this.owner = owner;
        }

        /** The next call, if the lane's credit covers it. */
        @Nullable
        Call<?> next() {
            Call<?> call = calls.peekFirst();
            return call != null && weight(call) <= credit ? call : null;
        }
    }

    FairInbox(GroupLimits limits) {
        this.limits = limits;
    }

    void takenBy(Thread thread) {
        taker = thread;
    }

    void add(Call<?> call) {
        arrivals.add(call);
        if (arrived.incrementAndGet() >= wanted) {
            LockSupport.unpark(taker);
        }
    }

    /** Wakes the taker even though nothing has arrived. */
    void nudge() {
        nudged = true;
        LockSupport.unpark(taker);
    }

    /** Waits up to {@code nanos} for calls, and a little longer for company; then returns a group, maybe empty. */
    List<Call<?>> take(long nanos) {
        sort();
        if (waiting == 0) {
            sleepUntil(1, nanos);
            sort();
        }
        if (waiting > 0 && waiting < lastGroup && !limits.company().isZero()) {
            sleepUntil(lastGroup - waiting, limits.company().toNanos());
            sort();
        }
        List<Call<?>> group = fill();
        if (!group.isEmpty()) {
            lastGroup = group.size();
        }
        return group;
    }

    /** Calls that did not get their turn in the group go back to the head of their lanes. */
    void giveBack(List<Call<?>> calls) {
        for (Call<?> call : calls.reversed()) {
            lane(call.owner).calls.addFirst(call);
            waiting++;
        }
    }

    /** Everything that waits, for the taker when it ends. */
    List<Call<?>> drain() {
        List<Call<?>> all = new ArrayList<>();
        lanes.values().forEach(lane -> all.addAll(lane.calls));
        lanes.clear();
        turns.clear();
        waiting = 0;
        all.addAll(late());
        return all;
    }

    /** What has arrived and was not sorted. Safe for any thread, so that a caller can withdraw after the taker's end. */
    List<Call<?>> late() {
        List<Call<?>> all = new ArrayList<>();
        for (Call<?> call = arrivals.poll(); call != null; call = arrivals.poll()) {
            all.add(call);
        }
        return all;
    }

    private void sleepUntil(int calls, long nanos) {
        long deadline = REAL.nanos() + nanos;
        wanted = calls;
        nudged = false;
        for (long left = nanos; left > 0 && arrived.get() < calls && !nudged; left = deadline - REAL.nanos()) {
            LockSupport.parkNanos(this, left);
        }
        wanted = AWAKE;
    }

    private void sort() {
        int taken = 0;
        for (Call<?> call = arrivals.poll(); call != null; call = arrivals.poll()) {
            lane(call.owner).calls.addLast(call);
            taken++;
        }
        arrived.addAndGet(-taken);
        waiting += taken;
    }

    private Lane lane(Owner owner) {
        return lanes.computeIfAbsent(owner, name -> {
            Lane lane = new Lane(name);
            turns.addLast(lane);
            return lane;
        });
    }

    private List<Call<?>> fill() {
        List<Call<?>> group = new ArrayList<>(Math.min(waiting, limits.operations()));
        long operations = 0;
        long bytes = 0;
        while (!turns.isEmpty()) {
            Lane lane = turns.peekFirst();
            if (!lane.credited) {
                lane.credit += QUANTUM;
                lane.credited = true;
            }
            for (Call<?> call = lane.next(); call != null; call = lane.next()) {
                operations += call.cost.operations();
                bytes += call.cost.bytes();
                if (!group.isEmpty() && (operations > limits.operations() || bytes > limits.bytes())) {
                    return group;
                }
                lane.credit -= weight(call);
                group.add(lane.calls.removeFirst());
                waiting--;
            }
            turns.removeFirst();
            lane.credited = false;
            if (lane.calls.isEmpty()) {
                // A lane that has nothing to do saves no credit for later, and leaves.
                lanes.remove(lane.owner);
            } else {
                turns.addLast(lane);
            }
        }
        return group;
    }

    private static long weight(Call<?> call) {
        return call.cost.operations() + call.cost.bytes() / BYTES_PER_OPERATION;
    }
}

package io.entrepot.store.internal.jdbc;

import io.entrepot.lease.Ticker;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.Owner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
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
 * <p>A group that runs out of time gives back what it has not run. The lanes of which it ran nothing are then the first
 * of the next group, and those of which it ran something the last: so each group that is cut short still brings every
 * lane closer to its turn, however slow the calls of the others are.
 *
 * <p>The taker waits until as many calls as it {@code wanted} have arrived: one when idle; as many as the last group had while it waits
 * for company, or half of that if it can take more later. Callers wake it only when that number is reached, which spares most of the
 * wake-ups; while it expects some, it does not fall asleep at once.
 */
final class FairInbox {
    /** Credit per turn, in operations; large enough that small calls go in runs, small against a group. */
    static final long QUANTUM = 16;
    private static final long BYTES_PER_OPERATION = 4096;
    private static final Ticker REAL = Ticker.system();
    private static final int AWAKE = Integer.MAX_VALUE;
    /** To be woken takes about as long as those who are expected need to come. */
    private static final long STAYS_AWAKE_NANOS = 150_000;

    private final GroupLimits limits;
    /** A call is never weighed heavier than a whole group, or its lane would have to save up for ever. */
    private final long heaviest;
    private final Queue<Call<?>> arrivals = new ConcurrentLinkedQueue<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile int wanted = AWAKE;
    private volatile boolean nudged;
    private volatile Thread taker = Thread.currentThread();

    private final Map<Owner, Lane> lanes = new HashMap<>();
    private final Deque<Lane> turns = new ArrayDeque<>();
    private int waiting;
    private int lastGroup = 1;
    /** Whether somebody has just been answered: he may come back at once, or with others. */
    private boolean expecting;
    /** Of the group that is being taken: how many it has, what it may still take, and until when it waits for company. */
    private int taken;
    private long operations;
    private long bytes;
    private long companyUntil;

    private static final class Lane {
        final Owner owner;
        final Deque<Call<?>> calls = new ArrayDeque<>();
        long credit;
        boolean credited;

        Lane(Owner owner) {
            this.owner = owner;
        }
    }

    FairInbox(GroupLimits limits) {
        this.limits = limits;
        this.heaviest = Math.max(limits.operations(), limits.bytes() / BYTES_PER_OPERATION);
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

    /**
     * Waits up to {@code nanos} for calls, and a little longer for company; then begins a group, maybe empty. If more is to be
     * taken, half of the company that there was last time is enough to begin with.
     */
    List<Call<?>> take(long nanos, boolean more) {
        expecting = taken > 0;
        if (expecting) {
            lastGroup = taken;
        }
        taken = 0;
        operations = limits.operations();
        bytes = limits.bytes();
        sort();
        if (waiting == 0) {
            waitFor(1, nanos);
            sort();
        }
        companyUntil = REAL.nanos() + limits.company().toNanos();
        return withCompany(more ? (lastGroup + 1) / 2 : lastGroup);
    }

    /** What else the group can have, after a wait for the rest of the company; maybe nothing. */
    List<Call<?>> more() {
        sort();
        return withCompany(lastGroup - taken);
    }

    private List<Call<?>> withCompany(int company) {
        if ((waiting > 0 || taken > 0) && waiting < company) {
            waitFor(company - waiting, companyUntil - REAL.nanos());
            sort();
        }
        List<Call<?>> some = fill();
        taken += some.size();
        return some;
    }

    /** What a group that ran out of time has {@code left} goes back to the heads of its lanes; {@code done} has run. */
    void giveBack(List<Call<?>> left, List<Call<?>> done) {
        if (left.isEmpty()) {
            return;
        }
        Set<Lane> givenBack = new LinkedHashSet<>();
        for (Call<?> call : left) {
            givenBack.add(lane(call.owner));
        }
        for (Call<?> call : left.reversed()) {
            Lane lane = lane(call.owner);
            lane.calls.addFirst(call);
            // Only the next call keeps what was saved up for it, or a lane could go on without end.
            lane.credit = Math.max(0, weight(call) - QUANTUM);
            lane.credited = false;
            waiting++;
        }
        Set<Owner> hadTheirTurn = new HashSet<>();
        done.forEach(call -> hadTheirTurn.add(call.owner));
        turns.removeAll(givenBack);
        List<Lane> first = givenBack.stream().filter(lane -> !hadTheirTurn.contains(lane.owner)).toList();
        first.reversed().forEach(turns::addFirst);
        givenBack.stream().filter(lane -> hadTheirTurn.contains(lane.owner)).forEach(turns::addLast);
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

    private void waitFor(int calls, long nanos) {
        long deadline = REAL.nanos() + nanos;
        if (expecting) {
            stayAwake(calls, Math.min(nanos, STAYS_AWAKE_NANOS));
        }
        wanted = calls;
        for (long left = deadline - REAL.nanos(); left > 0 && arrived.get() < calls && !nudged; left = deadline
                - REAL.nanos()) {
            LockSupport.parkNanos(this, left);
        }
        wanted = AWAKE;
        nudged = false;
    }

    @SuppressWarnings("ThreadPriorityCheck") // with one processor, nobody could come while this one spins
    private void stayAwake(int calls, long nanos) {
        long begin = REAL.nanos();
        while (arrived.get() < calls && !nudged && REAL.nanos() - begin < nanos) {
            Thread.yield();
        }
    }

    private void sort() {
        int sorted = 0;
        for (Call<?> call = arrivals.poll(); call != null; call = arrivals.poll()) {
            lane(call.owner).calls.addLast(call);
            sorted++;
        }
        arrived.addAndGet(-sorted);
        waiting += sorted;
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
        while (!turns.isEmpty()) {
            Lane lane = turns.peekFirst();
            if (!lane.credited) {
                lane.credit += QUANTUM;
                lane.credited = true;
            }
            for (Call<?> call = affordable(lane); call != null; call = affordable(lane)) {
                if (taken + group.size() > 0 && (call.cost.operations() > operations || call.cost.bytes() > bytes)) {
                    return group;
                }
                operations -= call.cost.operations();
                bytes -= call.cost.bytes();
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

    /** The lane's next call, if its credit covers it. */
    private @Nullable Call<?> affordable(Lane lane) {
        Call<?> call = lane.calls.peekFirst();
        return call != null && weight(call) <= lane.credit ? call : null;
    }

    private long weight(Call<?> call) {
        return Math.min(heaviest, call.cost.operations() + call.cost.bytes() / BYTES_PER_OPERATION);
    }
}

package io.entrepot.queue.internal;

import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.QueueConfig;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import io.entrepot.store.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens by itself when its time has come: leases run out, delayed items become ready, old outcomes are forgotten.
 * Each in small transactions; one that fails is tried again at the next tick and stops nothing else.
 *
 * <p>One thread, which sleeps until the next thing is due. {@link #tick} may also be called by anybody, one at a time.
 */
final class Clockwork {
    private static final Logger LOG = LoggerFactory.getLogger(Clockwork.class);
    private static final int STEP = 500;
    private static final long LONGEST_SLEEP_NANOS = 500_000_000L;
    private static final long FORGET_EVERY_MILLIS = 60_000;
    private static final long LOOK_EVERY_MILLIS = 1_000;

    private final Store store;
    private final Lanes lanes;
    private final Holds holds;
    private final Keeper keeper;
    private final Steps steps;
    private final Past past;
    private final Keys keys;
    private final ClaimKeys claimKeys;
    private final Arrivals arrivals;
    private final SettleOperation settle;
    private final Ahead ahead;
    private final Returns returns;
    private final QueueConfig config;
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean nudged;
    private long now;
    private long forgotten;
    private long looked;

    Clockwork(Store store, Lanes lanes, Holds holds, Keeper keeper, Steps steps, Past past, Keys keys,
            ClaimKeys claimKeys, Arrivals arrivals, SettleOperation settle, Ahead ahead, Returns returns,
            QueueConfig config) {
        this.ahead = ahead;
        this.returns = returns;
        this.store = store;
        this.lanes = lanes;
        this.holds = holds;
        this.keeper = keeper;
        this.steps = steps;
        this.past = past;
        this.keys = keys;
        this.claimKeys = claimKeys;
        this.arrivals = arrivals;
        this.settle = settle;
        this.config = config;
        this.thread = Thread.ofVirtual().name("queue-clockwork").unstarted(this::run);
        // Whatever is delayed may be due already.
        arrivals.stillDue();
        arrivals.onSooner(this::nudge);
    }

    void start() {
        thread.start();
    }

    void close() {
        closing = true;
        nudge();
        try {
            if (thread.getState() != Thread.State.NEW) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closing) {
            long pause = LONGEST_SLEEP_NANOS;
            nudged = false;
            try {
                tick();
                pause = sleep();
            } catch (StoreClosedException e) {
                return;
            } catch (RuntimeException | Error e) {
                // Whatever it was: without this thread no lease would ever run out.
                LOG.warn("what was due in the queues could not be done now, and is tried again: {}", e.toString());
            }
            if (!nudged && !closing) {
                LockSupport.parkNanos(this, pause);
            }
        }
    }

    /** There is something to do sooner than was known. Remembered, since what runs in a tick may use up an unpark. */
    private void nudge() {
        nudged = true;
        LockSupport.unpark(thread);
    }

    private long sleep() {
        long longest = longestSleep();
        long untilExpiry = Math.min(holds.nanosToNext().orElse(longest), ahead.nanosToNext().orElse(longest));
        long millisUntilDue = Math.clamp(arrivals.nextDue(), now(), now() + LONGEST_SLEEP_NANOS / 1_000_000) - now();
        return Math.clamp(Math.min(untilExpiry, millisUntilDue * 1_000_000), 1_000_000, longest);
    }

    /** Among others, short enough not to be taken for dead. */
    private long longestSleep() {
        return store.shared() ? Math.min(LONGEST_SLEEP_NANOS, config.silence().toNanos() / 8) : LONGEST_SLEEP_NANOS;
    }

    /** Every step is tried, whatever became of the others; the first failure is thrown at the end. */
    synchronized void tick() {
        try {
            now = store.read(snapshot -> snapshot.now());
            Failures failures = new Failures();
            failures.of(returns::giveBackStale);
            failures.of(() -> expire(failures));
            failures.of(this::lookForWhatOthersDid);
            failures.of(this::promoteDue);
            failures.of(this::forgetOld);
            failures.of(steps::tend);
            failures.of(keeper::tend);
            failures.rethrow();
        } catch (StoreClosedException e) {
            // Nothing will arrive any more. Whoever waits looks once again, and is told so.
            arrivals.waiters.wakeAll();
            throw e;
        }
    }

    /** What was not told, or was lost on its way. */
    private void lookForWhatOthersDid() {
        if (store.shared() && Math.abs(now - looked) >= LOOK_EVERY_MILLIS) {
            looked = now;
            List<@Nullable Object[]> waited = new ArrayList<>();
            arrivals.waiters.waitedFor().forEach(lane -> waited.add(new Object[]{lane}));
            store.read(snapshot -> {
                firstDelayed(snapshot).ifPresent(arrivals::dueAt);
                return steps.ready(snapshot, waited);
            }).forEach(lane -> arrivals.waiters.arrived(lane, 1));
            Set<String> waitedWith = arrivals.waiters.keys();
            if (!waitedWith.isEmpty()) {
                store.read(snapshot -> claimKeys.used(snapshot, waitedWith)).forEach(arrivals.waiters::claimed);
            }
            endWhatWasTakenAway();
        }
    }

    /** A lease that is renewed in time never runs out, so that nobody would look whether it is current. */
    private void endWhatWasTakenAway() {
        List<ItemLease> renewed = holds.takeRenewed(STEP);
        if (!renewed.isEmpty()) {
            Set<Long> current = current(renewed);
            renewed.stream().filter(lease -> !current.contains(lease.item().number()))
                    .forEach(lease -> holds.end(lease.item().number(), lease.fence()));
        }
    }

    private static OptionalLong firstDelayed(Snapshot snapshot) {
        return snapshot.query("SELECT at FROM parked WHERE state = 2 ORDER BY at LIMIT 1", row -> row.getLong(1))
                .stream().mapToLong(Long::longValue).findFirst();
    }

    private void promoteDue() {
        if (arrivals.takeDue(now)) {
            try {
                inSteps(this::promote);
            } catch (RuntimeException | Error e) {
                arrivals.stillDue();
                throw e;
            }
        }
    }

    private void forgetOld() {
        if (now - forgotten >= FORGET_EVERY_MILLIS) {
            forgotten = now;
            // Keys first: how long one is needed may hang on what is forgotten next.
            inSteps(tx -> keys.forget(tx, STEP));
            inSteps(tx -> past.forget(tx, STEP));
            inSteps(tx -> claimKeys.forget(tx, STEP));
        }
    }

    private synchronized long now() {
        return now;
    }

    /** The items whose leases the next tick would end, as they have run out. */
    List<ItemId> overdue() {
        List<ItemLease> leases = holds.overdue();
        if (leases.isEmpty() || !store.shared()) {
            return leases.stream().map(ItemLease::item).toList();
        }
        Set<Long> held = current(leases);
        return leases.stream().map(ItemLease::item).filter(item -> held.contains(item.number())).toList();
    }

    private void expire(Failures failures) {
        for (List<Holds.Expired> expired = holds.takeExpired(STEP); !expired.isEmpty(); expired = holds
                .takeExpired(STEP)) {
            byOwner(expired).forEach((owner, leases) -> failures.of(() -> expire(owner, leases)));
            failures.of(keeper::tend); // there may be so many that others would take us for dead
        }
    }

    private Map<Owner, List<Holds.Expired>> byOwner(List<Holds.Expired> expired) {
        try {
            Map<Owner, List<Holds.Expired>> byOwner = new HashMap<>();
            stillHeld(expired).forEach(
                    one -> byOwner.computeIfAbsent(one.held().lease().item().owner(), _ -> new ArrayList<>())
                            .add(one));
            return byOwner;
        } catch (RuntimeException | Error e) {
            giveBack(expired);
            throw e;
        }
    }

    /** Whatever it was that failed, memory that was short included: nobody else remembers these. */
    private void giveBack(List<Holds.Expired> expired) {
        expired.forEach(one -> holds.giveBack(one, LONGEST_SLEEP_NANOS));
    }

    /** Another process may have ended a lease that is counted here. Then there is nothing to do, and no reason to write. */
    private List<Holds.Expired> stillHeld(List<Holds.Expired> expired) {
        if (!store.shared()) {
            return expired;
        }
        Set<Long> held = current(expired.stream().map(one -> one.held().lease()).toList());
        return expired.stream().filter(one -> held.contains(one.held().lease().item().number())).toList();
    }

    /** The items of those leases that are current. */
    private Set<Long> current(List<ItemLease> leases) {
        List<@Nullable Object[]> rows = new ArrayList<>(leases.size());
        leases.forEach(lease -> rows.add(new Object[]{lease.item().number(), lease.fence().epoch().value(),
                lease.fence().nonce()}));
        return Set.copyOf(store.read(snapshot -> snapshot.queryEach(
                "WITH e (id, epoch, nonce) AS (VALUES $rows) SELECT h.id FROM e JOIN held h ON h.id = e.id"
                        + " AND h.epoch = e.epoch AND h.nonce = e.nonce",
                row -> row.getLong(1), rows)));
    }

    private void expire(Owner owner, List<Holds.Expired> leases) {
        try {
            store.write(owner, settle, leases.stream().map(one -> new SettleOperation.Request(one.held().lease(),
                    new SettleOperation.How.Expired(one.held(), one.counts()))).toList());
        } catch (RuntimeException | Error e) {
            if (e instanceof StoreException || leases.size() == 1) {
                giveBack(leases);
                throw e;
            }
            // Something is wrong with one of them: the others must not suffer for it.
            Failures failures = new Failures();
            leases.forEach(one -> failures.of(() -> expire(owner, List.of(one))));
            failures.rethrow();
        }
    }

    private record Due(long queue, long at, long id, int priority) {}

    /** A delayed item takes its place in the order as of when it was due: it does not jump the queue. */
    private int promote(Transaction tx) {
        List<Due> due = tx.query("SELECT p.queue, p.at, p.id, i.priority FROM parked p JOIN item i ON i.id = p.id"
                + " WHERE p.state = 2 AND p.at <= ? ORDER BY p.at LIMIT ?",
                row -> new Due(row.getLong(1), row.getLong(2), row.getLong(3), row.getInt(4)), tx.now(), STEP);
        Map<Lane, long[]> ready = new HashMap<>();
        List<@Nullable Object[]> places = new ArrayList<>();
        for (Due one : due) {
            Lane lane = lanes.lane(tx, one.queue);
            long rank = Rank.of(one.at, one.priority, config.priorityStep());
            places.add(new Object[]{lane.id(), rank, one.id});
            tx.update("DELETE FROM parked WHERE queue = ? AND state = 2 AND at = ? AND id = ?", one.queue, one.at,
                    one.id);
            tx.update("UPDATE item SET state = 0, place = ? WHERE id = ?", rank, one.id);
            ready.computeIfAbsent(lane, _ -> new long[1])[0]++;
        }
        steps.makeReady(tx, places);
        ready.forEach((lane, n) -> {
            tx.add(lane.counter(ItemState.DELAYED), -n[0]);
            tx.add(lane.counter(ItemState.READY), n[0]);
        });
        arrivals.announce(tx, ready, firstDelayed(tx));
        return due.size();
    }

    private void inSteps(Work<Integer> work) {
        int done;
        do {
            done = store.write(Owner.SYSTEM, work);
            keeper.tend();
        } while (done == STEP);
    }
}

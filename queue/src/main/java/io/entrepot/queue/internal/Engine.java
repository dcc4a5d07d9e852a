package io.entrepot.queue.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.QueueStatus;
import io.entrepot.queue.Witness;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The queues of one store. Thread-safe: what is shared is in the store, or in parts that say how they are safe. */
public final class Engine {
    private static final int STEP = 500;

    private final Store store;
    private final Nonces nonces;
    private final Lanes lanes;
    private final Holds holds;
    private final Keeper keeper;
    private final Past past;
    private final Numbers numbers;
    private final Listing listing;
    private final Arrivals arrivals;
    private final PutOperation put;
    private final ClaimKeys claimKeys;
    private final Ahead ahead;
    private final Returns returns;
    private final ClaimOperation claim;
    private final NamedClaim named;
    private final RenewOperation renew;
    private final SettleOperation settle;
    private final OperatorWork operator;
    private final Clockwork clockwork;
    private volatile boolean closed;

    public Engine(Store store, StoreConfig clocks, QueueConfig config, Witness witness) {
        this.store = store;
        this.nonces = clocks.nonces();
        lanes = new Lanes(store);
        holds = new Holds(clocks.ticker(), store.shared());
        past = new Past(config.memory());
        numbers = new Numbers(past, !store.shared());
        arrivals = new Arrivals(store.shared());
        Keys keys = new Keys(past, config.memory());
        listing = new Listing(lanes, config.priorityStep());
        ahead = new Ahead(clocks.ticker(), store.shared(), arrivals::nudge);
        Steps steps = Steps.of(store, lanes, holds, ahead, arrivals::nudge);
        returns = new Returns(store, lanes, holds, steps, arrivals, ahead);
        put = new PutOperation(lanes, steps, keys, numbers, arrivals, config);
        keeper = store.shared()
                ? new SharedKeeper(store, lanes, holds, clocks.ticker(), config.silence())
                : Keeper.alone(lanes, holds, store);
        renew = new RenewOperation(holds);
        claimKeys = new ClaimKeys(lanes, arrivals.waiters, past);
        claim = new ClaimOperation(lanes, steps, holds, keeper, claimKeys, ahead, nonces);
        named = new NamedClaim(lanes, steps, holds, keeper, claimKeys, returns, config);
        settle = new SettleOperation(lanes, holds, steps, past, arrivals, config, witness, ahead, claim);
        operator = new OperatorWork(lanes, holds, steps, past, arrivals, returns, ahead, config,
                store.shared());
        store.listen(arrivals::heard);
        store.listen(ahead::heard);
        store.listen(operator::heard);
        clockwork = new Clockwork(store, lanes, holds, keeper, steps, past, keys, claimKeys, arrivals, settle, ahead,
                returns, config);
        if (config.background()) {
            keeper.start();
            clockwork.start();
        }
    }

    public long reserve(Owner owner, int n) {
        return store.write(owner, tx -> numbers.reserve(tx, n));
    }

    public void reserveUpTo(Owner owner, long number) {
        store.write(owner, tx -> {
            numbers.takeUpTo(tx, number);
            return number;
        });
    }

    public Placed put(NewItem item) {
        return store.write(item.queue().owner(), put, PutOperation.Request.of(item));
    }

    public List<Placed> put(Transaction tx, List<NewItem> items) {
        return put.run(tx, items.stream().map(PutOperation.Request::of).toList());
    }

    /** What is there now, if anything. Not after the end: nobody would notice when a lease runs out. */
    public List<Claimed> claim(ClaimRequest request, List<QueueName> queues, int max) {
        requireOpen();
        Optional<Claimed> prepared = claimedAhead(request, queues, max);
        if (prepared.isPresent()) {
            return List.of(prepared.get());
        }
        ClaimOperation.Request wanted = request(request, queues, max);
        returns.settle(wanted.lanes());
        Owner owner = wanted.lanes().getFirst().name().owner();
        List<Claimed> claimed = store.write(owner, claim, wanted);
        // What waits for others who may not come is there for whoever asks.
        if (claimed.isEmpty() && returns.giveBackTo(wanted.lanes())) {
            claimed = store.write(owner, claim, wanted);
        }
        return whole(request.key(), claimed);
    }

    /** What is held for this worker already, with its whole term. Many at once, from several queues or with a key is never. */
    private Optional<Claimed> claimedAhead(ClaimRequest request, List<QueueName> queues, int max) {
        if (max > 1 || queues.size() > 1 || request.key().isPresent()) {
            return Optional.empty();
        }
        long queue = lanes.lane(queues.getFirst()).id();
        Optional<Ahead.Entry> entry = ahead.asked(new Ahead.Wish(queue, request.holder(), request.term().toMillis()));
        if (entry.isPresent() && !isRenewed(entry.get().claimed().lease())) {
            ahead.cannotBeTaken(entry.get());
            return Optional.empty();
        }
        return entry.map(Ahead.Entry::claimed);
    }

    private boolean isRenewed(ItemLease lease) {
        return keeper.mayCount() && holds.renew(lease, keeper.number());
    }

    /** What an earlier claim with its key got from these queues, if there was one. */
    Optional<List<Claimed>> claimedBefore(ClaimRequest request, List<QueueName> queues) {
        requireOpen();
        ClaimOperation.Request wanted = request(request, queues, request.max());
        return Optional.ofNullable(store.read(snapshot -> claimKeys.find(snapshot, Map.of(0, wanted))).get(0))
                .map(claimed -> whole(request.key(), claimed));
    }

    /** Leases that were granted before begin their terms anew, so that whoever asks again has the whole of them. */
    private List<Claimed> whole(Optional<String> key, List<Claimed> claimed) {
        if (claimed.isEmpty() || !claimed.getFirst().repeated()) {
            return claimed;
        }
        Set<ItemLease> current = renewAll(claimed.stream().map(Claimed::lease).toList());
        List<Claimed> left = claimed.stream().filter(one -> current.contains(one.lease())).toList();
        if (left.isEmpty()) {
            throw IdempotencyConflictException.spentClaim(key.orElseThrow());
        }
        return left;
    }

    private ClaimOperation.Request request(ClaimRequest request, List<QueueName> queues, int max) {
        List<Lane> wanted = new ArrayList<>(queues.size());
        // Any order that repeats could fall into step with the callers, and one queue never be looked at first.
        int first = queues.size() == 1 ? 0 : Math.floorMod(nonces.next(), queues.size());
        for (int i = 0; i < queues.size(); i++) {
            wanted.add(lanes.lane(queues.get((first + i) % queues.size())));
        }
        return new ClaimOperation.Request(wanted, request.holder(), max, request.term().toMillis(), nonces.next(),
                ClaimKeys.Key.of(request));
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreClosedException("the queues have been closed", null);
        }
    }

    public Claimed claim(ItemId item, String holder, Duration term, Optional<String> key) {
        requireOpen();
        Optional<ClaimKeys.Key> digested = ClaimKeys.Key.of(item, holder, term, key);
        Claimed claimed = store.write(item.owner(),
                tx -> named.run(tx, item, holder, term.toMillis(), nonces.next(), digested));
        return whole(key, List.of(claimed)).getFirst();
    }

    /** A caller's wait for arrivals in some queues. */
    public final class Watch implements AutoCloseable {
        private final Waiters.Waiter waiter;
        private final List<Lane> watched;
        private final Optional<String> key;

        Watch(Waiters.Waiter waiter, List<Lane> watched, Optional<String> key) {
            this.waiter = waiter;
            this.watched = watched;
            this.key = key;
            arrivals.waiters.register(waiter, watched, key);
        }

        /** A wake-up that its receiver has no use for goes to the next one in line, except where it was served. */
        void passOn(Set<QueueName> served) {
            watched.stream().filter(lane -> !served.contains(lane.name()))
                    .forEach(lane -> arrivals.waiters.arrived(lane.id(), 1));
        }

        @Override
        public void close() {
            arrivals.waiters.leave(waiter, watched, key);
        }
    }

    Watch watch(Waiters.Waiter waiter, List<QueueName> queues, Optional<String> key) {
        return new Watch(waiter, queues.stream().map(lanes::lane).toList(), key);
    }

    public boolean renew(ItemLease lease) {
        if (isRenewed(lease)) {
            return true;
        }
        return store.shared() && store.write(lease.item().owner(), renew, lease);
    }

    /** Those that are current. */
    private Set<ItemLease> renewAll(List<ItemLease> leases) {
        Set<ItemLease> current = new HashSet<>();
        if (keeper.mayCount()) {
            leases.stream().filter(lease -> holds.renew(lease, keeper.number())).forEach(current::add);
        }
        List<ItemLease> elsewhere = leases.stream().filter(lease -> !current.contains(lease)).toList();
        if (store.shared() && !elsewhere.isEmpty()) {
            List<Boolean> renewed = store.write(elsewhere.getFirst().item().owner(), tx -> renew.run(tx, elsewhere));
            for (int i = 0; i < elsewhere.size(); i++) {
                if (renewed.get(i)) {
                    current.add(elsewhere.get(i));
                }
            }
        }
        return current;
    }

    /** Empty where the lease is lost. */
    public List<Optional<Outcome>> end(List<ItemLease> leases, Ending ending) {
        Owner owner = leases.getFirst().item().owner();
        return store.write(owner, settle, requests(leases, ending));
    }

    public List<Optional<Outcome>> end(Transaction tx, List<ItemLease> leases, Ending ending) {
        return settle.run(tx, List.of(requests(leases, ending))).getFirst();
    }

    private static List<SettleOperation.Request> requests(List<ItemLease> leases, Ending ending) {
        return leases.stream()
                .map(lease -> new SettleOperation.Request(lease, new SettleOperation.How.ByHolder(ending))).toList();
    }

    public void reset(ItemId item) {
        store.write(item.owner(), tx -> {
            reset(tx, item);
            return item;
        });
    }

    public void reset(Transaction tx, ItemId item) {
        operator.reset(tx, item);
    }

    public boolean retryNow(ItemId item) {
        return store.write(item.owner(), tx -> retryNow(tx, item));
    }

    public boolean retryNow(Transaction tx, ItemId item) {
        return operator.retryNow(tx, item);
    }

    public boolean remove(Transaction tx, ItemId item, Set<ItemState> from, String note) {
        return operator.remove(tx, item, from, note);
    }

    /** Those that are dead now: what dies again meanwhile is not retried over and over. */
    public long retryDead(QueueName queue) {
        long before = store.read(snapshot -> snapshot.now()) + 1;
        return lanes.known(queue).map(lane -> inSteps(queue, tx -> operator.retryDead(tx, lane, before, STEP)))
                .orElse(0L);
    }

    public long purge(QueueName queue, ItemState state, Instant before) {
        long time = millis(before);
        return lanes.known(queue).map(lane -> inSteps(queue, tx -> operator.purge(tx, lane, state, time, STEP)))
                .orElse(0L);
    }

    /** Whoever means all of them says so with the end of time, which has no number. */
    private static long millis(Instant before) {
        return before.isAfter(Instant.ofEpochMilli(Long.MAX_VALUE))
                ? Long.MAX_VALUE
                : before.isBefore(Instant.EPOCH) ? 0 : before.toEpochMilli();
    }

    private interface Portion {
        int done(Transaction tx);
    }

    /** Large work in small transactions, so that others get their turn in between. */
    private long inSteps(QueueName queue, Portion portion) {
        long total = 0;
        while (true) {
            int n = store.write(queue.owner(), portion::done);
            total += n;
            if (n < STEP) {
                return total;
            }
        }
    }

    public boolean pause(QueueName queue, boolean paused) {
        return store.write(queue.owner(), tx -> pause(tx, queue, paused));
    }

    public boolean pause(Transaction tx, QueueName queue, boolean paused) {
        return operator.pause(tx, queue, paused);
    }

    public Optional<QueueStatus> status(QueueName queue) {
        return lanes.known(queue).map(lane -> store.read(snapshot -> status(snapshot, lane)));
    }

    public List<QueueStatus> statuses(Owner owner) {
        return store.read(snapshot -> Lanes.of(snapshot, owner).stream().map(lane -> status(snapshot, lane)).toList());
    }

    private QueueStatus status(Snapshot snapshot, Lane lane) {
        return new QueueStatus(lane.name(), lanes.paused(snapshot, lane.id()),
                new QueueCounts(snapshot.count(lane.counter(ItemState.READY)),
                        snapshot.count(lane.counter(ItemState.HELD)), snapshot.count(lane.counter(ItemState.DELAYED)),
                        snapshot.count(lane.counter(ItemState.KEPT)), snapshot.count(lane.counter(ItemState.DEAD))));
    }

    public Optional<ItemView> find(ItemId item) {
        return store.read(snapshot -> find(snapshot, List.of(item)).values().stream().findFirst());
    }

    public Map<ItemId, ItemView> find(Snapshot snapshot, Collection<ItemId> items) {
        return listing.find(snapshot, items);
    }

    public List<ItemId> parkedBefore(Snapshot snapshot, QueueName queue, ItemState state, Instant before, int max) {
        return lanes.known(snapshot, queue).map(lane -> OperatorWork.parked(snapshot, lane, state, millis(before), max))
                .orElse(List.of()).stream().map(id -> new ItemId(queue.owner(), id)).toList();
    }

    private Optional<Lane> owned(Snapshot snapshot, ItemId item) {
        return snapshot.first("SELECT queue FROM item WHERE id = ?", row -> row.getLong(1), item.number())
                .map(queue -> lanes.lane(snapshot, queue)).filter(lane -> lane.name().owner().equals(item.owner()));
    }

    public ItemPage list(ListRequest request) {
        return lanes.known(request.queue())
                .map(lane -> store.read(snapshot -> listing.page(snapshot, lane, request)))
                .orElse(new ItemPage(List.of(), ""));
    }

    /** The steps of an item's life, oldest first; empty if nothing is known of it (any more). */
    public List<HistoryStep> history(ItemId item) {
        return store.read(snapshot -> {
            if (owned(snapshot, item).isEmpty()) {
                return past.trail(snapshot, item.number(), item.owner().name()).map(Trail::read).orElse(List.of());
            }
            List<HistoryStep> steps = new ArrayList<>(snapshot.first("SELECT trail FROM item WHERE id = ?",
                    row -> Trail.read(row.getString(1)), item.number()).orElse(List.of()));
            snapshot.first("SELECT since, epoch, holder FROM held WHERE id = ?",
                    row -> new HistoryStep(Instant.ofEpochMilli(row.getLong(1)), "claimed", row.getLong(2),
                            row.getString(3), Optional.empty()),
                    item.number()).ifPresent(steps::add);
            return steps;
        });
    }

    /** Compares the counters and the tables with each other; an empty answer is a sound queue. */
    public List<String> check() {
        return store.read(Consistency::problems);
    }

    /** Does what is due: leases that have run out, delayed items, things to forget. */
    public void tick() {
        clockwork.tick();
    }

    /** Items whose leases have run out, for the next {@link #tick} to see. */
    public List<ItemId> overdue() {
        return clockwork.overdue();
    }

    public int held() {
        return holds.size();
    }

    /** How many queues somebody waits at, and keys somebody waits with. */
    public int waitedFor() {
        return arrivals.waiters.size();
    }

    private void giveBackAll() {
        try {
            returns.close();
        } catch (StoreException e) {
            // Then it runs out, as what others hold does.
        }
    }

    /** Stops what happens by itself, and ends claims that wait. */
    public void close() {
        closed = true;
        clockwork.close();
        giveBackAll();
        keeper.close();
        arrivals.waiters.wakeAll();
    }
}

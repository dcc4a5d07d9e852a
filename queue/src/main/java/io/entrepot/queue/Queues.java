package io.entrepot.queue;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.internal.Engine;
import io.entrepot.queue.internal.Routes;
import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.Snapshot;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Durable queues of any number of owners, in one data directory or one PostgreSQL.
 *
 * <p>An item is put, claimed by exactly one worker at a time, and ended once: finished, failed and tried again by a
 * policy, put off, or released. A claim is a lease with an epoch; every later step carries it and is refused if it is not the
 * current one, so a worker that slept through its lease changes nothing. Whatever returns is durable.
 *
 * <p>Put and the endings have a second form that takes a transaction: then the queue's rows and the caller's own are
 * committed together, or not at all. The transaction must be one of the item's owner's store.
 *
 * <p>Safe for use by many threads. Calls block, best on virtual threads.
 */
public final class Queues implements AutoCloseable {
    /** The tables of the queues, for opening a store that is to have some. */
    public static final Schema SCHEMA = new Schema("queue", Queues.class, 4);

    /** How many numbers are reserved together at most. */
    public static final int MOST_RESERVED = 1_000_000;
    /** The greatest number that can be asked for: as many are left for what comes after. */
    public static final long HIGHEST_RESERVED = 1L << 39;

    private final Routes routes;

    private Queues(Routes routes) {
        this.routes = routes;
    }

    /**
     * {@code storeConfig} is what the stores were opened with; {@link #SCHEMA} must be among its schemas. On
     * PostgreSQL any number of processes may have the queues open: a lease that one of them has granted can be renewed and
     * ended at all of them, and when a process dies the others go on with the leases it has granted.
     */
    public static Queues open(Stores stores, StoreConfig storeConfig, QueueConfig config) {
        return open(stores, storeConfig, config, Witness.NONE);
    }

    /** The same; {@code witness} is told of leases that run out, in the transactions in which they do. */
    public static Queues open(Stores stores, StoreConfig storeConfig, QueueConfig config, Witness witness) {
        if (!storeConfig.schemas().contains(SCHEMA)) {
            throw new IllegalArgumentException("a store with queues is opened with Queues.SCHEMA");
        }
        return new Queues(new Routes(stores, storeConfig, config, witness));
    }

    /**
     * Takes that many item numbers, and returns the first. Nobody else gets them; what is not used is no harm. Numbers are
     * those of the owner's store: two owners of one store never have the same.
     */
    public long reserve(Owner owner, int n) {
        if (n < 1 || n > MOST_RESERVED) {
            throw new IllegalArgumentException("1 to " + MOST_RESERVED + " numbers are reserved together, not " + n);
        }
        return routes.engine(owner).reserve(owner, n);
    }

    /**
     * Takes all numbers up to this one, as far as they are not taken: those handed out later are greater. For putting
     * items under the numbers they had in a database that was lost.
     */
    public void reserveUpTo(Owner owner, long number) {
        if (number < 1 || number > HIGHEST_RESERVED) {
            throw new IllegalArgumentException("numbers can be reserved up to " + HIGHEST_RESERVED + ", not " + number);
        }
        routes.engine(owner).reserveUpTo(owner, number);
    }

    public Placed put(NewItem item) {
        return engine(item.queue()).put(item);
    }

    public Placed put(Transaction tx, NewItem item) {
        return put(tx, List.of(item)).getFirst();
    }

    /** Many at once, which costs less than one by one. They may be of several owners if these share a store. */
    public List<Placed> put(Transaction tx, List<NewItem> items) {
        return items.isEmpty() ? List.of() : engine(items.getFirst().queue()).put(tx, items);
    }

    /**
     * As many as are there, up to the maximum; empty if there is nothing and the wait, if any, is over.
     *
     * @throws IdempotencyConflictException if its key was used for another claim, or all that it got has ended
     */
    public List<Claimed> claim(ClaimRequest request) throws InterruptedException {
        return routes.claim(request);
    }

    /**
     * Claims this item, whatever comes before it in its queue; also one that is delayed, which does not wait for its time
     * then. The lease is like any other.
     *
     * @throws QueueException if there is no such item, somebody has it, it is kept or dead, or its queue is paused
     */
    public Claimed claim(ItemId item, String holder, Duration term) {
        return claim(item, holder, term, Optional.empty());
    }

    /** The same with an idempotency key, as {@link ClaimRequest#key}: a repeated claim gets the same lease. */
    public Claimed claim(ItemId item, String holder, Duration term, Optional<String> key) {
        ClaimRequest.requireHolder(holder, term);
        ClaimRequest.requireKey(key);
        return engine(item).claim(item, holder, term, key);
    }

    /**
     * Begins the lease's term anew. Costs no sync; but for a lease that another process has granted.
     *
     * @throws LeaseLostException if it is not the current one
     */
    public void renew(ItemLease lease) {
        if (!engine(lease.item()).renew(lease)) {
            throw new LeaseLostException("item " + lease.item(), lease.fence());
        }
    }

    /**
     * Ends the lease. The first ending counts; a repeated call gets the first outcome back.
     *
     * @throws LeaseLostException if it is not the current one and was not ended by its holder
     */
    public Outcome end(ItemLease lease, Ending ending) {
        return held(lease, engine(lease.item()).end(List.of(lease), ending).getFirst());
    }

    /** The same within the caller's transaction. Look at {@link Outcome#repeated} before adding effects of your own. */
    public Outcome end(Transaction tx, ItemLease lease, Ending ending) {
        return held(lease, engine(lease.item()).end(tx, List.of(lease), ending).getFirst());
    }

    /** Ends many leases of one owner together; an answer is empty where the lease is lost. */
    public List<Optional<Outcome>> endAll(List<ItemLease> leases, Ending ending) {
        if (leases.isEmpty()) {
            return List.of();
        }
        Owner owner = leases.getFirst().item().owner();
        requireFew(leases);
        if (!leases.stream().allMatch(lease -> lease.item().owner().equals(owner))) {
            throw new IllegalArgumentException("leases that are ended together are of one owner");
        }
        return engine(leases.getFirst().item()).end(leases, ending);
    }

    /** The same within the caller's transaction. The leases may be of several owners if these share a store. */
    public List<Optional<Outcome>> endAll(Transaction tx, List<ItemLease> leases, Ending ending) {
        if (leases.isEmpty()) {
            return List.of();
        }
        requireFew(leases);
        return shared(leases.stream().map(ItemLease::item)).end(tx, leases, ending);
    }

    private static void requireFew(List<ItemLease> leases) {
        if (leases.size() > ClaimRequest.MOST) {
            throw new IllegalArgumentException("at most " + ClaimRequest.MOST + " leases are ended together, not "
                    + leases.size());
        }
    }

    /** Done: the item goes. */
    public Outcome finish(ItemLease lease) {
        return end(lease, new Ending.Finish(false));
    }

    /** Done: the item stays, as kept. */
    public Outcome keep(ItemLease lease) {
        return end(lease, new Ending.Finish(true));
    }

    /** Not done; tried again by the default policy. */
    public Outcome fail(ItemLease lease, String error) {
        return end(lease, new Ending.Fail(error, true, RetryPolicy.DEFAULT));
    }

    /** Not even tried: back to its place. */
    public Outcome release(ItemLease lease) {
        return end(lease, new Ending.Release());
    }

    /** Not now, through no fault of the item's: handed out again after that time, and nothing is counted. */
    public Outcome putOff(ItemLease lease, String why, Duration delay) {
        return end(lease, new Ending.PutOff(why, delay));
    }

    /** Operators: makes an item ready as if it were new, whatever its state; whoever has it loses it. */
    public void reset(ItemId item) {
        engine(item).reset(item);
    }

    /** The same within the caller's transaction. */
    public void reset(Transaction tx, ItemId item) {
        engine(item).reset(tx, item);
    }

    /** Operators: a delayed item becomes ready now, with its attempts as they are; false if it is not there or not delayed. */
    public boolean retryNow(ItemId item) {
        return engine(item).retryNow(item);
    }

    /** The same within the caller's transaction. */
    public boolean retryNow(Transaction tx, ItemId item) {
        return engine(item).retryNow(tx, item);
    }

    /**
     * Takes an item out within the caller's transaction, if it is in one of these states. Whoever has it loses it. It is
     * remembered like a finished one; its history ends with {@code removed} and the note, which may be empty.
     *
     * @return false if it is not there, or in another state
     */
    public boolean remove(Transaction tx, ItemId item, Set<ItemState> from, String note) {
        return engine(item).remove(tx, item, from, note);
    }

    /** Operators: makes every dead item of a queue ready again; returns how many. */
    public long retryDead(QueueName queue) {
        return engine(queue).retryDead(queue);
    }

    /** Operators: removes kept or dead items that have been so since before the time; returns how many. */
    public long purge(QueueName queue, ItemState state, Instant before) {
        requireParked(state);
        return engine(queue).purge(queue, state, before);
    }

    /** Nothing of a paused queue is handed out, and leases that run out do not count. Says whether it was a change. */
    public boolean pause(QueueName queue) {
        return engine(queue).pause(queue, true);
    }

    public boolean resume(QueueName queue) {
        return engine(queue).pause(queue, false);
    }

    /** Pauses or resumes within the caller's transaction. Says whether it was a change. */
    public boolean pause(Transaction tx, QueueName queue, boolean paused) {
        return engine(queue).pause(tx, queue, paused);
    }

    public Optional<QueueStatus> status(QueueName queue) {
        return engine(queue).status(queue);
    }

    public List<QueueStatus> statuses(Owner owner) {
        return routes.engine(owner).statuses(owner);
    }

    public Optional<ItemView> find(ItemId item) {
        return engine(item).find(item);
    }

    /**
     * Those of the items that are there, in the order in which they are named, as they are in what the caller reads. They
     * may be of several owners if these share a store. Costs a look by key for each, and one statement for hundreds.
     */
    public Map<ItemId, ItemView> find(Snapshot snapshot, Collection<ItemId> items) {
        return items.isEmpty() ? Map.of() : shared(items.stream()).find(snapshot, items);
    }

    /**
     * Items that have been kept or dead since before the time, oldest first, as they are in what the caller reads. For
     * removing them in portions, with rows of the caller's own: see {@link #remove}.
     */
    public List<ItemId> parkedBefore(Snapshot snapshot, QueueName queue, ItemState state, Instant before, int max) {
        requireParked(state);
        if (max < 1 || max > ListRequest.MOST) {
            throw new IllegalArgumentException("1 to " + ListRequest.MOST + " items are named at once, not " + max);
        }
        return engine(queue).parkedBefore(snapshot, queue, state, before, max);
    }

    private static void requireParked(ItemState state) {
        if (state != ItemState.KEPT && state != ItemState.DEAD) {
            throw new IllegalArgumentException("only kept and dead items can be purged, not " + state);
        }
    }

    public ItemPage list(ListRequest request) {
        return engine(request.queue()).list(request);
    }

    /** The steps of an item's life, oldest first; of one that is gone, as long as it is remembered. */
    public List<HistoryStep> history(ItemId item) {
        return engine(item).history(item);
    }

    /** Compares the queues' tables and counters with each other; empty if they are sound. */
    public List<String> check() {
        return routes.check();
    }

    /** Items whose leases, counted by this process, have run out: the next {@link #tick} ends those. */
    public List<ItemId> overdue() {
        return routes.overdue();
    }

    /** Does what is due now. Needed only without {@link QueueConfig#background}. */
    public void tick() {
        routes.tick();
    }

    @Override
    public void close() {
        routes.close();
    }

    private Engine engine(QueueName queue) {
        return routes.engine(queue.owner());
    }

    private Engine engine(ItemId item) {
        return routes.engine(item.owner());
    }

    /** The engine of items that are in one transaction or snapshot. */
    private Engine shared(Stream<ItemId> items) {
        List<Engine> engines = items.map(ItemId::owner).distinct().map(routes::engine).distinct().toList();
        if (engines.size() > 1) {
            throw new IllegalArgumentException("items of one transaction or snapshot are of owners that share a store");
        }
        return engines.getFirst();
    }

    private static Outcome held(ItemLease lease, Optional<Outcome> outcome) {
        return outcome.orElseThrow(() -> new LeaseLostException("item " + lease.item(), lease.fence()));
    }
}

package io.entrepot.queue;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.internal.Engine;
import io.entrepot.queue.internal.Routes;
import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import io.entrepot.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Durable queues of any number of owners, in one data directory or one PostgreSQL.
 *
 * <p>An item is put, claimed by exactly one worker at a time, and ended once: finished, failed and tried again by a
 * policy, or released. A claim is a lease with an epoch; every later step carries it and is refused if it is not the
 * current one, so a worker that slept through its lease changes nothing. Whatever returns is durable.
 *
 * <p>Put and the endings have a second form that takes a transaction: then the queue's rows and the caller's own are
 * committed together, or not at all. The transaction must be one of the item's owner's store.
 *
 * <p>Safe for use by many threads. Calls block, best on virtual threads.
 */
public final class Queues implements AutoCloseable {
    /** The tables of the queues, for opening a store that is to have some. */
    public static final Schema SCHEMA = new Schema("queue", Queues.class, 3);

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
        if (!storeConfig.schemas().contains(SCHEMA)) {
            throw new IllegalArgumentException("a store with queues is opened with Queues.SCHEMA");
        }
        return new Queues(new Routes(stores, storeConfig, config));
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

    /** As many as are there, up to the maximum; empty if there is nothing and the wait, if any, is over. */
    public List<Claimed> claim(ClaimRequest request) throws InterruptedException {
        return routes.claim(request);
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
        if (leases.size() > ClaimRequest.MOST) {
            throw new IllegalArgumentException("at most " + ClaimRequest.MOST + " leases are ended together, not "
                    + leases.size());
        }
        if (!leases.stream().allMatch(lease -> lease.item().owner().equals(owner))) {
            throw new IllegalArgumentException("leases that are ended together are of one owner");
        }
        return engine(leases.getFirst().item()).end(leases, ending);
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

    /** Operators: makes an item ready as if it were new, whatever its state; whoever has it loses it. */
    public void reset(ItemId item) {
        engine(item).reset(item);
    }

    /** Operators: makes every dead item of a queue ready again; returns how many. */
    public long retryDead(QueueName queue) {
        return engine(queue).retryDead(queue);
    }

    /** Operators: removes kept or dead items that have been so since before the time; returns how many. */
    public long purge(QueueName queue, ItemState state, Instant before) {
        if (state != ItemState.KEPT && state != ItemState.DEAD) {
            throw new IllegalArgumentException("only kept and dead items can be purged, not " + state);
        }
        return engine(queue).purge(queue, state, before);
    }

    /** Nothing of a paused queue is handed out, and leases that run out do not count. Says whether it was a change. */
    public boolean pause(QueueName queue) {
        return engine(queue).pause(queue, true);
    }

    public boolean resume(QueueName queue) {
        return engine(queue).pause(queue, false);
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

    private static Outcome held(ItemLease lease, Optional<Outcome> outcome) {
        return outcome.orElseThrow(() -> new LeaseLostException("item " + lease.item(), lease.fence()));
    }
}

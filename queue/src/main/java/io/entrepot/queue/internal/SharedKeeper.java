package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.lease.Lease;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Tenure;
import io.entrepot.lease.Ticker;
import io.entrepot.lease.Verdict;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several processes that count. Each holds a lease of its own, as number 1, 2, 3 …, and renews it; its keeper's
 * number is made of that and of the lease's epoch, so it is never used twice. When a keeper's lease is over or has gone to
 * somebody else, any other process writes its own number beside the item leases that were counted there, each of which then
 * has a fresh full term.
 *
 * <p>A process that was only asleep does no harm when it wakes up: it stops in time to renew from memory, because it counts
 * from before its request, and what it takes for run out is no longer its own to end.
 *
 * <p>{@link #tend} and {@link #close} are called one at a time, and a thread of its own renews; the rest is safe for use by
 * many threads.
 */
final class SharedKeeper implements Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(SharedKeeper.class);
    private static final int EPOCH_BITS = 40;
    private static final int STEP = 1000;

    private final Store store;
    private final Lanes lanes;
    private final Holds holds;
    private final Ticker ticker;
    private final Duration term;
    private final Thread heart = Thread.ofVirtual().name("queue-keeper").unstarted(this::beat);
    private volatile Post post;
    private volatile boolean closing;
    private long looked;

    /** Where this process stands. */
    private record Post(long number, Tenure tenure) {}

    SharedKeeper(Store store, Lanes lanes, Holds holds, Ticker ticker, Duration term) {
        this.store = store;
        this.lanes = lanes;
        this.holds = holds;
        this.ticker = ticker;
        this.term = term;
        this.post = takePost();
        lookAround();
    }

    private static String name(long place) {
        return "queue-keeper-" + place;
    }

    private static long numberOf(long place, Lease lease) {
        return place << EPOCH_BITS | lease.fence().epoch().value();
    }

    /** The first place that is free. */
    private Post takePost() {
        for (int place = 1;; place++) {
            long sentAt = ticker.nanos();
            if (request(place) instanceof Verdict.Granted(Lease lease)) {
                return new Post(numberOf(place, lease), new Tenure(lease, ticker, sentAt));
            }
        }
    }

    private Verdict request(long place) {
        return store.leases().request(name(place), "pid " + ProcessHandle.current().pid(), term, Protection.UNFENCED);
    }

    @Override
    public long number() {
        return post.number;
    }

    @Override
    public boolean mayCount() {
        return post.tenure.mayAct();
    }

    /** Renews in time, whatever else this process is busy with. */
    @Override
    public void start() {
        heart.start();
    }

    private void beat() {
        while (!closing) {
            try {
                renewIfDue();
            } catch (RuntimeException e) {
                LOG.debug("the keeper's place could not be renewed now", e);
            }
            LockSupport.parkNanos(this, term.toNanos() / 8);
        }
    }

    private synchronized void renewIfDue() {
        if (post.tenure.shouldRenew()) {
            renew();
        }
    }

    @Override
    public void tend() {
        renewIfDue();
        if (ticker.nanos() - looked >= term.dividedBy(4).toNanos()) {
            lookAround();
        }
    }

    private void renew() {
        Lease lease = post.tenure.lease();
        long sentAt = ticker.nanos();
        switch (store.leases().renew(lease.name(), lease.fence())) {
            case Renewal.Renewed(Lease renewed) -> post.tenure.renewed(renewed, sentAt);
            case Renewal.Lost _ -> {
                LOG.warn("this process was thought dead, and others count its leases now; it begins anew");
                Post next = takePost(); // if that fails, so will the next renewal, and it is tried again
                holds.clear();
                post = next;
            }
        }
    }

    /** Takes over what nobody counts any more. */
    private void lookAround() {
        looked = ticker.nanos();
        List<Long> others = store.read(snapshot -> snapshot.query("SELECT DISTINCT keeper FROM held WHERE keeper <> ?",
                row -> row.getLong(1), number()));
        for (long other : others) {
            if (isGone(other)) {
                long taken = takeOver(other);
                LOG.info("took over {} lease(s) that another process counted, which has ended", taken);
            }
        }
    }

    private boolean isGone(long other) {
        long place = other >> EPOCH_BITS;
        Optional<Lease> current = store.leases().current(name(place));
        if (current.isEmpty() || numberOf(place, current.get()) != other) {
            return true;
        }
        if (request(place) instanceof Verdict.Granted(Lease lease)) {
            store.leases().release(lease.name(), lease.fence());
            return true;
        }
        return false;
    }

    private long takeOver(long other) {
        long total = 0;
        int taken;
        do {
            taken = store.write(Owner.SYSTEM, tx -> {
                long mine = number();
                List<Held> some = Held.of(tx, lanes, other, STEP);
                List<@Nullable Object[]> ids = new ArrayList<>(some.size());
                some.forEach(held -> ids.add(new Object[]{held.lease().item().number()}));
                tx.updateEach("WITH e (id) AS (VALUES $rows) UPDATE held SET keeper = ? WHERE id IN (SELECT id FROM e)",
                        ids, mine);
                tx.afterCommit(() -> some.forEach(held -> holds.add(held.keptBy(mine), true)));
                return some.size();
            });
            total += taken;
        } while (taken == STEP);
        return total;
    }

    /** So that others need not wait for the end of our term. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(heart);
        try {
            if (heart.getState() != Thread.State.NEW) {
                heart.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        post.tenure.stop();
        Fence fence = post.tenure.lease().fence();
        try {
            store.leases().release(post.tenure.lease().name(), fence);
        } catch (StoreException e) {
            LOG.debug("others will notice by themselves that this process counts no longer", e);
        }
    }
}

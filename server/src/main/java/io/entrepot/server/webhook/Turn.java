package io.entrepot.server.webhook;

import io.entrepot.lease.Lease;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Tenure;
import io.entrepot.lease.Ticker;
import io.entrepot.lease.Verdict;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.Optional;

/**
 * The right to deliver for one webhook. Where several servers share the database it is a lease, and every step is refused that a
 * server takes which has lost it; a server on a database of its own always has it. Safe for use by many threads.
 */
final class Turn implements AutoCloseable {
    static final Duration TERM = Duration.ofSeconds(15);

    private final Store store;
    private final Ticker ticker;
    private final Optional<Tenure> tenure;

    private Turn(Store store, Ticker ticker, Optional<Tenure> tenure) {
        this.store = store;
        this.ticker = ticker;
        this.tenure = tenure;
    }

    /** Empty if another server has it. */
    static Optional<Turn> take(Store store, Ticker ticker, String webhook, String holder) {
        if (!store.shared()) {
            return Optional.of(new Turn(store, ticker, Optional.empty()));
        }
        long sent = ticker.nanos();
        return store.leases().request("webhook-" + webhook, holder, TERM,
                Protection.FENCED) instanceof Verdict.Granted(Lease lease)
                        ? Optional.of(new Turn(store, ticker, Optional.of(new Tenure(lease, ticker, sent))))
                        : Optional.empty();
    }

    boolean mayAct() {
        return tenure.isEmpty() || tenure.get().mayAct();
    }

    /** Renews it if that is due. Says whether it is still ours. */
    boolean keep() {
        if (tenure.isPresent() && tenure.get().shouldRenew()) {
            Lease lease = tenure.get().lease();
            long sent = ticker.nanos();
            switch (store.leases().renew(lease.name(), lease.fence())) {
                case Renewal.Renewed(Lease renewed) -> tenure.get().renewed(renewed, sent);
                case Renewal.Lost _ -> tenure.get().stop();
            }
        }
        return mayAct();
    }

    /** In the transaction of each step. */
    void require(Transaction tx) {
        tenure.ifPresent(it -> store.leases().require(tx, it.lease().name(), it.lease().fence()));
    }

    /** So that another server need not wait. */
    @Override
    public void close() {
        tenure.ifPresent(it -> {
            it.stop();
            try {
                store.leases().release(it.lease().name(), it.lease().fence());
            } catch (StoreException e) {
                // it ends by itself
            }
        });
    }
}

package io.entrepot.lease;

import io.entrepot.lease.Grant.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The grantor's side: keeps the {@link Grant} rows of any number of names in memory. All it decides is decided by the
 * rows; here is only the state. It keeps one small row for every name that was ever granted, since epochs must not be
 * forgotten.
 *
 * <p>A lease that is over stays its holder's until it is asked for by somebody else or {@link #expire expired}: an idle
 * grantor takes nothing away.
 *
 * <p>Safe for use by many threads: one lock, and the ticker is read inside it, so that decisions are made in the order of
 * their readings.
 */
public final class Grantor {
    private final Ticker ticker;
    private final Nonces nonces;
    private final Map<String, Grant> rows = new HashMap<>();

    public Grantor(Ticker ticker, Nonces nonces) {
        this.ticker = ticker;
        this.nonces = nonces;
    }

    public synchronized Verdict request(String name, String holder, Duration term, Protection protection) {
        return keep(row(name).request(holder, term, protection, ticker.nanos(), nonces.next()));
    }

    public synchronized Renewal renew(String name, Fence fence) {
        return keep(row(name).renew(fence, ticker.nanos()));
    }

    /** Gives the lease back. The holder has stopped before it calls this. Says whether the fence was current. */
    public synchronized boolean release(String name, Fence fence) {
        return keep(row(name).release(fence));
    }

    /**
     * The holder is known to be gone, for its connection broke. A fenced lease may be granted anew at once; an unfenced one
     * only when the whole term has passed since the last renewal was granted. Says whether the fence is current.
     */
    public synchronized boolean gone(String name, Fence fence) {
        keep(row(name).gone(fence));
        return holds(name, fence);
    }

    /** Ends a lease that is over, as {@link #expired} lists them. Says whether it was so, and was current. */
    public synchronized boolean expire(String name, Fence fence) {
        return keep(row(name).expire(fence, ticker.nanos()));
    }

    /**
     * The fence check: whether a step with this fence may take effect. No clock is asked. A lease whose term has run out is
     * still current until it is granted anew or expired, and then never again. For an unfenced lease this says only whose
     * it is; whether the holder may act now is for its {@link Tenure} to say.
     */
    public synchronized boolean holds(String name, Fence fence) {
        return row(name).holds(fence);
    }

    /** The current lease, to show who has it. */
    public synchronized Optional<Lease> current(String name) {
        return row(name) instanceof Held held ? Optional.of(held.lease()) : Optional.empty();
    }

    /** The leases that are over and that nobody has asked for since. */
    public synchronized List<Lease> expired() {
        long now = ticker.nanos();
        List<Lease> over = new ArrayList<>();
        for (Grant row : rows.values()) {
            if (row instanceof Held held && held.isOver(now)) {
                over.add(held.lease());
            }
        }
        return List.copyOf(over);
    }

    /** After a restart: a durable lease goes on with a fresh full term. Before any other call about its name. */
    public synchronized void adopt(Lease lease) {
        keep(row(lease.name()).adopt(lease, ticker.nanos()));
    }

    /** After a restart: the last epoch of a lease that nobody holds. Before any other call about its name. */
    public synchronized void remember(String name, Epoch last) {
        keep(row(name).remember(last));
    }

    private Grant row(String name) {
        Grant row = rows.get(name);
        return row == null ? Grant.unknown(name) : row;
    }

    private <A> A keep(Decision<A> decision) {
        keep(decision.row());
        return decision.answer();
    }

    private boolean keep(Grant row) {
        if (row.epoch().equals(Epoch.NONE)) {
            return false; // Nothing to remember about a name that was never granted.
        }
        return !row.equals(rows.put(row.name(), row));
    }
}

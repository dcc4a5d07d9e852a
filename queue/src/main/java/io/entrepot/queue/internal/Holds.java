package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.lease.Ticker;
import io.entrepot.queue.ItemLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When leases on items run out: in memory only, so that a renewal costs nothing and a restart gives everybody a fresh
 * full term. Who holds what is in the database.
 *
 * <p>Leases of the same term run out in the order in which they were last renewed. So for each term there is one list in
 * that order, and only its head needs looking at; adding, renewing and ending are constant time, and memory is that of
 * the leases held now. Thread-safe by one lock, held for moments.
 */
final class Holds {
    private final Ticker ticker;
    private final Map<Long, Hold> byItem = new HashMap<>();
    private final Map<Long, LinkedHashMap<Long, Hold>> byTerm = new HashMap<>();

    /** {@code adopted}: from before a restart and not renewed since, so it says nothing about its holder if it runs out. */
    private record Hold(ItemLease lease, long termNanos, long endsAt, boolean adopted) {}

    /** A lease that has run out, and whether that counts against the item. */
    record Expired(ItemLease lease, boolean counts) {}

    Holds(Ticker ticker) {
        this.ticker = ticker;
    }

    synchronized void add(ItemLease lease, long termMillis, boolean adopted) {
        long nanos = termMillis * 1_000_000;
        put(new Hold(lease, nanos, ticker.nanos() + nanos, adopted));
    }

    /** Says whether the lease is current; if so, its whole term begins anew. */
    synchronized boolean renew(ItemLease lease) {
        Hold hold = current(lease);
        if (hold == null) {
            return false;
        }
        drop(hold);
        put(new Hold(lease, hold.termNanos, ticker.nanos() + hold.termNanos, false));
        return true;
    }

    synchronized void end(long item, Fence fence) {
        Hold hold = byItem.get(item);
        if (hold != null && hold.lease.fence().equals(fence)) {
            drop(hold);
        }
    }

    /**
     * Takes out the leases that have run out. From now on they cannot be renewed; whoever takes them ends them in the
     * database, or gives them back by {@link #add}.
     */
    synchronized List<Expired> takeExpired(int most) {
        long now = ticker.nanos();
        List<Expired> expired = new ArrayList<>();
        for (LinkedHashMap<Long, Hold> list : List.copyOf(byTerm.values())) {
            for (Iterator<Hold> it = List.copyOf(list.sequencedValues()).iterator(); it.hasNext()
                    && expired.size() < most;) {
                Hold hold = it.next();
                if (now - hold.endsAt < 0) {
                    break;
                }
                drop(hold);
                expired.add(new Expired(hold.lease, !hold.adopted));
            }
        }
        return expired;
    }

    /** How long until the next lease runs out; negative if one has. */
    synchronized OptionalLong nanosToNext() {
        long now = ticker.nanos();
        return byTerm.values().stream().mapToLong(list -> list.firstEntry().getValue().endsAt - now).min();
    }

    synchronized int size() {
        return byItem.size();
    }

    private @Nullable Hold current(ItemLease lease) {
        Hold hold = byItem.get(lease.item().number());
        return hold != null && hold.lease.equals(lease) ? hold : null;
    }

    private void put(Hold hold) {
        byItem.put(hold.lease.item().number(), hold);
        byTerm.computeIfAbsent(hold.termNanos, _ -> new LinkedHashMap<>()).put(hold.lease.item().number(), hold);
    }

    private void drop(Hold hold) {
        long item = hold.lease.item().number();
        byItem.remove(item);
        LinkedHashMap<Long, Hold> list = byTerm.get(hold.termNanos);
        if (list != null) {
            list.remove(item);
            if (list.isEmpty()) {
                byTerm.remove(hold.termNanos);
            }
        }
    }
}

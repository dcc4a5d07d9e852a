package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.lease.Ticker;
import io.entrepot.queue.ItemLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When leases on items run out: in memory only, so that a renewal costs nothing and a restart gives everybody a fresh
 * full term. Who holds what is in the database.
 *
 * <p>Leases of the same term run out in the order in which they were last renewed. So for each term there is one list in
 * that order, and only its head needs looking at; adding, renewing and ending are constant time, and memory is that of
 * the leases held now. Leases whose end could not be written wait in a list of their own, by the time until the next
 * try. Thread-safe by one lock, held for moments.
 *
 * <p>INVARIANT: an item has at most one hold, and that is in the list {@code lists.get(hold.list)} and in no other.
 */
final class Holds {
    private final Ticker ticker;
    private final Map<Long, Hold> byItem = new HashMap<>();
    private final Map<Long, LinkedHashMap<Long, Hold>> lists = new HashMap<>();

    /**
     * @param list which list it is in: its term, or the time until the next try
     * @param adopted from before a restart and not renewed since, so it says nothing about its holder if it runs out
     */
    private record Hold(Held held, long list, long endsAt, boolean adopted) {}

    /** A lease that has run out, and whether that counts against the item. */
    record Expired(Held held, boolean counts) {}

    Holds(Ticker ticker) {
        this.ticker = ticker;
    }

    synchronized void add(Held held, boolean adopted) {
        long nanos = held.termMillis() * 1_000_000;
        put(new Hold(held, nanos, ticker.nanos() + nanos, adopted));
    }

    /** Says whether the lease is current and counted by that keeper; if so, its whole term begins anew. */
    synchronized boolean renew(ItemLease lease, long keeper) {
        Hold hold = current(lease);
        if (hold == null || hold.held.keeper() != keeper) {
            return false;
        }
        add(hold.held, false);
        return true;
    }

    /** A lease was renewed in the database, so many times by now. If it is counted here, its whole term begins anew. */
    synchronized void renewed(long item, Fence fence, long keeper, long times) {
        Hold hold = byItem.get(item);
        if (hold != null && hold.held.lease().fence().equals(fence) && hold.held.keeper() == keeper) {
            add(hold.held.renewedElsewhere(times), false);
        }
    }

    /** What is known of a lease; empty if it is not current, its end is under way, or it is counted elsewhere. */
    synchronized Optional<Held> find(ItemLease lease) {
        return Optional.ofNullable(current(lease)).map(Hold::held);
    }

    synchronized void end(long item, Fence fence) {
        Hold hold = byItem.get(item);
        if (hold != null && hold.held.lease().fence().equals(fence)) {
            drop(hold);
        }
    }

    /** Others count from now on. */
    synchronized void clear() {
        byItem.clear();
        lists.clear();
    }

    /**
     * Takes out the leases that have run out. From now on they cannot be renewed; whoever takes them ends them in the
     * database, or gives them back.
     */
    synchronized List<Expired> takeExpired(int most) {
        long now = ticker.nanos();
        List<Expired> expired = new ArrayList<>();
        for (LinkedHashMap<Long, Hold> list : List.copyOf(lists.values())) {
            while (!list.isEmpty() && expired.size() < most) {
                Hold hold = list.firstEntry().getValue();
                if (now - hold.endsAt < 0) {
                    break;
                }
                drop(hold);
                expired.add(new Expired(hold.held, !hold.adopted));
            }
        }
        return expired;
    }

    /**
     * The end of this lease could not be written: it is still held, and runs out again after that time. Not if the item
     * has gone to another holder meanwhile.
     */
    synchronized void giveBack(Expired expired, long nanosToNextTry) {
        if (!byItem.containsKey(expired.held.lease().item().number())) {
            put(new Hold(expired.held, nanosToNextTry, ticker.nanos() + nanosToNextTry, !expired.counts));
        }
    }

    /** How long until the next lease runs out; negative if one has. */
    synchronized OptionalLong nanosToNext() {
        long now = ticker.nanos();
        return lists.values().stream().mapToLong(list -> list.firstEntry().getValue().endsAt - now).min();
    }

    synchronized int size() {
        return byItem.size();
    }

    private @Nullable Hold current(ItemLease lease) {
        Hold hold = byItem.get(lease.item().number());
        return hold != null && hold.held.lease().equals(lease) ? hold : null;
    }

    private void put(Hold hold) {
        long item = hold.held.lease().item().number();
        Hold before = byItem.get(item);
        if (before != null) {
            drop(before);
        }
        byItem.put(item, hold);
        lists.computeIfAbsent(hold.list, _ -> new LinkedHashMap<>()).put(item, hold);
    }

    private void drop(Hold hold) {
        long item = hold.held.lease().item().number();
        byItem.remove(item);
        LinkedHashMap<Long, Hold> list = lists.get(hold.list);
        if (list != null) {
            list.remove(item);
            if (list.isEmpty()) {
                lists.remove(hold.list);
            }
        }
    }
}

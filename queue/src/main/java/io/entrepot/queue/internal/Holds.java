package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.lease.Ticker;
import io.entrepot.queue.ItemLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
 * <p>Where others may end a lease that is counted here, they tell of it only if it was taken away, and that may get lost. So
 * it is remembered which leases were renewed here, until somebody has {@linkplain #takeRenewed looked} whether they are current.
 *
 * <p>INVARIANT: an item has at most one hold, and that is in the list {@code lists.get(hold.list)} and in no other. Only
 * items with a hold are in {@code renewed}.
 */
final class Holds {
    private final Ticker ticker;
    private final boolean shared;
    private final Map<Long, Hold> byItem = new HashMap<>();
    private final Map<Long, LinkedHashMap<Long, Hold>> lists = new HashMap<>();
    private final LinkedHashSet<Long> renewed = new LinkedHashSet<>();

    /**
     * @param list which list it is in: its term, or the time until the next try
     * @param adopted from before a restart and not renewed since, so it says nothing about its holder if it runs out
     */
    private record Hold(Held held, long list, long endsAt, boolean adopted) {}

    /** A lease that has run out, and whether that counts against the item. */
    record Expired(Held held, boolean counts) {}

    /** {@code shared}: whether there are other processes that may end what is held. */
    Holds(Ticker ticker, boolean shared) {
        this.ticker = ticker;
        this.shared = shared;
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
        if (shared) {
            renewed.add(lease.item().number());
        }
        return true;
    }

    /** Takes out up to that many of the leases that were renewed here since somebody looked, longest ago first. */
    synchronized List<ItemLease> takeRenewed(int most) {
        List<ItemLease> taken = new ArrayList<>();
        while (!renewed.isEmpty() && taken.size() < most) {
            Hold hold = byItem.get(renewed.removeFirst());
            if (hold != null) {
                taken.add(hold.held.lease());
            }
        }
        return taken;
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
        renewed.clear();
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

    /** Those that {@link #takeExpired} would take now. */
    synchronized List<ItemLease> overdue() {
        long now = ticker.nanos();
        return byItem.values().stream().filter(hold -> now - hold.endsAt >= 0).map(hold -> hold.held.lease()).toList();
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
        Hold before = byItem.put(item, hold);
        if (before != null) {
            takeFromList(before);
        }
        lists.computeIfAbsent(hold.list, _ -> new LinkedHashMap<>()).put(item, hold);
    }

    private void drop(Hold hold) {
        long item = hold.held.lease().item().number();
        byItem.remove(item);
        renewed.remove(item);
        takeFromList(hold);
    }

    private void takeFromList(Hold hold) {
        LinkedHashMap<Long, Hold> list = lists.get(hold.list);
        if (list != null) {
            list.remove(hold.held.lease().item().number());
            if (list.isEmpty()) {
                lists.remove(hold.list);
            }
        }
    }
}

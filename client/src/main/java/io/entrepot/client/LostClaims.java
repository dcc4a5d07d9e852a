package io.entrepot.client;

import io.entrepot.pool.ClaimOrder;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Claims of which nobody could say in time whether they were made. The next one of the same kind is made with the same key: if the
 * lost one was made, it gets those files, which would be nobody's for a term otherwise. Safe for use by many threads.
 */
final class LostClaims {
    /** Older ones are forgotten: their leases run out. */
    private static final int MOST = 1000;

    private final Map<String, ClaimOrder> orders = new LinkedHashMap<>();

    synchronized void add(String key, ClaimOrder order) {
        orders.put(key, kind(order));
        if (orders.size() > MOST) {
            orders.remove(orders.keySet().iterator().next());
        }
    }

    /** The key of a lost claim that asked for the same; it is this caller's now. */
    synchronized Optional<String> take(ClaimOrder order) {
        ClaimOrder kind = kind(order);
        for (Iterator<Map.Entry<String, ClaimOrder>> all = orders.entrySet().iterator(); all.hasNext();) {
            Map.Entry<String, ClaimOrder> one = all.next();
            if (one.getValue().equals(kind)) {
                all.remove();
                return Optional.of(one.getKey());
            }
        }
        return Optional.empty();
    }

    /** How long it waits makes no difference. */
    private static ClaimOrder kind(ClaimOrder order) {
        return order.waiting(Duration.ZERO);
    }
}

package io.entrepot.pool.internal;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What callers have started on a pool, and what ends before the pool does. Safe for use by many threads. */
public final class Guests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Guests.class);

    private final Set<AutoCloseable> present = ConcurrentHashMap.newKeySet();

    public <T extends AutoCloseable> T keep(T guest) {
        present.add(guest);
        return guest;
    }

    public void leaves(AutoCloseable guest) {
        present.remove(guest);
    }

    @Override
    public void close() {
        for (AutoCloseable guest : List.copyOf(present)) {
            try {
                guest.close();
            } catch (Exception e) {
                LOG.warn("closing the pool: {}", e.toString());
            }
        }
    }
}

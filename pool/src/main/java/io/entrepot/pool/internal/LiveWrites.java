package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files whose bytes this process is just placing, moving or clearing away: they may have a name on a volume while no row
 * knows them, and they are no orphans. Whoever works with bytes that may be there already takes the key first, so that nobody
 * takes new bytes for the old ones. Safe for use by many threads.
 */
final class LiveWrites {
    private final Set<FileKey> keys = ConcurrentHashMap.newKeySet();

    /** One of them, until it is closed. */
    record Live(LiveWrites all, FileKey key) implements AutoCloseable {
        @Override
        public void close() {
            all.keys.remove(key);
        }
    }

    /** A new key, which nobody else can have. */
    Live enter(FileKey key) {
        keys.add(key);
        return new Live(this, key);
    }

    /** Nothing if somebody has it. */
    Optional<Live> tryEnter(FileKey key) {
        return keys.add(key) ? Optional.of(new Live(this, key)) : Optional.empty();
    }

    boolean contains(FileKey key) {
        return keys.contains(key);
    }
}

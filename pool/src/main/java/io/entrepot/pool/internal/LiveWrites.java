package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files whose bytes this process is just placing, moving or clearing away: they may have a name on a volume while no row
 * knows them, and they are no orphans. Whoever works with bytes that may be there already takes the key first, so that nobody
 * takes new bytes for the old ones.
 *
 * <p>Other processes know nothing of it: to them bytes without a row are orphans, once they were seen without one for
 * {@link OrphanScan#LEAST_AMONG_SEVERAL}, by the database's clock. So who has taken a key may make the file known for half of
 * that only, by the same clock: a process that slept longer comes {@linkplain #isLate too late}. Safe for use by many threads.
 */
final class LiveWrites {
    private static final Duration LONGEST = OrphanScan.LEAST_AMONG_SEVERAL.dividedBy(2);

    private final Store main;
    /** Since when, in the store's time. */
    private final Map<FileKey, Long> keys = new ConcurrentHashMap<>();

    /** One of them, until it is closed. */
    record Live(LiveWrites all, FileKey key) implements AutoCloseable {
        @Override
        public void close() {
            all.keys.remove(key);
        }
    }

    LiveWrites(Store main) {
        this.main = main;
    }

    /** A new key, which nobody else can have; before its bytes are placed. */
    Live enter(FileKey key) {
        keys.put(key, main.now());
        return new Live(this, key);
    }

    /** Nothing if somebody has it. */
    Optional<Live> tryEnter(FileKey key) {
        return keys.putIfAbsent(key, main.now()) == null ? Optional.of(new Live(this, key)) : Optional.empty();
    }

    boolean contains(FileKey key) {
        return keys.containsKey(key);
    }

    /** Whether another process may have taken the bytes away. In the transaction that makes the file known: no other one runs then. */
    boolean isLate(Snapshot snapshot, FileKey key) {
        Long since = keys.get(key);
        return main.shared() && since != null && snapshot.now() - since > LONGEST.toMillis();
    }
}

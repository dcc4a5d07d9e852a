package io.entrepot.pool.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.Queues;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys for new files. Numbers are taken from the queue in blocks, as a key is needed before the file's transaction; those of
 * a block that are not used are lost. Safe for use by many threads.
 */
final class Numbers {
    private static final int BLOCK = 1024;

    private final Stores stores;
    private final Queues queues;
    private final Nonces nonces;
    private final Map<Store, Block> blocks = new ConcurrentHashMap<>();

    /** Guarded by itself. */
    private static final class Block {
        private long next;
        private long end;
    }

    Numbers(Stores stores, Queues queues, Nonces nonces) {
        this.stores = stores;
        this.queues = queues;
        this.nonces = nonces;
    }

    FileKey next(TenantId tenant) {
        Block block = blocks.computeIfAbsent(stores.store(Owners.of(tenant)), _ -> new Block());
        synchronized (block) {
            if (block.next == block.end) {
                block.next = queues.reserve(Owners.of(tenant), BLOCK);
                block.end = block.next + BLOCK;
            }
            return new FileKey(block.next++, nonces.next());
        }
    }
}

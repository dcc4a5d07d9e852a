package io.entrepot.bench.pool;

import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of files that wait behind all others, as many as are wanted: to write the files themselves would take hours. */
final class WaitingFiles {
    private static final int AT_ONCE = 1000;
    private static final byte[] NOTHING = {};
    /** What they are called. */
    static final String NAME = "waiting.dat";

    private WaitingFiles() {}

    /** Into a pool that is closed and has that tenant, as its first, and one volume. */
    static void put(Path directory, TenantId tenant, int files) {
        StoreConfig config = StoreConfig.of(Queues.SCHEMA, Pool.SCHEMA).withSync(false);
        Owner owner = new Owner(tenant.name());
        QueueName queue = new QueueName(owner, "files");
        try (DataDirectory data = DataDirectory.open(directory, config);
                Queues queues = Queues.open(data, config, QueueConfig.DEFAULT.withBackground(false))) {
            Store store = data.store(owner);
            for (int put = 0; put < files; put += AT_ONCE) {
                long first = queues.reserve(owner, AT_ONCE);
                store.write(owner, tx -> {
                    List<NewItem> items = new ArrayList<>(AT_ONCE);
                    List<@Nullable Object[]> rows = new ArrayList<>(AT_ONCE);
                    for (long number = first; number < first + AT_ONCE; number++) {
                        items.add(NewItem.of(queue, NOTHING).withPriority(-NewItem.HIGHEST_PRIORITY)
                                .withNumber(number));
                        rows.add(new Object[]{1L, number, number, 1L, 1L, 2L, ".dat", NAME, 4096L,
                                new byte[32], tx.now(), (long) -NewItem.HIGHEST_PRIORITY, 0L, "", null, ""});
                    }
                    queues.put(tx, items);
                    return tx.updateEach(
                            "INSERT INTO file (tenant, id, nonce, directory, volume, depth, extension, name,"
                                    + " size, sha, created, priority, held, labels, source, trail) VALUES $rows",
                            rows);
                });
            }
        }
    }
}

package io.entrepot.bench.queue;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Our queue as it is shipped, on any store: full sync, outcomes and history on, payload of 60 bytes. */
public final class OurQueue implements PairQueue<Claimed>, AutoCloseable {
    public static final StoreConfig CONFIG = StoreConfig.of(Queues.SCHEMA);

    private static final Duration TERM = Duration.ofMinutes(1);
    private static final int FILL_STEP = 1_000;
    private static final int PAYLOAD = 60;

    private final Stores stores;
    private final Queues queues;

    /** The stores, opened with {@link #CONFIG}, are the caller's. */
    public OurQueue(Stores stores) {
        this.stores = stores;
        this.queues = Queues.open(stores, CONFIG, QueueConfig.DEFAULT);
    }

    /** Puts so many items, dealt out to the tenants' queues in turn. */
    public void fill(int tenants, int items) {
        for (int from = 0; from < items; from += FILL_STEP) {
            List<NewItem> step = IntStream.range(from, Math.min(items, from + FILL_STEP))
                    .mapToObj(i -> NewItem.of(queue(i % tenants), new byte[PAYLOAD])).toList();
            stores.main().write(Owner.SYSTEM, tx -> queues.put(tx, step));
        }
    }

    @Override
    public List<Claimed> claim(int tenant, int count) throws InterruptedException {
        return queues.claim(ClaimRequest.of(queue(tenant), "bench", TERM).withMax(count));
    }

    @Override
    public void finish(int tenant, List<Claimed> claimed) {
        if (claimed.size() == 1) {
            queues.finish(claimed.getFirst().lease());
        } else {
            queues.endAll(claimed.stream().map(Claimed::lease).toList(), new Ending.Finish(false));
        }
    }

    private static QueueName queue(int tenant) {
        return QueueName.of("tenant-" + tenant, "files");
    }

    @Override
    public void close() {
        queues.close();
    }
}

package io.entrepot.bench.queue;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Our queue as it is shipped, embedded: full sync, outcomes and history on, payload of 60 bytes. */
final class EmbeddedQueue implements PairQueue<Claimed>, AutoCloseable {

    private static final Duration TERM = Duration.ofMinutes(1);
    private static final int FILL_STEP = 1_000;
    private static final int PAYLOAD = 60;

    private final Path directory;
    private final DataDirectory data;
    private final Queues queues;

    EmbeddedQueue(Path directory) {
        StoreConfig config = StoreConfig.of(Queues.SCHEMA);
        this.directory = directory;
        this.data = DataDirectory.open(directory, config);
        this.queues = Queues.open(data, config, QueueConfig.DEFAULT);
    }

    /** Puts so many items, dealt out to the tenants' queues in turn. */
    void fill(int tenants, int items) {
        for (int from = 0; from < items; from += FILL_STEP) {
            List<NewItem> step = IntStream.range(from, Math.min(items, from + FILL_STEP))
                    .mapToObj(i -> NewItem.of(queue(i % tenants), new byte[PAYLOAD])).toList();
            data.main().write(Owner.SYSTEM, tx -> queues.put(tx, step));
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
    public void close() throws IOException {
        queues.close();
        data.close();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    static double measure(Path directory, PairLoad load) throws Exception {
        try (EmbeddedQueue queue = new EmbeddedQueue(directory.resolve("entrepot"))) {
            queue.fill(load.tenants(), load.items());
            return load.run(queue);
        }
    }
}

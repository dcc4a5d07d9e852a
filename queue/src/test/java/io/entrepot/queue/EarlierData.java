package io.entrepot.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entrepot.lease.Nonces;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.StoreConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

/**
 * Makes the data that {@link EarlierVersionsTest} opens. Run it with {@code src/test/data/queue-N} as argument, while N
 * is the newest version and before N + 1 is begun; what it made for released versions is never changed.
 */
final class EarlierData {
    static final String NAMES = "names.properties";
    static final QueueName Q = QueueName.of("acme", "files");
    static final QueueName PAUSED = QueueName.of("acme", "paused");
    static final Duration TERM = Duration.ofMinutes(1);
    static final QueueConfig CONFIG = QueueConfig.DEFAULT.withBackground(false);

    private EarlierData() {}

    static StoreConfig storeConfig(Clocks clocks) {
        return clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false).withNonces(Nonces.seeded(1)));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path target = Path.of(arguments[0]);
        Path work = Files.createTempDirectory("earlier");
        Clocks clocks = new Clocks();
        Properties names = new Properties();
        try (DataDirectory directory = DataDirectory.open(work, storeConfig(clocks));
                Queues queues = Queues.open(directory, storeConfig(clocks), CONFIG)) {
            fill(queues, clocks, names);
        }
        Files.createDirectories(target);
        Files.copy(work.resolve(DataDirectory.MAIN), target.resolve(DataDirectory.MAIN));
        try (OutputStream out = Files.newOutputStream(target.resolve(NAMES))) {
            names.store(out, null);
        }
    }

    /** An item in each state, each under its state's name, and something in every table. */
    private static void fill(Queues queues, Clocks clocks, Properties names) throws InterruptedException {
        names.setProperty("finished.lease", leased(queues, "finished").toString());
        queues.finish(ItemLease.parse(names.getProperty("finished.lease")));
        names.setProperty("finished", ItemLease.parse(names.getProperty("finished.lease")).item().toString());
        for (ItemState state : ItemState.values()) {
            ItemLease lease = leased(queues, state.name());
            names.setProperty(state.name(), lease.item().toString());
            names.setProperty(state.name() + ".lease", lease.toString());
            switch (state) {
                case READY -> queues.reset(lease.item());
                case HELD -> queues.renew(lease);
                case DELAYED -> queues.fail(lease, "broken 🐝");
                case KEPT -> queues.keep(lease);
                case DEAD -> queues.end(lease, new Ending.Fail("hopeless", false, RetryPolicy.DEFAULT));
            }
            if (state == ItemState.READY) {
                names.setProperty("released.lease", release(queues).toString());
            }
            clocks.pass(Duration.ofMillis(1));
        }
        queues.put(NewItem.of(PAUSED, new byte[0]));
        queues.pause(PAUSED);
    }

    private static ItemLease release(Queues queues) throws InterruptedException {
        ItemLease lease = queues.claim(ClaimRequest.of(Q, "another", TERM)).getFirst().lease();
        queues.release(lease);
        return lease;
    }

    /** The claim of an item. Keys of claims are kept since version 4. */
    static ClaimRequest claim(String name) {
        return ClaimRequest.of(Q, "worker", TERM).withKey("claim " + name);
    }

    /** The only ready item with no priority; one that waits as READY has a lower one and is not in the way. */
    private static ItemLease leased(Queues queues, String name) throws InterruptedException {
        queues.put(NewItem.of(Q, name.getBytes(UTF_8)).withKey(name).withPriority(name.equals("READY") ? -5 : 5));
        return queues.claim(claim(name)).getFirst().lease();
    }
}

package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.queue.Witness;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept in memory is that of the leases held and the callers waiting now. */
class LeakTest {
    private static final List<QueueName> QUEUES = List.of(QueueName.of("acme", "a"), QueueName.of("acme", "b"));

    private final Clocks clocks = new Clocks();

    @Test
    void memory_whenAllWorkIsDone_holdsNothing(@TempDir Path path) {
        StoreConfig config = clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false));
        try (DataDirectory directory = DataDirectory.open(path.resolve("data"), config);
                Routes routes = new Routes(directory, config, QueueConfig.DEFAULT.withBackground(false),
                        Witness.NONE)) {
            Engine engine = routes.engine(QUEUES.getFirst().owner());
            for (int i = 0; i < 1000; i++) {
                engine.put(NewItem.of(QUEUES.get(i % 2), new byte[0]));
            }
            Crowd.run(32, worker -> work(routes, engine, new Random(worker)));
            assertThat(engine.waitedFor()).isZero();
            int held = (int) QUEUES.stream().mapToLong(
                    queue -> engine.status(queue).orElseThrow().counts().held()).sum();
            assertThat(engine.held()).isEqualTo(held).isPositive();
            clocks.pass(Duration.ofHours(1));
            routes.tick();
            assertThat(engine.held()).isZero();
            assertThat(engine.check()).isEmpty();
        }
    }

    private int work(Routes routes, Engine engine, Random random) throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            List<QueueName> from = random.nextBoolean() ? QUEUES : List.of(QUEUES.get(random.nextInt(2)));
            // Everybody has a term of its own, so that lists of terms come and go.
            Duration term = Duration.ofMillis(1000 + random.nextInt(5000));
            List<Claimed> claimed = routes.claim(
                    new ClaimRequest(from, "w", 1, term, Duration.ofNanos(random.nextInt(300_000))));
            for (Claimed one : claimed) {
                boolean renewed = engine.renew(one.lease());
                switch (random.nextInt(6)) {
                    case 0 -> engine.end(List.of(one.lease()), new Ending.Release());
                    case 1 -> engine.end(List.of(one.lease()),
                            new Ending.Fail("e", true, RetryPolicy.fixed(Duration.ZERO, 99)));
                    case 2 -> engine.reset(one.item());
                    case 3 -> engine.end(List.of(one.lease()), new Ending.Finish(true));
                    case 4 -> clocks.pass(Duration.ofMillis(renewed ? 20 : 10));
                    default -> engine.end(List.of(one.lease()), new Ending.Finish(false));
                }
            }
            if (i % 10 == 0) {
                routes.tick();
            }
        }
        return 0;
    }
}

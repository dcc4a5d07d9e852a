package io.entrepot.queue.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.PostgresServer;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.ManualTicker;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;

/** Several processes with the queues of one PostgreSQL. Each has a clock of its own, which stands still until told. */
abstract class SharedQueues {
    static final QueueName Q = QueueName.of("acme", "files");
    static final Duration TERM = Duration.ofMinutes(1);
    /** Longer than a process must be silent to be taken for dead. */
    static final Duration LONG_SILENCE = Duration.ofSeconds(11);
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    final String schema = "several_" + SCHEMAS.incrementAndGet();
    private final List<Member> members = new ArrayList<>();
    final Member a = start(false);
    final Member b = start(false);

    /** What a process has. */
    record Member(Store store, Queues queues, ManualTicker ticker) {

        ItemLease claim() throws InterruptedException {
            return queues.claim(ClaimRequest.of(Q, "worker", TERM)).getFirst().lease();
        }

        /** Says whether the lease is current, as its holder would find out. */
        boolean renews(ItemLease lease) {
            try {
                queues.renew(lease);
                return true;
            } catch (LeaseLostException e) {
                return false;
            }
        }

        ItemState state(ItemLease lease) {
            return view(lease).state();
        }

        ItemView view(ItemLease lease) {
            return queues.find(lease.item()).orElseThrow();
        }

        void passAndTick(Duration time) {
            ticker.advance(time);
            queues.tick();
        }

        /** In steps, as a living process does it. */
        void live(Duration time) {
            for (Duration left = time; left.isPositive(); left = left.minusSeconds(1)) {
                passAndTick(Duration.ofSeconds(1));
            }
        }

        void die() {
            store.close();
        }
    }

    Member start(boolean background) {
        ManualTicker ticker = new ManualTicker();
        StoreConfig config = StoreConfig.of(Queues.SCHEMA);
        if (!background) {
            config = config.withClocks(InstantSource.system(), ticker);
        }
        Store store = Postgres.open(PostgresConfig.of(PostgresServer.shared().url(schema), PostgresServer.USER, "")
                .withSchema(schema), config);
        Member process = new Member(store,
                Queues.open(Stores.of(store), config, QueueConfig.DEFAULT.withBackground(background),
                        (tx, item, kind, to, _) -> tx.publish(item.owner(), kind.name(), item.toString(),
                                to.name())),
                ticker);
        members.add(process);
        return process;
    }

    @AfterEach
    void checkAndClose() {
        assertThat(start(false).queues.check()).isEmpty();
        members.forEach(process -> process.queues.close());
        members.forEach(process -> process.store.close());
        PostgresServer.shared().run("DROP SCHEMA " + schema + " CASCADE");
    }

    static NewItem item(String payload) {
        return NewItem.of(Q, payload.getBytes(UTF_8));
    }

    ItemLease putAndClaimAtA() throws InterruptedException {
        a.queues.put(item("x"));
        return a.claim();
    }

    static List<Claimed> next(Queues queues) throws InterruptedException {
        return queues.claim(ClaimRequest.of(Q, "w", TERM).withMax(2));
    }
}

package io.entrepot.queue.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.queue.Witness;
import io.entrepot.store.Faults;
import io.entrepot.store.Store;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the queues promise on every kind of store, part by part in the classes that extend this one. A kind of store is
 * tested by one class with a nested class for each part: see {@link SqliteQueuesTest}.
 *
 * <p>Clocks stand still, and nothing happens by itself: {@code queues.tick()} does what is due.
 */
abstract class QueueContract {
    static final QueueName Q = QueueName.of("acme", "files");
    static final QueueName R = QueueName.of("acme", "tasks");
    static final QueueName OTHER = QueueName.of("other", "files");
    static final Duration TERM = Duration.ofMinutes(1);
    /** Longer than any test: a waiting claim ends because it was woken. */
    static final Duration LONG = Duration.ofHours(1);

    private final Function<Path, QueuesFixture> kind;
    private QueuesFixture fixture;
    final Clocks clocks = new Clocks();
    volatile Faults faults = Faults.NONE;
    QueueConfig config = QueueConfig.DEFAULT.withBackground(false);
    Witness witness = Witness.NONE;
    Queues queues;

    QueueContract(Function<Path, QueuesFixture> kind) {
        this.kind = kind;
    }

    @BeforeEach
    void openFirst(@TempDir Path directory) {
        fixture = kind.apply(directory);
        open();
    }

    @AfterEach
    void closeAndCheck() {
        faults = Faults.NONE;
        try {
            assertSound();
        } catch (StoreClosedException e) {
            open();
            assertSound();
        } finally {
            fixture.close();
        }
    }

    StoreConfig storeConfig() {
        return clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false).withFaults(point -> faults.reach(point)));
    }

    /**
     * Opens the queues, or closes them in good order and opens them again, with what {@link #config} and {@link #witness}
     * are now.
     */
    final void open() {
        open(storeConfig());
    }

    final void open(StoreConfig storeConfig) {
        queues = fixture.open(storeConfig, config, witness);
    }

    final Store store() {
        return fixture.store(Q.owner());
    }

    final Instant now() {
        return store().read(snapshot -> Instant.ofEpochMilli(snapshot.now()));
    }

    /** Waits until it is so, looking often. */
    static void eventually(Callable<Boolean> condition) {
        Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2)).until(condition);
    }

    final void assertSound() {
        assertThat(queues.check()).isEmpty();
    }

    final ItemId put(QueueName queue, String payload) {
        return put(item(queue, payload));
    }

    final ItemId put(NewItem item) {
        return queues.put(item).item();
    }

    /** In one unit of work, for tests to which it does not matter how they got there. */
    final void putAll(List<NewItem> items) {
        store().write(items.getFirst().queue().owner(), tx -> queues.put(tx, items));
    }

    final void putMany(QueueName queue, int n) {
        putAll(Collections.nCopies(n, item(queue, "x")));
    }

    static NewItem item(QueueName queue, String payload) {
        return NewItem.of(queue, payload.getBytes(UTF_8));
    }

    final Claimed claim(QueueName queue) {
        return tryClaim(queue).orElseThrow(() -> new AssertionError("there is nothing in " + queue));
    }

    final Optional<Claimed> tryClaim(QueueName queue) {
        List<Claimed> claimed = claim(ClaimRequest.of(queue, "worker", TERM));
        assertThat(claimed).hasSizeLessThanOrEqualTo(1);
        return claimed.stream().findFirst();
    }

    final List<Claimed> claim(QueueName queue, int max) {
        return claim(ClaimRequest.of(queue, "worker", TERM).withMax(max));
    }

    final List<Claimed> claim(ClaimRequest request) {
        try {
            return queues.claim(request);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A caller that waits for one item. */
    final Crowd<List<Claimed>> waiting(int callers, QueueName... from) {
        return Crowd.start(callers, caller -> queues.claim(
                new ClaimRequest(List.of(from), "waiter-" + caller, 1, TERM, LONG)));
    }

    final ItemLease putAndClaim(QueueName queue) {
        ItemId item = put(queue, "x");
        ItemLease lease = claim(queue).lease();
        assertThat(lease.item()).isEqualTo(item);
        return lease;
    }

    final Outcome fail(ItemLease lease, String error, RetryPolicy policy) {
        return queues.end(lease, new Ending.Fail(error, true, policy));
    }

    final Outcome kill(ItemLease lease) {
        return queues.end(lease, new Ending.Fail("of no use", false, RetryPolicy.DEFAULT));
    }

    /** Lets the lease time pass, and what follows from it. */
    final void expireAll() {
        clocks.pass(TERM);
        queues.tick();
    }

    final void passAndTick(Duration time) {
        clocks.pass(time);
        queues.tick();
    }

    final ItemView view(ItemId item) {
        return queues.find(item).orElseThrow(() -> new AssertionError("no item " + item));
    }

    final ItemState state(ItemId item) {
        return view(item).state();
    }

    final QueueCounts counts(QueueName queue) {
        return queues.status(queue).orElseThrow().counts();
    }

    /** Everything that is ready in the order in which it would be handed out, by payload; nothing stays claimed. */
    final List<String> order(QueueName queue) {
        List<Claimed> all = claim(queue, ClaimRequest.MOST);
        all.forEach(claimed -> queues.release(claimed.lease()));
        return texts(all);
    }

    static String text(Claimed claimed) {
        return new String(claimed.payload(), UTF_8);
    }

    static List<String> texts(List<Claimed> claimed) {
        return claimed.stream().map(QueueContract::text).toList();
    }
}

package io.entrepot.queue.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.queue.Witness;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.queue.contract.PostgresFixture;
import io.entrepot.queue.contract.QueuesFixture;
import io.entrepot.queue.contract.SqliteFixture;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory is short for a moment while something is due: it is done later, and not forgotten. */
@SuppressWarnings("NullAway.Init") // each test opens what it is about
class ErrorsTest {
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final QueueName OTHER = QueueName.of("other", "files");
    private static final Duration TERM = Duration.ofMinutes(1);
    /** Longer than the time after which something that failed is tried again. */
    private static final Duration A_WHILE = Duration.ofSeconds(2);
    private static final QueueCounts ONE_READY = new QueueCounts(1, 0, 0, 0, 0);

    private final Clocks clocks = new Clocks();
    private QueuesFixture fixture;
    private RecordingStore store;
    private Engine engine;

    private void open(QueuesFixture kind) {
        fixture = kind;
        StoreConfig config = clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false));
        QueueConfig quiet = QueueConfig.DEFAULT.withBackground(false);
        fixture.open(config, quiet);
        store = new RecordingStore(fixture.store(Q.owner()));
        engine = new Engine(store, config, quiet, Witness.NONE);
    }

    @AfterEach
    void close() {
        engine.close();
        fixture.close();
    }

    private static NewItem item(QueueName queue) {
        return NewItem.of(queue, "x".getBytes(UTF_8));
    }

    private void putAndClaim(QueueName queue) {
        engine.put(item(queue));
        assertThat(engine.claim(ClaimRequest.of(queue, "w", TERM), List.of(queue), 1)).hasSize(1);
    }

    /** Within it, statements that have this in their text find no memory. */
    private void tickWithoutMemoryFor(String statement) {
        store.ear = sql -> {
            if (sql.contains(statement)) {
                throw new OutOfMemoryError("for the test");
            }
        };
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(engine::tick);
        store.ear = _ -> {};
    }

    private QueueCounts counts(QueueName queue) {
        return engine.status(queue).orElseThrow().counts();
    }

    @Test
    void tick_whenMemoryIsShortWhileLeasesEnd_theyRunOutAWhileLater(@TempDir Path path) {
        open(new SqliteFixture(path));
        putAndClaim(Q);
        putAndClaim(Q);
        putAndClaim(OTHER);
        clocks.pass(TERM);
        tickWithoutMemoryFor("FROM item i LEFT JOIN held");
        assertThat(counts(Q).held()).isEqualTo(2);
        clocks.pass(A_WHILE);
        engine.tick();
        assertThat(counts(Q)).isEqualTo(new QueueCounts(2, 0, 0, 0, 0));
        assertThat(counts(OTHER)).isEqualTo(ONE_READY);
    }

    @Test
    void tick_whenMemoryIsShortForTheLookBeforeLeasesEnd_theyRunOutAWhileLater(@TempDir Path path) {
        open(new PostgresFixture(path));
        putAndClaim(Q);
        clocks.pass(TERM);
        tickWithoutMemoryFor("SELECT h.id FROM e JOIN held");
        assertThat(counts(Q).held()).isEqualTo(1);
        clocks.pass(A_WHILE);
        engine.tick();
        assertThat(counts(Q)).isEqualTo(ONE_READY);
    }

    @Test
    void tick_whenMemoryIsShortWhileDelayedItemsAreDue_theyBecomeReadyTheNextTime(@TempDir Path path) {
        open(new SqliteFixture(path));
        engine.put(item(Q).withAvailableAt(clocks.instant().plusSeconds(1)));
        engine.tick();
        clocks.pass(Duration.ofSeconds(1));
        tickWithoutMemoryFor("FROM parked p JOIN item");
        assertThat(counts(Q).delayed()).isEqualTo(1);
        engine.tick();
        assertThat(counts(Q)).isEqualTo(ONE_READY);
    }

    /** Each step is tried, whatever became of the others. */
    @Test
    void tick_whenMemoryIsShortWhileLeasesEnd_delayedItemsBecomeReadyAllTheSame(@TempDir Path path) {
        open(new SqliteFixture(path));
        putAndClaim(OTHER);
        engine.put(item(Q).withAvailableAt(clocks.instant().plusSeconds(1)));
        clocks.pass(TERM);
        tickWithoutMemoryFor("FROM item i LEFT JOIN held");
        assertThat(counts(Q)).isEqualTo(ONE_READY);
    }
}

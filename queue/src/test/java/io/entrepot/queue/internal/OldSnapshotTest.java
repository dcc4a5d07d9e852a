package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lab.PostgresServer;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Stores;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * While somebody on PostgreSQL reads in one long transaction, nothing that was deleted since can be vacuumed. What a claim
 * looks at must not grow with it. {@code bench queue} has the figure in pairs per second.
 */
class OldSnapshotTest {
    private static final String SCHEMA = "old_snapshot";
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final Pattern PAGES = Pattern.compile("shared hit=(\\d+)(?: read=(\\d+))?");

    @AfterEach
    void drop() {
        PostgresServer.shared().run("DROP SCHEMA IF EXISTS " + SCHEMA + " CASCADE");
    }

    @Test
    void claim_whileAnOldSnapshotIsHeld_looksAtNoMoreThanBefore() throws Exception {
        StoreConfig config = StoreConfig.of(Queues.SCHEMA);
        try (Store store = Postgres.open(PostgresConfig.of(PostgresServer.shared().url(SCHEMA), PostgresServer.USER, "")
                .withSchema(SCHEMA), config);
                Queues queues = Queues.open(Stores.of(store), config, QueueConfig.DEFAULT.withBackground(false));
                Connection reader = PostgresServer.shared().database().getConnection()) {
            store.write(Q.owner(), tx -> queues.put(tx, Collections.nCopies(10_000, NewItem.of(Q, new byte[60]))));
            workOff(queues, 1_000);
            PostgresServer.shared().run("VACUUM ANALYZE " + SCHEMA + ".ready");
            long before = pagesOfAClaim();
            execute(reader, "BEGIN ISOLATION LEVEL REPEATABLE READ");
            execute(reader, "SELECT count(*) FROM " + SCHEMA + ".item");
            workOff(queues, 8_000);
            // Without the floor it would be some hundred pages.
            assertThat(pagesOfAClaim()).isLessThan(before + 30);
        }
    }

    private static void workOff(Queues queues, int items) throws InterruptedException {
        for (int done = 0; done < items; done += 500) {
            List<Claimed> claimed = queues.claim(ClaimRequest.of(Q, "w", Duration.ofMinutes(1)).withMax(500));
            queues.endAll(claimed.stream().map(Claimed::lease).toList(), new Ending.Finish(false));
            queues.tick();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** How many pages the statement of a claim for one item touches. */
    private static long pagesOfAClaim() throws SQLException {
        String claim = PostgresSteps.TAKE.replace("VALUES $rows",
                "SELECT id, 1 FROM queue WHERE owner = 'acme' AND lane = 'files'");
        try (Connection connection = PostgresServer.shared().database().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = " + SCHEMA);
            statement.execute("SET enable_seqscan = off");
            statement.execute("BEGIN");
            long pages = 0;
            try (ResultSet lines = statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS) " + claim)) {
                while (lines.next()) {
                    Matcher matcher = PAGES.matcher(lines.getString(1));
                    if (matcher.find()) {
                        String read = matcher.group(2);
                        pages = Math.max(pages,
                                Long.parseLong(matcher.group(1)) + (read == null ? 0 : Long.parseLong(read)));
                    }
                }
            }
            statement.execute("ROLLBACK");
            return pages;
        }
    }
}

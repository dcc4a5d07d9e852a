package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.queue.Witness;
import io.entrepot.queue.contract.Clocks;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What everything costs does not grow with what is stored: each statement finds its rows by a key or an index. */
class PlansTest {
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final Duration TERM = Duration.ofMinutes(1);

    private final Clocks clocks = new Clocks();

    @Test
    void statements_whateverIsDone_scanNoTableAndSortNothing(@TempDir Path path) {
        StoreConfig config = clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false));
        try (DataDirectory directory = DataDirectory.open(path.resolve("data"), config)) {
            RecordingStore store = new RecordingStore(directory.main());
            Engine engine = new Engine(store, config, QueueConfig.DEFAULT.withBackground(false), Witness.NONE);
            // Opening reads all queues and all leases.
            store.statements.clear();
            doEverything(engine, store);
            Set<String> statements = Set.copyOf(store.statements);
            assertThat(statements.size()).isGreaterThan(30);
            Map<String, List<String>> wrong = new HashMap<>();
            for (String sql : statements) {
                List<String> plan = plan(directory.main(), sql);
                if (plan.stream().anyMatch(PlansTest::growsWithTheTable)) {
                    wrong.put(sql, plan);
                }
            }
            assertThat(wrong).isEmpty();
            engine.close();
        }
    }

    @Test
    void claim_andForgetting_useTheKeysMeantForThem(@TempDir Path path) {
        StoreConfig config = clocks.in(StoreConfig.of(Queues.SCHEMA).withSync(false));
        try (DataDirectory directory = DataDirectory.open(path.resolve("data"), config)) {
            RecordingStore store = new RecordingStore(directory.main());
            Engine engine = new Engine(store, config, QueueConfig.DEFAULT.withBackground(false), Witness.NONE);
            store.statements.clear();
            doEverything(engine, store);
            assertThat(planOf(store, directory, "FROM ready r"))
                    .anyMatch(step -> step.contains("PRIMARY KEY (queue=?)"));
            assertThat(planOf(store, directory, "DELETE FROM ready WHERE queue = ? AND (rank"))
                    .anyMatch(step -> step.contains("PRIMARY KEY (queue=? AND (rank,id)<(?,?))"));
            assertThat(planOf(store, directory, "FROM idem WHERE until")).anyMatch(step -> step.contains("idem_until"));
            assertThat(planOf(store, directory, "FROM claim_key WHERE until"))
                    .anyMatch(step -> step.contains("claim_key_until"));
            assertThat(planOf(store, directory, "FROM claim_key WHERE (key"))
                    .anyMatch(step -> step.contains("PRIMARY KEY (key=? AND queue=?)"));
            assertThat(planOf(store, directory, "p.at <= ?")).anyMatch(step -> step.contains("parked_due"));
            assertThat(planOf(store, directory, "DELETE FROM past WHERE (day"))
                    .anyMatch(step -> step.contains("PRIMARY KEY (day<?)"));
            assertThat(planOf(store, directory, "DELETE FROM gone WHERE id"))
                    .anyMatch(step -> step.contains("INTEGER PRIMARY KEY (rowid<?)"));
            engine.close();
        }
    }

    private static boolean growsWithTheTable(String step) {
        boolean given = step.endsWith("VALUES CLAUSE") || step.endsWith("CONSTANT ROWS") || step.equals("SCAN e");
        // The first entry of an index whose every entry is wanted some day.
        boolean first = step.equals("SCAN parked USING COVERING INDEX parked_due");
        return (step.startsWith("SCAN") && !given && !first) || step.contains("TEMP B-TREE");
    }

    private static List<String> planOf(RecordingStore store, DataDirectory directory, String part) {
        List<String> found = store.statements.stream().filter(sql -> sql.contains(part)).toList();
        assertThat(found).as(part).isNotEmpty();
        return plan(directory.main(), found.getFirst());
    }

    private static List<String> plan(Store store, String sql) {
        Object[] nothing = Collections.nCopies((int) sql.chars().filter(c -> c == '?').count(), 0L).toArray();
        return store.read(snapshot -> snapshot.query("EXPLAIN QUERY PLAN " + sql, row -> row.getString(4), nothing));
    }

    private static List<Claimed> claim(Engine engine, QueueName queue, int max) {
        return engine.claim(ClaimRequest.of(queue, "w", TERM), List.of(queue), max);
    }

    /** From every state. */
    private static void takeOut(Engine engine, Store store) {
        Set<ItemState> any = EnumSet.allOf(ItemState.class);
        List<Ending> endings = List.of(new Ending.Finish(true), new Ending.Release(),
                new Ending.Fail("e", true, RetryPolicy.DEFAULT), new Ending.PutOff("e", TERM));
        for (Ending ending : endings) {
            ItemId item = engine.put(NewItem.of(Q, new byte[1])).item();
            engine.end(List.of(engine.claim(item, "w", TERM, Optional.empty()).lease()), ending);
            engine.retryNow(item);
            store.write(Q.owner(), tx -> engine.remove(tx, item, any, "note"));
        }
        ItemId held = engine.put(NewItem.of(Q, new byte[1])).item();
        engine.claim(held, "w", TERM, Optional.of("key"));
        store.write(Q.owner(), tx -> engine.remove(tx, held, any, "note"));
    }

    private void doEverything(Engine engine, Store store) {
        List<Ending> endings = List.of(new Ending.Finish(false), new Ending.Finish(true), new Ending.Release(),
                new Ending.Fail("e", true, RetryPolicy.DEFAULT), new Ending.Fail("e", false, RetryPolicy.DEFAULT),
                new Ending.PutOff("e", TERM));
        List<ItemId> ids = new ArrayList<>();
        for (Ending ending : endings) {
            ids.add(engine.put(NewItem.of(Q, new byte[1]).withKey("k" + ids.size())).item());
            Claimed claimed = claim(engine, Q, 1).getFirst();
            engine.end(List.of(claimed.lease()), ending);
            engine.end(List.of(claimed.lease()), ending);
        }
        engine.put(NewItem.of(Q, new byte[1]).withKey("k0"));
        engine.reserveUpTo(Q.owner(), 100);
        engine.put(NewItem.of(Q, new byte[1]).withNumber(engine.reserve(Q.owner(), 2)));
        engine.put(NewItem.of(Q, new byte[1]).withAvailableAt(Instant.parse("2026-03-29T00:31:00Z")));
        engine.claim(ClaimRequest.of(Q, "w", TERM), List.of(Q, QueueName.of("acme", "x")), 5);
        ItemId delayed = engine.put(NewItem.of(Q, new byte[1]).withAvailableAt(Instant.parse("2026-04-29T00:00:00Z")))
                .item();
        engine.claim(delayed, "w", TERM, Optional.empty());
        engine.put(NewItem.of(Q, new byte[1]));
        for (int i = 0; i < 2; i++) {
            engine.claim(ClaimRequest.of(Q, "w", TERM).withKey("another"), List.of(Q), 1);
        }
        clocks.pass(TERM.multipliedBy(10));
        engine.tick();
        engine.pause(Q, true);
        engine.pause(Q, false);
        for (ItemId id : ids) {
            engine.find(id);
            engine.history(id);
        }
        store.read(snapshot -> engine.find(snapshot, ids));
        store.read(snapshot -> engine.parkedBefore(snapshot, Q, ItemState.DEAD, Instant.MAX, 10));
        for (ItemState state : ItemState.values()) {
            engine.list(ListRequest.of(Q).in(state));
        }
        engine.list(ListRequest.of(Q).heldBy("w"));
        claim(engine, Q, 1).forEach(claimed -> engine.reset(claimed.item()));
        engine.retryDead(Q);
        engine.purge(Q, ItemState.KEPT, Instant.MAX);
        takeOut(engine, store);
        engine.status(Q);
        engine.statuses(Q.owner());
        clocks.pass(Duration.ofDays(20));
        engine.tick();
        engine.put(NewItem.of(Q, new byte[1]).withKey("k0"));
    }
}

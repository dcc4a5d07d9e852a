package io.entrepot.chaos.queue;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.History;
import io.entrepot.lab.AotCache;
import io.entrepot.lab.ChildJvm;
import io.entrepot.lab.ChildSpec;
import io.entrepot.lab.Nursery;
import io.entrepot.lab.PostgresServer;
import io.entrepot.queue.Queues;
import io.entrepot.store.Faults;
import io.entrepot.store.Postgres;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Several processes work on the queues of one PostgreSQL. Again and again one of them is killed, at random or where it
 * stands in a commit, or is stopped for so long that the others take it for dead; the database is killed; connections are
 * cut. In the end, when all but one are dead and its workers rest, everything that was held comes back by that one; and all is
 * compared with what was acknowledged.
 */
final class PostgresRounds {
    private static final int PROCESSES = 3;
    /** After so many misfortunes the tables are begun anew, so that a history stays small enough to be checked. */
    private static final int MISFORTUNES = 10;
    private static final int LONGEST_PEACE_MILLIS = 250;
    private static final int FURTHEST_COUNT = 40;
    private static final int POINT_PATIENCE_MILLIS = 2_000;
    private static final Duration LONG_SLEEP = Duration.ofMillis(800);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<Faults.Point> POINTS = List.of(Faults.Point.BEGUN, Faults.Point.COMMIT,
            Faults.Point.COMMITTED, Faults.Point.ANSWER);

    private final ChaosRun run;
    private final Random random;
    private final PostgresServer server = PostgresServer.shared();
    private final AtomicLong sources = new AtomicLong();

    /** What befalls. */
    private enum Misfortune {
        KILL, POINT, SLEEP, CUT_ONE, CUT_ALL, CRASH
    }

    PostgresRounds(ChaosRun run) {
        this.run = run;
        this.random = run.random(5);
    }

    void run() throws Exception {
        run.progress().say("preparing children");
        String url = server.url("chaos");
        ChildSpec spec = AotCache.train(ChildSpec.of(PostgresChild.class), List.of("train " + url + " training"));
        int rounds = run.rounds(30, 1_000);
        try (Nursery nursery = Nursery.open(spec, 1)) {
            for (int done = 0; done < rounds; done += MISFORTUNES) {
                tables(nursery, "chaos_" + done / MISFORTUNES, Math.min(MISFORTUNES, rounds - done));
            }
        }
    }

    /** One set of tables, from its beginning through its misfortunes. */
    private void tables(Nursery nursery, String schema, int misfortunes) throws Exception {
        History history = new History();
        List<Child> children = new ArrayList<>();
        try {
            while (children.size() < PROCESSES) {
                children.add(start(nursery, schema, history, false));
            }
            for (int i = 0; i < misfortunes; i++) {
                LockSupport.parkNanos(random.nextInt(LONGEST_PEACE_MILLIS) * 1_000_000L);
                Misfortune what = i == misfortunes / 2
                        ? Misfortune.CRASH
                        : Misfortune.values()[random.nextInt(Misfortune.values().length - 1)];
                befall(what, nursery, schema, history, children);
                children.forEach(child -> run.check(child.jvm.alive(),
                        () -> "a process died by itself after " + what + child.jvm.lastWords()));
                run.round();
            }
            while (children.size() > 1) {
                children.removeFirst().jvm.kill9();
            }
            children.getFirst().jvm.send(PostgresChild.REST);
            awaitNothingHeld(schema);
        } finally {
            children.forEach(child -> child.jvm.close());
        }
        try (Store store = Postgres.open(PostgresChild.where(server.url("chaos"), schema), Site.CONFIG);
                Queues queues = Queues.open(Stores.of(store), Site.CONFIG, PostgresChild.queueConfig())) {
            Site.inspect(store, queues, history, run, "misfortunes of several processes");
        }
        server.run("DROP SCHEMA " + schema + " CASCADE");
    }

    /** What is held comes back, by the one that is left: nobody renews it any more, whoever granted it. */
    private void awaitNothingHeld(String schema) throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (held(schema) > 0 && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(10_000_000);
        }
        long left = held(schema);
        run.check(left == 0, () -> left + " items are held for ever");
    }

    private long held(String schema) throws SQLException {
        try (Connection connection = server.database().getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM " + schema + ".held")) {
            count.next();
            return count.getLong(1);
        }
    }

    /** A process, and whether it has come to the point at which it was to stand still. */
    private record Child(ChildJvm jvm, CountDownLatch atPoint) {}

    private Child start(Nursery nursery, String schema, History history, boolean toStandStill)
            throws IOException, InterruptedException {
        ChildJvm child = nursery.take();
        CountDownLatch atPoint = new CountDownLatch(1);
        String source = schema + "." + sources.incrementAndGet();
        child.listen(line -> {
            if (line.equals(QueueChild.AT_POINT)) {
                atPoint.countDown();
            } else {
                history.addLine(source, line);
            }
        });
        Faults.Point point = POINTS.get(random.nextInt(POINTS.size()));
        child.send(server.url("chaos") + " " + schema + " " + random.nextLong() + " "
                + (toStandStill ? point : "none") + " " + (1 + random.nextInt(FURTHEST_COUNT)));
        return new Child(child, atPoint);
    }

    private void befall(Misfortune what, Nursery nursery, String schema, History history, List<Child> children)
            throws Exception {
        int one = random.nextInt(children.size());
        switch (what) {
            case KILL -> replace(nursery, schema, history, children, false);
            case POINT -> {
                // It stands still with a transaction open, and the others wait for it, until it is killed.
                replace(nursery, schema, history, children, true);
                children.getLast().atPoint.await(POINT_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                Collections.rotate(children, 1);
                replace(nursery, schema, history, children, false);
            }
            case SLEEP -> {
                children.get(one).jvm.stop();
                LockSupport.parkNanos(LONG_SLEEP.toNanos());
                children.get(one).jvm.cont();
            }
            case CUT_ONE -> server.run("SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity"
                    + " WHERE application_name = 'chaos' ORDER BY random() LIMIT 1) AS one");
            case CUT_ALL -> server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'chaos'");
            case CRASH -> {
                server.crash();
                LockSupport.parkNanos(random.nextInt(LONGEST_PEACE_MILLIS) * 1_000_000L);
                server.startAgain();
            }
        }
    }

    /** The one that has lived longest. */
    private void replace(Nursery nursery, String schema, History history, List<Child> children, boolean toStandStill)
            throws IOException, InterruptedException {
        children.removeFirst().jvm.kill9();
        children.add(start(nursery, schema, history, toStandStill));
    }
}

package io.entrepot.chaos.queue;

import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.Parent;
import io.entrepot.lab.PostgresServer;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.Faults;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.Owner;
import io.entrepot.store.Postgres;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Store;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of several processes that have the queues of a PostgreSQL open, with workers that never stop, whatever the database
 * does. Told {@code URL SCHEMA SEED POINT COUNT}, as {@link QueueChild}. Told {@code train URL SCHEMA}, works for a moment
 * and ends. Told {@value #REST} after that, its workers stop.
 */
final class PostgresChild {
    /** Its workers stop; what the queues do by themselves goes on. */
    static final String REST = "rest";
    private static final int WORKERS = 4;
    private static final Duration TERM = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final PostgresConfig where;
    private final StoreConfig config;
    private @Nullable Opened opened;
    private volatile boolean resting;

    /** What is open now. */
    private record Opened(Store store, Queues queues) {}

    private PostgresChild(PostgresConfig where, StoreConfig config) {
        this.where = where;
        this.config = config;
    }

    static PostgresConfig where(String url, String schema) {
        return PostgresConfig.of(url, PostgresServer.USER, "").withSchema(schema).withPatience(Duration.ofSeconds(1));
    }

    /** A process that dies is noticed before long. */
    static QueueConfig queueConfig() {
        return QueueConfig.DEFAULT.withMaxDeliveries(1_000).withSilence(Duration.ofMillis(300));
    }

    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.connect();
        parent.ready();
        String[] words = parent.next().split(" ", -1);
        boolean train = words[0].equals("train");
        StoreConfig config = Site.CONFIG;
        if (!train && !words[3].equals("none")) {
            config = config.withFaults(
                    QueueChild.standStillAt(parent, Faults.Point.valueOf(words[3]), Integer.parseInt(words[4])));
        }
        PostgresChild child = new PostgresChild(where(words[train ? 1 : 0], words[train ? 2 : 1]), config);
        child.live(parent, new Random(train ? 1 : Long.parseLong(words[2])));
        if (train) {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            System.exit(0); // the workers go on until then
        }
        child.resting = parent.next().equals(REST);
    }

    private void live(Parent parent, Random random) {
        Recorder recorder = new Recorder(event -> parent.say(event.line()));
        for (int i = 0; i < WORKERS; i++) {
            String name = ProcessHandle.current().pid() + "." + i;
            Random own = new Random(random.nextLong());
            boolean steady = i % 2 == 1;
            Thread.ofPlatform().start(() -> forEver(name, recorder, own, steady));
        }
    }

    private void forEver(String name, Recorder recorder, Random random, boolean steady) {
        for (int number = 0;; number++) {
            Opened now = null;
            try {
                now = open();
                Workload workload = new Workload(name, now.queues, recorder, random, Site.LANES, TERM,
                        () -> LockSupport.parkNanos(TERM.toNanos()));
                if (resting) {
                    now.queues.statuses(Owner.SYSTEM); // to notice if it has to be opened again
                    LockSupport.parkNanos(PAUSE.toNanos());
                    continue;
                }
                if (steady || number % 3 < 2) {
                    workload.put(number);
                }
                if (steady) {
                    workload.workSteadily();
                } else {
                    workload.work();
                }
            } catch (StoreClosedException | OutcomeUnknownException e) {
                closed(now);
            } catch (StoreException e) {
                LockSupport.parkNanos(PAUSE.toNanos()); // not done: the database is away for a moment
            }
        }
    }

    private synchronized Opened open() {
        Opened now = opened;
        if (now == null) {
            Store store = Postgres.open(where, config);
            try {
                now = new Opened(store, Queues.open(Stores.of(store), config, queueConfig()));
            } catch (StoreException e) {
                store.close();
                throw e;
            }
            opened = now;
        }
        return now;
    }

    /** It must be opened again; whoever notices first lets go of it. */
    private synchronized void closed(@Nullable Opened old) {
        if (old != null && old.equals(opened)) {
            opened = null;
            old.queues.close();
            old.store.close();
        }
    }
}

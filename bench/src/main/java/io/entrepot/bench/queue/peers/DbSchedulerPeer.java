package io.entrepot.bench.queue.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.entrepot.bench.queue.PairLoad;
import java.time.Duration;
import javax.sql.DataSource;

/** db-scheduler with one-time tasks that do nothing, set up as its handbook advises for many small tasks. */
final class DbSchedulerPeer implements Peer {

    static final String NAME = "db-scheduler";

    private static final String TASK = "bench";
    private static final double LOWER_LIMIT = 1;
    private static final double UPPER_LIMIT = 4;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final String TABLE = """
                                        CREATE TABLE scheduled_tasks (
                                            task_name text NOT NULL,
                                            task_instance text NOT NULL,
                                            task_data bytea,
                                            execution_time timestamptz NOT NULL,
                                            picked boolean NOT NULL,
                                            picked_by text,
                                            last_success timestamptz,
                                            last_failure timestamptz,
                                            consecutive_failures int,
                                            last_heartbeat timestamptz,
                                            version bigint NOT NULL,
                                            priority smallint,
                                            PRIMARY KEY (task_name, task_instance))
                                        """;

    private final DataSource database;
    private final int mostItems;

    DbSchedulerPeer(DataSource database, int mostItems) {
        this.database = database;
        this.mostItems = mostItems;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String note() {
        return "one-time tasks without data and an empty handler; lock-and-fetch between 1 and 4 times the threads, so claims"
                + " are batched, each finish a commit that is synced; retries and expiry yes, history and outcomes no";
    }

    @Override
    public double measure(PairLoad load) throws Exception {
        int jobs = load.atMost(mostItems).items();
        fill(jobs);
        JobClock clock = new JobClock(jobs);
        OneTimeTask<Void> task = Tasks.oneTime(TASK).execute((_, _) -> clock.tick());
        try (HikariDataSource pool = PostgresPeers.pool(database, load.workers())) {
            Scheduler scheduler = Scheduler.create(pool, task).threads(load.workers())
                    .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT).pollingInterval(POLL).build();
            try {
                scheduler.start();
                return clock.await(database, "SELECT count(*) FROM scheduled_tasks");
            } finally {
                scheduler.stop();
            }
        }
    }

    /** A new table with so many tasks that are due. */
    private void fill(int jobs) throws Exception {
        PostgresPeers.execute(database, "DROP TABLE IF EXISTS scheduled_tasks", TABLE,
                "CREATE INDEX scheduled_tasks_due ON scheduled_tasks (execution_time)",
                "CREATE INDEX scheduled_tasks_heartbeat ON scheduled_tasks (last_heartbeat)",
                "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked, version) SELECT '"
                        + TASK
                        + "', id, now(), false, 1 FROM generate_series(1, " + jobs + ") id",
                "VACUUM ANALYZE scheduled_tasks");
    }
}

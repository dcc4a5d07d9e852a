package io.entrepot.bench.queue.peers;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Times a framework that calls us instead of being called: from the first job it runs until all have run and none of them
 * is open in its table. What it does before its first job, such as waiting for its next look at the table, does not count.
 *
 * <p>{@link #tick} may be called by many threads.
 */
final class JobClock {

    private static final long PATIENCE_MINUTES = 2;
    private static final long PAUSE_NANOS = 1_000_000;

    private final int jobs;
    private final CountDownLatch left;
    private final AtomicLong begin = new AtomicLong();
    private final AtomicInteger ran = new AtomicInteger();

    JobClock(int jobs) {
        this.jobs = jobs;
        this.left = new CountDownLatch(jobs);
    }

    /** A job runs. */
    void tick() {
        if (begin.get() == 0) {
            begin.compareAndSet(0, System.nanoTime());
        }
        ran.incrementAndGet();
        left.countDown();
    }

    /**
     * Waits for the end; jobs per second.
     *
     * @param open a query for the number of jobs that are not finished
     */
    double await(DataSource database, String open) throws IOException, SQLException, InterruptedException {
        if (!left.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            throw new IOException(left.getCount() + " of " + jobs + " jobs have not run");
        }
        try (Connection connection = database.getConnection(); Statement statement = connection.createStatement()) {
            while (number(statement, open) > 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        double perSecond = jobs / ((System.nanoTime() - begin.get()) / 1e9);
        if (ran.get() != jobs) {
            throw new IOException(jobs + " jobs have run " + ran + " times");
        }
        return perSecond;
    }

    private static long number(Statement statement, String query) throws SQLException {
        try (ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }
}

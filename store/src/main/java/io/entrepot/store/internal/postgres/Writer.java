package io.entrepot.store.internal.postgres;

import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreException;
import io.entrepot.store.internal.jdbc.Committer;
import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A committing thread with its connection, and how many callers it has. Safe for use by many threads. */
final class Writer {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    private final PostgresTransaction tx;
    private final Committer committer;
    private final Thread thread;
    private final AtomicInteger callers = new AtomicInteger();

    Writer(PostgresTransaction tx, Committer committer, String name) {
        this.tx = tx;
        this.committer = committer;
        this.thread = Thread.ofPlatform().daemon().name("store-commit-" + name).unstarted(committer);
    }

    void start() {
        thread.start();
    }

    Committer committer() {
        return committer;
    }

    int callers() {
        return callers.get();
    }

    <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request) {
        callers.incrementAndGet();
        try {
            return committer.write(owner, operation, request);
        } finally {
            callers.decrementAndGet();
        }
    }

    boolean isCalling() {
        return thread.equals(Thread.currentThread());
    }

    void fail(StoreException cause) {
        committer.fail(cause);
    }

    /** Finishes what it was asked to, if the database is there. Called once, uninterrupted. */
    void close() {
        tx.hurry();
        committer.close();
        Uninterrupted.join(thread);
        try {
            tx.sql().close();
        } catch (SQLException e) {
            LOG.warn("closing a connection reported: {}", e.getMessage());
        }
    }
}

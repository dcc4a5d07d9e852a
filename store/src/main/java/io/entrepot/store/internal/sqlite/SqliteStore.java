package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.SteadyClock;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.Events;
import io.entrepot.store.Incarnation;
import io.entrepot.store.IntegrityReport;
import io.entrepot.store.Leases;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.Reading;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import io.entrepot.store.Work;
import io.entrepot.store.internal.Migrations;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store on one SQLite file: WAL, full sync, one writing thread with group commit, a few reading ones. Whoever opens
 * it owns the file alone (see {@link io.entrepot.store.internal.OwnerLock}). Safe for use by many threads.
 */
public final class SqliteStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);
    private static final Schema OWN = new Schema("store", Store.class, 1);
    private static final String DIALECT = "sqlite";

    private final Database database;
    private final Sql writer;
    private final SqliteTransaction tx;
    private final SteadyClock time;
    private final Committer committer;
    private final Thread thread;
    private final Readers readers;
    private final Checkpointer checkpointer;
    private final SqliteEvents events;
    private final SqliteLeases leases;
    private final Incarnation incarnation;
    private boolean closed;

    /** Whether this opening continues the data or begins a new life of it. */
    public enum Life {
        SAME, RESTORED
    }

    public static SqliteStore open(Path file, StoreConfig config, Life life) {
        Database database = new Database(file, config.sync());
        try {
            database.secureLog();
            return new SqliteStore(database, config, life);
        } catch (SQLException e) {
            throw Errors.notDone(e, file);
        } catch (IOException e) {
            throw NotDoneException.io("the log of " + file + " cannot be secured: " + e.getMessage(), e);
        }
    }

    private SqliteStore(Database database, StoreConfig config, Life life) throws SQLException {
        this.database = database;
        writer = database.writer();
        try {
            tx = new SqliteTransaction(writer, database.file());
            incarnation = prepare(config, life);
            time = new SteadyClock(config.wall(), config.ticker(), Instant.ofEpochMilli(number("time")));
            long lastEvent = Math.max(number("events"),
                    tx.first("SELECT max(first + n - 1) FROM event", row -> row.getLong(1)).orElse(0L));
            tx.eventsEndAt(lastEvent);
            events = new SqliteEvents(this, lastEvent);
            leases = new SqliteLeases(this, config.ticker(), config.nonces());
            leases.load(tx);
            FairInbox inbox = new FairInbox(config.limits());
            checkpointer = new Checkpointer(database, config.walBytes(), config.faults(), e -> fail(e));
            committer = new Committer(inbox, tx, config.limits(), time, config.faults(),
                    new Housekeeping(database, config.headroom(), checkpointer, events));
        } catch (SQLException | RuntimeException e) {
            writer.close();
            throw e;
        }
        readers = new Readers(database, config.readers(), time);
        thread = Thread.ofPlatform().daemon().name("store-commit-" + database.file().getFileName()).start(committer);
        checkpointer.start();
    }

    /** Migrations and incarnation, in one transaction before anybody else is here. */
    private Incarnation prepare(StoreConfig config, Life life) throws SQLException {
        List<Schema> schemas = new ArrayList<>(List.of(OWN));
        schemas.addAll(config.schemas());
        Migrations migrations = new Migrations(DIALECT, schemas);
        tx.beginGroup(0);
        try {
            migrations.run(tx, database.file().toString());
            long lives = number("lives");
            String id = text("incarnation").orElse("");
            if (lives == 0 || life == Life.RESTORED) {
                if (lives > 0) {
                    migrations.afterRestore(tx);
                }
                lives++;
                id = HexFormat.of().toHexDigits(config.nonces().next());
                tx.update("INSERT OR REPLACE INTO meta VALUES ('lives', ?), ('incarnation', ?)", String.valueOf(lives),
                        id);
            }
            writer.execute("COMMIT");
            return new Incarnation(lives, id);
        } catch (SQLException | RuntimeException e) {
            tx.rollback();
            throw e;
        }
    }

    private long number(String key) {
        return text(key).map(Long::parseLong).orElse(0L);
    }

    private Optional<String> text(String key) {
        return tx.first("SELECT value FROM meta WHERE key = ?", row -> row.getString(1), key);
    }

    private void fail(StoreException reason) {
        LOG.error("{}; the store is closed until it is opened again", reason.getMessage());
        committer.fail(reason);
    }

    void refuseIfEnded() {
        committer.refuseIfEnded();
    }

    @Override
    public <R> R write(Owner owner, Work<R> work) {
        return submit(new Call.Single<>(owner, work));
    }

    @Override
    public <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request) {
        return submit(new Call.Combined<>(owner, operation, request));
    }

    private <R> R submit(Call<R> call) {
        if (thread.equals(Thread.currentThread())) {
            throw new IllegalStateException("a unit of work must not wait for another one; use its own transaction");
        }
        return committer.submit(call);
    }

    @Override
    public <R> R read(Reading<R> reading) {
        committer.refuseIfEnded();
        return readers.read(reading);
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Leases leases() {
        return leases;
    }

    @Override
    public Incarnation incarnation() {
        return incarnation;
    }

    @Override
    public void backup(Path target) {
        committer.refuseIfEnded();
        new Maintenance(database).backup(target);
    }

    @Override
    public IntegrityReport check() {
        committer.refuseIfEnded();
        return new Maintenance(database).check();
    }

    @Override
    public CompactionReport compact() {
        return new Maintenance(database).compact(pages -> write(Owner.SYSTEM, _ -> free(pages)), checkpointer);
    }

    /** On the committing thread: gives back up to that many pages and returns how many unused ones are left. */
    private long free(int pages) {
        try {
            writer.exhaust("PRAGMA incremental_vacuum(" + pages + ")");
        } catch (SQLException e) {
            throw Errors.notDone(e, database.file());
        }
        return tx.first("PRAGMA freelist_count", row -> row.getLong(1)).orElse(0L);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        committer.close();
        try {
            thread.join();
            readers.close();
            checkpointer.close();
            // The last connection to close moves the log into the database file and removes it.
            writer.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException e) {
            LOG.warn("closing {} reported: {}", database.file(), e.getMessage());
        }
    }
}

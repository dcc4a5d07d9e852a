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
import io.entrepot.store.Reclaimable;
import io.entrepot.store.Room;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import io.entrepot.store.Work;
import io.entrepot.store.internal.Durable;
import io.entrepot.store.internal.jdbc.Committer;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcLeases;
import io.entrepot.store.internal.jdbc.Meta;
import io.entrepot.store.internal.jdbc.Readers;
import io.entrepot.store.internal.jdbc.Sql;
import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store on one SQLite file: WAL, a sync for each group, one writing thread with group commit, a few reading ones. Whoever opens
 * it owns the file alone (see {@link io.entrepot.store.internal.OwnerLock}). Safe for use by many threads.
 */
public final class SqliteStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);

    private final Database database;
    private final Headroom headroom;
    private final Sql writer;
    private final LogSync log;
    private final SqliteTransaction tx;
    private final SteadyClock time;
    private final Committer committer;
    private final Thread thread;
    private final Readers readers;
    private final Checkpointer checkpointer;
    private final JdbcEvents events;
    private final JdbcLeases leases;
    private final Incarnation incarnation;
    private final Chores chores;
    private final Maintenance maintenance;
    private boolean closed;

    /** Whose data this opening finds. */
    public enum Life {
        /** The same as before, or new if there is none. */
        ANY,
        /** The same as before. */
        SAME,
        /** A copy from a backup, which begins a new life. */
        RESTORED
    }

    /** A file by itself. */
    public static SqliteStore open(Path file, StoreConfig config, Life life) {
        return open(file, config, life, Headroom.around(file, config));
    }

    /** One of a data directory. */
    public static SqliteStore open(Path file, StoreConfig config, Life life, Headroom headroom) {
        Database database = new Database(file, config.sync(), config.walBytes());
        Preparation preparation = new Preparation(file, config);
        try {
            preparation.makeIfMissing(database, life);
            preparation.requireFile();
            database.secureLog();
            return new SqliteStore(database, config, preparation, life, headroom);
        } catch (SQLException e) {
            throw Errors.notOpened(e, file);
        } catch (IOException e) {
            throw Durable.notDone(file + " cannot be opened", e);
        }
    }

    private SqliteStore(Database database, StoreConfig config, Preparation preparation, Life life, Headroom headroom)
            throws SQLException {
        this.database = database;
        this.headroom = headroom;
        log = new LogSync(database, config.faults());
        writer = database.untouched();
        try {
            preparation.requireKnown(writer);
            database.forWriting(writer);
            tx = new SqliteTransaction(writer, log, headroom);
            incarnation = preparation.begin(tx, life);
            long promised = new Meta(writer).number("time");
            time = new SteadyClock(config.wall(), config.ticker(), Instant.ofEpochMilli(promised));
            long lastEvent = JdbcEvents.last(writer);
            tx.eventsEndAt(lastEvent);
            events = new JdbcEvents(this, this::refuseIfEnded, true, lastEvent);
            leases = new JdbcLeases(this, this::refuseIfEnded, true, config.ticker(), config.nonces());
            leases.load(writer);
            checkpointer = new Checkpointer(database, headroom, config.faults(), e -> fail(e));
            committer = new Committer(tx, config.limits(), time, config.faults(),
                    new Housekeeping(database, headroom, time, promised, checkpointer, events));
        } catch (IllegalArgumentException e) {
            close(log);
            writer.close();
            throw Errors.damaged(e, database.file()); // a value that nobody writes
        } catch (SQLException | RuntimeException e) {
            close(log);
            writer.close();
            throw e;
        }
        readers = new Readers(database.file().getFileName().toString(), config.readers(), time,
                new IdleConnections(database, log));
        chores = new Chores(database.file());
        maintenance = new Maintenance(database, log);
        thread = Thread.ofPlatform().daemon().name("store-commit-" + database.file().getFileName()).start(committer);
        checkpointer.start();
    }

    private void fail(StoreException reason) {
        LOG.error("{}; the store is closed until it is opened again", reason.getMessage());
        committer.fail(reason);
    }

    /** Whoever is in a unit of work or a reading holds what another call would wait for. */
    private void refuseInside() {
        if (thread.equals(Thread.currentThread()) || readers.areCalling()) {
            throw new IllegalStateException("a unit of work, an effect or a reading must not call the store again;"
                    + " use the transaction or snapshot it was handed");
        }
    }

    private void refuseIfEnded() {
        committer.refuseIfEnded();
    }

    @Override
    public <R> R write(Owner owner, Work<R> work) {
        refuseInside();
        return committer.write(owner, work);
    }

    @Override
    public <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request) {
        refuseInside();
        return committer.write(owner, operation, request);
    }

    @Override
    public <R> R read(Reading<R> reading) {
        refuseInside();
        committer.refuseIfEnded();
        return readers.read(reading);
    }

    @Override
    public long now() {
        return time.millis();
    }

    @Override
    public String dialect() {
        return Preparation.DIALECT;
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    public void listen(Consumer<String> ear) {
        // There are no others.
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
        Maintenance.requireNothingAt(target);
        chore(chore -> {
            maintenance.backup(target, chore);
            return target;
        });
    }

    @Override
    public IntegrityReport check() {
        return chore(maintenance::check);
    }

    @Override
    public Optional<Room> room() {
        return Optional.of(headroom.room());
    }

    @Override
    public void requireRoom() {
        headroom.requireRoom();
    }

    @Override
    public Reclaimable reclaimable() {
        return read(snapshot -> {
            long page = pragma(snapshot, "page_size");
            return new Reclaimable(pragma(snapshot, "page_count") * page,
                    OptionalLong.of(pragma(snapshot, "freelist_count") * page));
        });
    }

    private static long pragma(Snapshot snapshot, String name) {
        return snapshot.first("PRAGMA " + name, row -> row.getLong(1)).orElse(0L);
    }

    @Override
    public CompactionReport compact() {
        return chore(chore -> maintenance.compact(new Maintenance.Writer() {
            @Override
            public long free(int pages) {
                return write(Owner.SYSTEM, _ -> tx.freePages(pages));
            }

            @Override
            public boolean truncateLog() {
                AtomicBoolean emptied = new AtomicBoolean();
                write(Owner.SYSTEM, unit -> {
                    unit.afterCommit(() -> emptied.set(truncate()));
                    return unit;
                });
                return emptied.get();
            }
        }, chore));
    }

    private <R> R chore(Chores.Work<R> work) {
        refuseInside();
        committer.refuseIfEnded();
        return chores.run(work);
    }

    /** On the committing thread, between groups. */
    private boolean truncate() {
        try {
            return checkpointer.truncate(writer);
        } catch (SQLException | RuntimeException e) {
            fail(NotDoneException.io("emptying the log of " + database.file() + " failed (" + e.getMessage() + ")", e));
            return false;
        }
    }

    @Override
    public void close() {
        if (thread.equals(Thread.currentThread()) || readers.areCalling()) {
            throw new IllegalStateException("a unit of work, an effect or a reading must not close the store");
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            chores.close();
            committer.close();
            Uninterrupted.join(thread);
            readers.close();
            close(checkpointer);
            close(log);
            close(writer); // the last connection moves the log into the database file and removes it
            close(checkpointer::release);
        }
    }

    private void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            LOG.warn("closing {} reported: {}", database.file(), e.getMessage());
        }
    }
}

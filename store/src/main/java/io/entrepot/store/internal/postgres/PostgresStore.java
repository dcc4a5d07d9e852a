package io.entrepot.store.internal.postgres;

import io.entrepot.lease.SteadyClock;
import io.entrepot.store.CompactionReport;
import io.entrepot.store.Events;
import io.entrepot.store.Incarnation;
import io.entrepot.store.IntegrityReport;
import io.entrepot.store.Leases;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.PostgresConfig;
import io.entrepot.store.Reading;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.Work;
import io.entrepot.store.internal.Migrations;
import io.entrepot.store.internal.jdbc.Committer;
import io.entrepot.store.internal.jdbc.JdbcEvents;
import io.entrepot.store.internal.jdbc.JdbcLeases;
import io.entrepot.store.internal.jdbc.Lives;
import io.entrepot.store.internal.jdbc.Meta;
import io.entrepot.store.internal.jdbc.Readers;
import io.entrepot.store.internal.jdbc.Sql;
import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store on a PostgreSQL that other processes may use at the same time: one committing thread with group commit, a few
 * reading ones. Safe for use by many threads.
 */
public final class PostgresStore implements Store {
    static final String DIALECT = "postgres";
    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    private static final Schema OWN = new Schema("store", Store.class, 1);

    private final PostgresConfig where;
    private final PostgresTransaction tx;
    private final Committer committer;
    private final Thread thread;
    private final Readers readers;
    private final Notices notices;
    private final JdbcEvents events;
    private final JdbcLeases leases;
    private final Incarnation incarnation;
    private final Upkeep upkeep;
    private boolean closed;

    public static PostgresStore open(PostgresConfig where, StoreConfig config) {
        PostgresDialect dialect = new PostgresDialect(where.url());
        Connections connections = new Connections(where, config.readers());
        try {
            return new PostgresStore(where, connections, config);
        } catch (SQLException e) {
            connections.close();
            throw dialect.notDone(e);
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    private PostgresStore(PostgresConfig where, Connections connections, StoreConfig config) throws SQLException {
        this.where = where;
        Sql writer = connections.writer();
        try {
            makeSchema(writer);
            DatabaseTime wall = new DatabaseTime(config.ticker());
            tx = new PostgresTransaction(connections, writer, wall, where.schema(), where.patience());
            List<Schema> schemas = new ArrayList<>(List.of(OWN));
            schemas.addAll(config.schemas());
            incarnation = new Lives(new Migrations(DIALECT, schemas), config.nonces(), where.url()).begin(tx, false);
            tx.prepared();
            long promised = new Meta(writer).number("time");
            SteadyClock time = new SteadyClock(wall, config.ticker(), Instant.ofEpochMilli(promised));
            long lastEvent = JdbcEvents.last(writer);
            tx.eventsEndAt(lastEvent);
            events = new JdbcEvents(this, this::refuseIfEnded, false, lastEvent);
            leases = new JdbcLeases(this, this::refuseIfEnded, false, config.ticker(), config.nonces());
            leases.load(writer);
            Channel channel = new Channel("entrepot_" + where.schema(), Long.toHexString(config.nonces().next()));
            committer = new Committer(tx, config.limits(), time, config.faults(),
                    new PostgresHousekeeping(events, channel, time, promised));
            readers = new Readers(where.schema(), config.readers(), time, connections);
            notices = new Notices(connections, channel, this::hearOfEvents);
            upkeep = new Upkeep(connections, where.schema());
        } catch (SQLException | RuntimeException e) {
            writer.close();
            throw e;
        }
        thread = Thread.ofPlatform().daemon().name("store-commit-" + where.schema()).start(committer);
        notices.start();
    }

    private void makeSchema(Sql writer) throws SQLException {
        if (!hasSchema(writer)) {
            try {
                writer.exhaust("CREATE SCHEMA " + where.schema());
            } catch (SQLException e) {
                if (!hasSchema(writer)) { // nor has another process made it meanwhile
                    throw e;
                }
            }
        }
    }

    private boolean hasSchema(Sql writer) throws SQLException {
        return !writer.query("SELECT 1 FROM pg_namespace WHERE nspname = ?", row -> row.getInt(1), where.schema())
                .isEmpty();
    }

    private void hearOfEvents() {
        events.reached(readers.read(JdbcEvents::last));
    }

    /** Whoever is in a unit of work or a reading holds what another call would wait for. */
    private void refuseInside() {
        if (isInside()) {
            throw new IllegalStateException("a unit of work, an effect or a reading must not call the store again;"
                    + " use the transaction or snapshot it was handed");
        }
    }

    private boolean isInside() {
        return thread.equals(Thread.currentThread()) || readers.areCalling();
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
    public String dialect() {
        return DIALECT;
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public void listen(Consumer<String> ear) {
        notices.add(ear);
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
    public void backup(Path file) {
        committer.refuseIfEnded();
        throw NotDoneException.refused("a backup of " + where.url()
                + " is made with pg_dump or with what your PostgreSQL has for it, not by its clients", null);
    }

    @Override
    public IntegrityReport check() {
        return read(snapshot -> new IntegrityReport(JdbcEvents.problems(snapshot)));
    }

    @Override
    public CompactionReport compact() {
        refuseInside();
        committer.refuseIfEnded();
        return upkeep.compact();
    }

    @Override
    public void close() {
        if (isInside()) {
            throw new IllegalStateException("a unit of work, an effect or a reading must not close the store");
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            committer.close();
            Uninterrupted.join(thread);
            notices.close();
            readers.close();
            try {
                tx.sql().close();
            } catch (SQLException e) {
                LOG.warn("closing {} reported: {}", where.url(), e.getMessage());
            }
        }
    }
}

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
import io.entrepot.store.Reclaimable;
import io.entrepot.store.Room;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.StoreClosedException;
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
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The store on a PostgreSQL that other processes may use at the same time: a committing thread with group commit, some more
 * for what may run beside others, a few that read. Safe for use by many threads.
 */
public final class PostgresStore implements Store {
    static final String DIALECT = "postgres";
    private static final Schema OWN = new Schema("store", Store.class, 3);

    private final PostgresConfig where;
    private final Connections connections;
    private final Writer alone;
    private final List<Writer> beside = new ArrayList<>();
    private final List<Writer> writers;
    /** Effects run in the order of commits, but for those that run beside each other. */
    private final ReadWriteLock order = new ReentrantReadWriteLock(true);
    private final SteadyClock time;
    private final Readers readers;
    private final Notices notices;
    private final JdbcEvents events;
    private final JdbcLeases leases;
    private final Incarnation incarnation;
    private final Upkeep upkeep;
    private volatile boolean closed;

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
        this.connections = connections;
        List<Sql> opened = new ArrayList<>();
        try {
            Sql sql = opened(connections, opened);
            makeSchema(sql);
            DatabaseTime wall = new DatabaseTime(config.ticker());
            Tally tally = new Tally();
            PostgresTransaction tx = new PostgresTransaction(connections, sql, wall, where, tally, config.nonces(),
                    false);
            List<Schema> schemas = new ArrayList<>(List.of(OWN));
            schemas.addAll(config.schemas());
            incarnation = new Lives(new Migrations(DIALECT, schemas), config.nonces(), where.url()).begin(tx, false);
            tx.prepared();
            long promised = new Meta(sql).number("time");
            time = new SteadyClock(wall, config.ticker(), Instant.ofEpochMilli(promised));
            long lastEvent = JdbcEvents.last(sql);
            tx.eventsEndAt(lastEvent);
            events = new JdbcEvents(this, this::refuseIfEnded, false, lastEvent);
            leases = new JdbcLeases(this, this::refuseIfEnded, false, config.ticker(), config.nonces());
            leases.load(sql);
            Channel channel = new Channel("entrepot_" + where.schema(), Long.toHexString(config.nonces().next()));
            alone = new Writer(tx, new Committer(tx, config.limits(), time, config.faults(), new PostgresHousekeeping(
                    events, channel, Optional.of(tally), time, promised, order.writeLock(), this::endAll)),
                    where.schema());
            for (int i = 1; where.writers() > 1 && i <= where.writers(); i++) {
                PostgresTransaction one = new PostgresTransaction(connections, opened(connections, opened), wall, where,
                        tally, config.nonces(), true);
                one.prepared();
                beside.add(new Writer(one, new Committer(one, config.limits(), time, config.faults(),
                        new PostgresHousekeeping(events, channel, Optional.empty(), time, promised, order.readLock(),
                                this::endAll)),
                        where.schema() + "-" + i));
            }
            writers = Stream.concat(beside.stream(), Stream.of(alone)).toList();
            readers = new Readers(where.schema(), config.readers(), time, connections);
            notices = new Notices(connections, channel, this::hearOfEvents);
            upkeep = new Upkeep(connections, where.schema());
        } catch (SQLException | RuntimeException e) {
            for (Sql sql : opened) {
                sql.close();
            }
            throw e;
        }
        writers.forEach(Writer::start);
        notices.start();
    }

    private static Sql opened(Connections connections, List<Sql> opened) throws SQLException {
        Sql sql = connections.writer();
        opened.add(sql);
        return sql;
    }

    /** When one of the committing threads has failed, the others end too. On a thread of its own: they end each other. */
    private void endAll() {
        if (closed) {
            return; // in good order: each of them finishes what waits for it
        }
        Thread.startVirtualThread(() -> writers.forEach(
                writer -> writer.fail(
                        new StoreClosedException("another one of its connections has failed; open it again", null))));
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
        for (Writer writer : writers) {
            if (writer.isCalling()) {
                return true;
            }
        }
        return readers.areCalling();
    }

    private void refuseIfEnded() {
        for (Writer writer : writers) {
            writer.committer().refuseIfEnded();
        }
    }

    @Override
    public <R> R write(Owner owner, Work<R> work) {
        refuseInside();
        return alone.committer().write(owner, work);
    }

    @Override
    public <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request) {
        refuseInside();
        return writer(operation, request).write(owner, operation, request);
    }

    private <Q, R> Writer writer(Operation<Q, R> operation, Q request) {
        return beside.isEmpty() || !operation.concurrent(request)
                ? alone
                : beside.stream().min(Comparator.comparingInt(Writer::callers)).orElseThrow();
    }

    @Override
    public <R> R read(Reading<R> reading) {
        refuseInside();
        refuseIfEnded();
        return readers.read(reading);
    }

    @Override
    public long now() {
        return time.millis();
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
        refuseIfEnded();
        throw NotDoneException.refused("a backup of " + where.url()
                + " is made with pg_dump or with what your PostgreSQL has for it, not by its clients", null);
    }

    @Override
    public IntegrityReport check() {
        return read(snapshot -> new IntegrityReport(JdbcEvents.problems(snapshot)));
    }

    @Override
    public Optional<Room> room() {
        return Optional.empty();
    }

    @Override
    public void requireRoom() {
        // The server refuses what it has no room for.
    }

    @Override
    public Reclaimable reclaimable() {
        refuseInside();
        refuseIfEnded();
        return upkeep.reclaimable();
    }

    @Override
    public CompactionReport compact() {
        refuseInside();
        refuseIfEnded();
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
            connections.waitNoMore();
            writers.forEach(Writer::close);
            notices.close();
            readers.close();
        }
    }
}

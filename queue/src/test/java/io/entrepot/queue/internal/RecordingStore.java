package io.entrepot.queue.internal;

import io.entrepot.store.CompactionReport;
import io.entrepot.store.Counter;
import io.entrepot.store.Events;
import io.entrepot.store.Incarnation;
import io.entrepot.store.IntegrityReport;
import io.entrepot.store.Leases;
import io.entrepot.store.Meanwhile;
import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.Reading;
import io.entrepot.store.Reclaimable;
import io.entrepot.store.Room;
import io.entrepot.store.RowReader;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import io.entrepot.store.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A real store that remembers the text of every statement which passes through it; whoever listens may throw instead of letting
 * it pass. Safe for use by many threads.
 */
final class RecordingStore implements Store {
    final Set<String> statements = ConcurrentHashMap.newKeySet();
    volatile Consumer<String> ear = _ -> {};
    private final Store store;

    RecordingStore(Store store) {
        this.store = store;
    }

    @Override
    public <R> R write(Owner owner, Work<R> work) {
        return store.write(owner, tx -> work.run(new RecordingTransaction(tx)));
    }

    @Override
    public <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request) {
        return store.write(owner, tx -> operation.run(new RecordingTransaction(tx), List.of(request)).getFirst());
    }

    @Override
    public <R> R read(Reading<R> reading) {
        return store.read(snapshot -> reading.run(new RecordingSnapshot<>(snapshot)));
    }

    @Override
    public long now() {
        return store.now();
    }

    @Override
    public Optional<Room> room() {
        return store.room();
    }

    @Override
    public void requireRoom() {
        store.requireRoom();
    }

    @Override
    public String dialect() {
        return store.dialect();
    }

    @Override
    public boolean shared() {
        return store.shared();
    }

    @Override
    public void listen(Consumer<String> ear) {
        store.listen(ear);
    }

    @Override
    public Events events() {
        return store.events();
    }

    @Override
    public Leases leases() {
        return store.leases();
    }

    @Override
    public Incarnation incarnation() {
        return store.incarnation();
    }

    @Override
    public void backup(Path file) {
        store.backup(file);
    }

    @Override
    public IntegrityReport check() {
        return store.check();
    }

    @Override
    public Reclaimable reclaimable() {
        return store.reclaimable();
    }

    @Override
    public CompactionReport compact() {
        return store.compact();
    }

    @Override
    public void close() {
        store.close();
    }

    private class RecordingSnapshot<S extends Snapshot> implements Snapshot {
        final S real;

        RecordingSnapshot(S real) {
            this.real = real;
        }

        @Override
        public long now() {
            return real.now();
        }

        @Override
        public <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... args) {
            record(sql);
            return real.query(sql, reader, args);
        }

        @Override
        public <T> List<T> queryEach(String sql, RowReader<T> reader, List<@Nullable Object[]> rows,
                @Nullable Object... args) {
            record(sql, rows);
            return real.queryEach(sql, reader, rows, args);
        }

        void record(String sql) {
            ear.accept(sql);
            statements.add(sql);
        }

        void record(String sql, List<@Nullable Object[]> rows) {
            if (!rows.isEmpty()) {
                String row = "(" + "?,".repeat(rows.getFirst().length - 1) + "?)";
                record(sql.replace("$rows", row + "," + row));
            }
        }

        @Override
        public long count(Counter counter) {
            return real.count(counter);
        }
    }

    private final class RecordingTransaction extends RecordingSnapshot<Transaction> implements Transaction {

        RecordingTransaction(Transaction real) {
            super(real);
        }

        @Override
        public int update(String sql, @Nullable Object... args) {
            record(sql);
            return real.update(sql, args);
        }

        @Override
        public int updateEach(String sql, List<@Nullable Object[]> rows, @Nullable Object... args) {
            record(sql, rows);
            return real.updateEach(sql, rows, args);
        }

        @Override
        public void requireRoom() {
            real.requireRoom();
        }

        @Override
        public void add(Counter counter, long delta) {
            real.add(counter, delta);
        }

        @Override
        public void publish(Owner owner, String type, String subject, String body) {
            real.publish(owner, type, subject, body);
        }

        @Override
        public void tell(String message) {
            real.tell(message);
        }

        @Override
        public void afterCommit(Runnable effect) {
            real.afterCommit(effect);
        }

        @Override
        public void meanwhile(Meanwhile other) {
            real.meanwhile(other);
        }
    }
}

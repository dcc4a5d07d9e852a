package io.entrepot.queue.internal;

import io.entrepot.queue.QueueName;
import io.entrepot.store.Owner;
import io.entrepot.store.RowReader;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The queues of one store, known by name and by number. A queue comes to be when it is first used. Thread-safe. */
final class Lanes {
    private static final RowReader<Lane> READER = row -> new Lane(row.getLong(1),
            new QueueName(new Owner(row.getString(2)), row.getString(3)), row.getInt(4) != 0);

    private final Store store;
    private final Map<QueueName, Lane> byName = new ConcurrentHashMap<>();
    private final Map<Long, Lane> byId = new ConcurrentHashMap<>();

    Lanes(Store store) {
        this.store = store;
        store.read(Lanes::all).forEach(this::remember);
    }

    private static List<Lane> all(Snapshot snapshot) {
        return snapshot.query("SELECT id, owner, lane, paused FROM queue", READER);
    }

    Optional<Lane> known(QueueName name) {
        return Optional.ofNullable(byName.get(name));
    }

    Collection<Lane> known() {
        return byName.values();
    }

    Lane lane(QueueName name) {
        Lane lane = byName.get(name);
        return lane != null ? lane : store.write(name.owner(), tx -> lane(tx, name));
    }

    Lane lane(Transaction tx, QueueName name) {
        Lane lane = byName.get(name);
        if (lane != null) {
            return lane;
        }
        tx.update("INSERT INTO queue (owner, lane) VALUES (?, ?) ON CONFLICT DO NOTHING", name.owner().name(),
                name.lane());
        Lane made = tx.first("SELECT id, owner, lane, paused FROM queue WHERE owner = ? AND lane = ?", READER,
                name.owner().name(), name.lane()).orElseThrow();
        tx.afterCommit(() -> remember(made));
        return made;
    }

    /** The queue with that number; it was committed before any of its items. */
    Lane lane(Snapshot snapshot, long id) {
        Lane lane = byId.get(id);
        return lane != null
                ? lane
                : snapshot.first("SELECT id, owner, lane, paused FROM queue WHERE id = ?", READER, id).orElseThrow();
    }

    /** As it is now, however old the caller's picture of the queue is. */
    boolean paused(long id) {
        Lane lane = byId.get(id);
        return lane != null && lane.paused();
    }

    /** Says whether that was a change. */
    boolean pause(QueueName name, boolean paused) {
        return store.write(name.owner(), tx -> {
            Lane lane = lane(tx, name);
            boolean changed = tx.update("UPDATE queue SET paused = ? WHERE id = ? AND paused <> ?", paused ? 1 : 0,
                    lane.id(), paused ? 1 : 0) == 1;
            tx.afterCommit(() -> remember(new Lane(lane.id(), name, paused)));
            return changed;
        });
    }

    private void remember(Lane lane) {
        byName.put(lane.name(), lane);
        byId.put(lane.id(), lane);
    }
}

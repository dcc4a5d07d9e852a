package io.entrepot.queue.internal;

import io.entrepot.queue.QueueName;
import io.entrepot.store.Owner;
import io.entrepot.store.RowReader;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queues of one store, known by name and by number. A queue comes to be when it is first used, and then stays. Which
 * ones are paused is remembered only where no other process can change it. Thread-safe.
 */
final class Lanes {
    private static final RowReader<Lane> READER = row -> new Lane(row.getLong(1),
            new QueueName(new Owner(row.getString(2)), row.getString(3)));

    private final Store store;
    private final Map<QueueName, Lane> byName = new ConcurrentHashMap<>();
    private final Map<Long, Lane> byId = new ConcurrentHashMap<>();
    private final Set<Long> paused = ConcurrentHashMap.newKeySet();

    Lanes(Store store) {
        this.store = store;
        store.read(Lanes::all).forEach(this::remember);
        paused.addAll(store.read(snapshot -> snapshot.query("SELECT id FROM queue WHERE paused = 1",
                row -> row.getLong(1))));
    }

    static List<Lane> all(Snapshot snapshot) {
        return snapshot.query("SELECT id, owner, lane FROM queue", READER);
    }

    /** An owner's queues, by their names. */
    static List<Lane> of(Snapshot snapshot, Owner owner) {
        return snapshot.query("SELECT id, owner, lane FROM queue WHERE owner = ? ORDER BY lane", READER, owner.name());
    }

    /** The queue of that name, if there is one. */
    Optional<Lane> known(QueueName name) {
        Lane lane = byName.get(name);
        return lane != null || !store.shared()
                ? Optional.ofNullable(lane)
                : store.read(snapshot -> stored(snapshot, name)).map(this::remember);
    }

    /** The same, within what the caller reads or writes. */
    Optional<Lane> known(Snapshot snapshot, QueueName name) {
        return Optional.ofNullable(byName.get(name)).or(() -> stored(snapshot, name));
    }

    private static Optional<Lane> stored(Snapshot snapshot, QueueName name) {
        return snapshot.first("SELECT id, owner, lane FROM queue WHERE owner = ? AND lane = ?", READER,
                name.owner().name(), name.lane());
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
        Lane made = stored(tx, name).orElseThrow();
        tx.afterCommit(() -> remember(made));
        return made;
    }

    /** The queue with that number; it was committed before any of its items. */
    Lane lane(Snapshot snapshot, long id) {
        Lane lane = byId.get(id);
        return lane != null
                ? lane
                : snapshot.first("SELECT id, owner, lane FROM queue WHERE id = ?", READER, id).orElseThrow();
    }

    boolean paused(Snapshot snapshot, long id) {
        return store.shared()
                ? snapshot.first("SELECT paused FROM queue WHERE id = ?", row -> row.getInt(1), id).orElse(0) == 1
                : paused.contains(id);
    }

    /** Says whether that was a change. */
    boolean pause(Transaction tx, Lane lane, boolean wanted) {
        boolean changed = tx.update("UPDATE queue SET paused = ? WHERE id = ? AND paused <> ?", wanted ? 1 : 0,
                lane.id(), wanted ? 1 : 0) == 1;
        tx.afterCommit(() -> rememberPaused(lane.id(), wanted));
        return changed;
    }

    private void rememberPaused(long id, boolean wanted) {
        if (wanted) {
            paused.add(id);
        } else {
            paused.remove(id);
        }
    }

    private Lane remember(Lane lane) {
        byName.put(lane.name(), lane);
        byId.put(lane.id(), lane);
        return lane;
    }
}

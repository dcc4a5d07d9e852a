package io.entrepot.queue.internal;

import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueConfig;
import io.entrepot.store.Cost;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts items into their queues: ready, or delayed if they are not to be handed out yet. */
final class PutOperation implements Operation<PutOperation.Request, Placed> {
    private final Lanes lanes;
    private final Steps steps;
    private final Keys keys;
    private final Numbers numbers;
    private final Arrivals arrivals;
    private final QueueConfig config;

    /** A put, with the digest of its payload if it has a key; computed by the caller, not by the committing thread. */
    @SuppressWarnings("ArrayRecordComponent")
    record Request(NewItem item, byte[] digest) {

        static Request of(NewItem item) {
            return new Request(item, item.key().isPresent() ? Digests.sha256(item.payload()) : new byte[0]);
        }
    }

    PutOperation(Lanes lanes, Steps steps, Keys keys, Numbers numbers, Arrivals arrivals,
            QueueConfig config) {
        this.lanes = lanes;
        this.steps = steps;
        this.keys = keys;
        this.numbers = numbers;
        this.arrivals = arrivals;
        this.config = config;
    }

    @Override
    public Cost cost(Request request) {
        return new Cost(1, request.item.payload().length);
    }

    @Override
    public List<Placed> run(Transaction tx, List<Request> requests) {
        List<Placed> answers = new ArrayList<>(requests.size());
        List<@Nullable Object[]> items = new ArrayList<>(requests.size());
        List<@Nullable Object[]> ready = new ArrayList<>(requests.size());
        List<@Nullable Object[]> delayed = new ArrayList<>();
        Map<Lane, long[]> arrived = new HashMap<>();
        List<Long> given = new ArrayList<>();
        for (Request request : requests) {
            NewItem item = request.item;
            Lane lane = lanes.lane(tx, item.queue());
            Optional<Placed> known = item.key().flatMap(key -> known(tx, lane, key, request));
            if (known.isPresent()) {
                answers.add(known.get());
                continue;
            }
            tx.requireRoom();
            long id = item.number().orElseGet(() -> numbers.take(tx, 1));
            item.number().ifPresent(given::add);
            long due = item.availableAt().map(Instant::toEpochMilli).orElse(tx.now());
            boolean waits = due > tx.now();
            long place = waits ? due : Rank.of(tx.now(), item.priority(), config.priorityStep());
            items.add(
                    new Object[]{id, lane.id(), waits ? States.DELAYED : States.OPEN, place, 0L, item.priority(), 0, 0,
                            tx.now(), item.key().orElse(null), null, Trail.put(tx.now()), item.payload()});
            if (waits) {
                delayed.add(new Object[]{lane.id(), States.DELAYED, place, id});
            } else {
                ready.add(new Object[]{lane.id(), place, id});
                arrived.computeIfAbsent(lane, _ -> new long[1])[0]++;
            }
            item.key().ifPresent(key -> tx.update(
                    "INSERT INTO idem (queue, key, item, digest, until) VALUES (?, ?, ?, ?, ?)"
                            + " ON CONFLICT (queue, key) DO UPDATE SET item = excluded.item, digest = excluded.digest, until = excluded.until",
                    lane.id(), key, id, request.digest, tx.now() + config.memory().toMillis()));
            tx.add(lane.counter(waits ? ItemState.DELAYED : ItemState.READY), 1);
            answers.add(new Placed(new ItemId(item.queue().owner(), id), true));
        }
        numbers.requireFree(tx, given);
        tx.updateEach("INSERT INTO item (id, queue, state, place, epoch, priority, attempts, deliveries, created, key,"
                + " error, trail, payload) VALUES $rows", items);
        steps.makeReady(tx, ready);
        tx.updateEach("INSERT INTO parked (queue, state, at, id) VALUES $rows", delayed);
        arrivals.announce(tx, arrived, delayed.stream().mapToLong(row -> (Long) row[2]).min());
        return answers;
    }

    /** What an earlier put with this key made, while it is remembered. */
    private Optional<Placed> known(Transaction tx, Lane lane, String key, Request request) {
        @SuppressWarnings("ArrayRecordComponent")
        record Known(long item, byte[] digest, long until) {}
        Optional<Known> known = tx.first("SELECT item, digest, until FROM idem WHERE queue = ? AND key = ?",
                row -> new Known(row.getLong(1), row.getBytes(2), row.getLong(3)), lane.id(), key);
        return known.filter(found -> found.until > tx.now() || keys.neededUntil(tx, found.item) > tx.now())
                .map(found -> {
                    ItemId id = new ItemId(lane.name().owner(), found.item);
                    if (!Arrays.equals(found.digest, request.digest)) {
                        throw new IdempotencyConflictException(lane.name(), key, id);
                    }
                    return new Placed(id, false);
                });
    }
}

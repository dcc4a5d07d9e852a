package io.entrepot.queue.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.IdempotencyConflictException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.QueueName;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What claims with an idempotency key got, so that a repeated one gets the same and nothing else. All leases of a claim have
 * one nonce, so an item's number and that nonce say whether the claim still has it. A claim that found nothing leaves
 * nothing behind.
 *
 * <p>Ending a lease does not touch the key. A key is looked at again when the time in its row is over: then it goes, unless
 * one of its leases still runs. If its holder has ended none of them, but all ran out or were taken away, he may never have had them:
 * then the next claim with the key is as if it were the first. Stateless.
 */
final class ClaimKeys {
    /** So long after a claim its key is known at least. Too short: a request that was long on its way is a new claim. */
    static final Duration MEMORY = Duration.ofHours(1);

    private final Lanes lanes;
    private final Waiters waiters;
    private final Past past;

    ClaimKeys(Lanes lanes, Waiters waiters, Past past) {
        this.lanes = lanes;
        this.waiters = waiters;
        this.past = past;
    }

    /** A key, and a digest of what is asked for; computed by the caller, not by the committing thread. */
    @SuppressWarnings("ArrayRecordComponent")
    record Key(String text, byte[] digest) {

        static Optional<Key> of(ClaimRequest request) {
            return request.key().map(key -> new Key(key, digest(Stream.concat(
                    Stream.of("any", request.holder(), "" + request.max(), "" + request.term().toMillis()),
                    request.queues().stream().map(QueueName::toString).distinct().sorted()))));
        }

        static Optional<Key> of(ItemId item, String holder, Duration term, Optional<String> text) {
            return text
                    .map(key -> new Key(key, digest(Stream.of("one", holder, "" + term.toMillis(), item.toString()))));
        }

        /** None of the words has a line end in it. */
        private static byte[] digest(Stream<String> words) {
            return Digests.sha256(words.collect(Collectors.joining("\n")).getBytes(UTF_8));
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Row(String key, long queue, byte[] digest, long nonce, List<Long> items) {

        static Row read(ResultSet row) throws SQLException {
            return new Row(row.getString(1), row.getLong(2), row.getBytes(3), row.getLong(4),
                    Arrays.stream(row.getString(5).split(" ", -1)).map(Long::valueOf).toList());
        }
    }

    /** What is known of some requests; and the rows of those whose claim counts no more. */
    private record Looked(Map<Integer, List<Claimed>> known, List<Row> over) {}

    private record Which(String key, long queue) {}

    /** An item as its holder got it. */
    private record Given(Found found, long nonce, long termMillis) {}

    /**
     * What those of the requests that have a known key got, as far as it is held. Of requests without a key nothing is known.
     *
     * @throws IdempotencyConflictException if one asks for something else than before, or nothing of it is held and its holder has
     *                                      ended some of it
     */
    Map<Integer, List<Claimed>> find(Snapshot snapshot, Map<Integer, ClaimOperation.Request> requests) {
        return look(snapshot, requests).known;
    }

    /** The same for those who claim then if nothing is known. */
    Map<Integer, List<Claimed>> findToClaim(Transaction tx, Map<Integer, ClaimOperation.Request> requests) {
        Looked looked = look(tx, requests);
        if (!looked.over.isEmpty()) {
            forget(tx, looked.over);
        }
        return looked.known;
    }

    private Looked look(Snapshot snapshot, Map<Integer, ClaimOperation.Request> requests) {
        List<@Nullable Object[]> asked = new ArrayList<>();
        requests.values().forEach(request -> request.key().ifPresent(
                key -> request.lanes().forEach(lane -> asked.add(new Object[]{key.text, lane.id()}))));
        Map<Which, Row> rows = new HashMap<>();
        snapshot.queryEach(
                "SELECT key, queue, digest, nonce, items FROM claim_key WHERE (key, queue) IN (VALUES $rows)",
                Row::read, asked).forEach(row -> rows.put(new Which(row.key, row.queue), row));
        Looked looked = new Looked(new HashMap<>(), new ArrayList<>());
        if (rows.isEmpty()) {
            return looked;
        }
        Map<Long, Given> given = given(snapshot, rows.values());
        requests.forEach((i, request) -> request.key().ifPresent(key -> {
            List<Row> mine = request.lanes().stream()
                    .flatMap(lane -> Optional.ofNullable(rows.get(new Which(key.text, lane.id()))).stream()).toList();
            if (!mine.isEmpty()) {
                List<Claimed> claimed = claimed(snapshot, key, mine, given);
                if (!claimed.isEmpty()) {
                    looked.known.put(i, claimed);
                } else if (mine.stream().allMatch(row -> isTaken(snapshot, row))) {
                    looked.over.addAll(mine);
                } else {
                    throw IdempotencyConflictException.spentClaim(key.text);
                }
            }
        }));
        return looked;
    }

    private static Map<Long, Given> given(Snapshot snapshot, Collection<Row> rows) {
        Map<Long, Given> given = new HashMap<>();
        snapshot.queryEach("SELECT " + Found.HELD_COLUMNS + ", h.nonce, h.term FROM held h JOIN item i ON i.id = h.id"
                + " WHERE h.id IN (VALUES $rows)",
                row -> new Given(Found.read(row), row.getLong(11), row.getLong(12)), numbers(rows))
                .forEach(one -> given.put(one.found.id(), one));
        return given;
    }

    private static List<@Nullable Object[]> numbers(Collection<Row> rows) {
        List<@Nullable Object[]> numbers = new ArrayList<>();
        rows.stream().flatMap(row -> row.items.stream()).distinct().forEach(item -> numbers.add(new Object[]{item}));
        return numbers;
    }

    private List<Claimed> claimed(Snapshot snapshot, Key key, List<Row> rows, Map<Long, Given> given) {
        List<Claimed> claimed = new ArrayList<>();
        for (Row row : rows) {
            if (!Arrays.equals(row.digest, key.digest)) {
                throw IdempotencyConflictException.otherClaim(key.text);
            }
            for (long item : row.items) {
                Given one = given.get(item);
                if (one != null && one.nonce == row.nonce) {
                    claimed.add(one.found.to(lanes.lane(snapshot, row.queue), row.nonce, one.termMillis, true));
                }
            }
        }
        return claimed;
    }

    private boolean isTaken(Snapshot snapshot, Row row) {
        return row.items.stream().allMatch(item -> past.wasTaken(snapshot, item, row.nonce));
    }

    /** Remembers what a claim got, if it has a key; whoever waits with the same key gets it too. */
    void add(Transaction tx, ClaimOperation.Request request, List<Claimed> claimed) {
        if (request.key().isEmpty() || claimed.isEmpty()) {
            return;
        }
        Key key = request.key().get();
        Map<QueueName, List<String>> items = new LinkedHashMap<>();
        claimed.forEach(one -> items.computeIfAbsent(one.queue(), _ -> new ArrayList<>())
                .add(Long.toString(one.item().number())));
        List<@Nullable Object[]> rows = new ArrayList<>(items.size());
        items.forEach((queue, numbers) -> rows.add(new Object[]{key.text, lanes.lane(tx, queue).id(), key.digest,
                request.nonce(), String.join(" ", numbers), tx.now() + MEMORY.toMillis()}));
        tx.updateEach("INSERT INTO claim_key (key, queue, digest, nonce, items, until) VALUES $rows", rows);
        tx.afterCommit(() -> waiters.claimed(key.text));
    }

    /** Those of the keys with which something was claimed. */
    List<String> used(Snapshot snapshot, Collection<String> keys) {
        List<@Nullable Object[]> rows = new ArrayList<>(keys.size());
        keys.forEach(key -> rows.add(new Object[]{key}));
        return snapshot.queryEach("SELECT key FROM claim_key WHERE key IN (VALUES $rows)", row -> row.getString(1),
                rows);
    }

    /** Looks at up to that many keys whose time is over, and forgets those that are not needed; returns how many it saw. */
    int forget(Transaction tx, int most) {
        List<Row> due = tx.query("SELECT key, queue, digest, nonce, items FROM claim_key WHERE until <= ?"
                + " ORDER BY until LIMIT ?", Row::read, tx.now(), most);
        record Lease(long item, long nonce) {}
        Collection<Lease> held = new HashSet<>(tx.queryEach(
                "SELECT id, nonce FROM held WHERE id IN (VALUES $rows)",
                row -> new Lease(row.getLong(1), row.getLong(2)), numbers(due)));
        List<Row> gone = new ArrayList<>();
        for (Row row : due) {
            if (row.items.stream().anyMatch(item -> held.contains(new Lease(item, row.nonce)))) {
                tx.update("UPDATE claim_key SET until = ? WHERE key = ? AND queue = ?", tx.now() + MEMORY.toMillis(),
                        row.key, row.queue);
            } else {
                gone.add(row);
            }
        }
        forget(tx, gone);
        return due.size();
    }

    private static void forget(Transaction tx, List<Row> rows) {
        tx.updateEach("DELETE FROM claim_key WHERE (key, queue) IN (VALUES $rows)",
                rows.stream().map(row -> new @Nullable Object[]{row.key, row.queue}).toList());
    }
}

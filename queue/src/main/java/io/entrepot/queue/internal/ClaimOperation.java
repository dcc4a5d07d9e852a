package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.store.Cost;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hands items to workers. All who want something from the same queue are served by one look into it: the first rows in
 * order of rank are read, dealt out, and deleted as one range; then all leases are written at once.
 */
final class ClaimOperation implements Operation<ClaimOperation.Request, List<Claimed>> {
    private final Lanes lanes;
    private final Holds holds;

    /** A worker's wish; the queues are in the order in which this one is to look. */
    record Request(List<Lane> lanes, String holder, int max, long termMillis, long nonce) {}

    ClaimOperation(Lanes lanes, Holds holds) {
        this.lanes = lanes;
        this.holds = holds;
    }

    @Override
    public Cost cost(Request request) {
        return new Cost(request.max, 0);
    }

    @Override
    public List<List<Claimed>> run(Transaction tx, List<Request> requests) {
        List<List<Claimed>> answers = new ArrayList<>(requests.size());
        requests.forEach(_ -> answers.add(new ArrayList<>()));
        Map<Long, List<Integer>> single = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).lanes.size() == 1) {
                single.computeIfAbsent(requests.get(i).lanes.getFirst().id(), _ -> new ArrayList<>()).add(i);
            }
        }
        single.values().forEach(who -> deal(tx, who, requests, answers));
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).lanes.size() > 1) {
                inTurns(tx, requests.get(i), answers.get(i));
            }
        }
        hold(tx, requests, answers);
        return answers;
    }

    /** One look for all who want something from this queue only; who came first gets first. */
    private void deal(Transaction tx, List<Integer> who, List<Request> requests, List<List<Claimed>> answers) {
        Lane lane = requests.get(who.getFirst()).lanes.getFirst();
        int wanted = who.stream().mapToInt(i -> requests.get(i).max).sum();
        List<Found> found = take(tx, lane, wanted);
        int next = 0;
        for (int i : who) {
            Request request = requests.get(i);
            for (int n = 0; n < request.max && next < found.size(); n++) {
                answers.get(i).add(found.get(next++).to(request, lane));
            }
        }
    }

    /** An even share from each queue, then whatever is there. */
    private void inTurns(Transaction tx, Request request, List<Claimed> answer) {
        int lanesLeft = request.lanes.size();
        for (Lane lane : request.lanes) {
            int share = Math.ceilDiv(request.max - answer.size(), lanesLeft--);
            take(tx, lane, share).forEach(found -> answer.add(found.to(request, lane)));
        }
        for (Lane lane : request.lanes) {
            take(tx, lane, request.max - answer.size()).forEach(found -> answer.add(found.to(request, lane)));
        }
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Found(long rank, long id, long epoch, int attempts, int deliveries, int priority, long created,
            @Nullable String key, byte[] payload) {

        static Found read(ResultSet row) throws SQLException {
            return new Found(row.getLong(1), row.getLong(2), row.getLong(3), row.getInt(4), row.getInt(5),
                    row.getInt(6),
                    row.getLong(7), row.getString(8), row.getBytes(9));
        }

        Claimed to(Request request, Lane lane) {
            ItemLease lease = new ItemLease(new ItemId(lane.name().owner(), id),
                    new Fence(new Epoch(epoch + 1), request.nonce));
            return new Claimed(lease, lane.name(), payload, priority, attempts, deliveries,
                    Instant.ofEpochMilli(created),
                    Optional.ofNullable(key), Duration.ofMillis(request.termMillis));
        }
    }

    private List<Found> take(Transaction tx, Lane lane, int most) {
        if (most <= 0 || lanes.paused(lane.id()) || tx.count(lane.counter(ItemState.READY)) == 0) {
            return List.of();
        }
        List<Found> found = tx.query(
                "SELECT r.rank, i.id, i.epoch, i.attempts, i.deliveries, i.priority, i.created, i.key, i.payload"
                        + " FROM ready r CROSS JOIN item i ON i.id = r.id WHERE r.queue = ? ORDER BY r.rank, r.id LIMIT ?",
                Found::read, lane.id(), most);
        if (!found.isEmpty()) {
            tx.update("DELETE FROM ready WHERE queue = ? AND (rank, id) <= (?, ?)", lane.id(), found.getLast().rank,
                    found.getLast().id);
            tx.add(lane.counter(ItemState.READY), -found.size());
            tx.add(lane.counter(ItemState.HELD), found.size());
        }
        return found;
    }

    private void hold(Transaction tx, List<Request> requests, List<List<Claimed>> answers) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            for (Claimed claimed : answers.get(i)) {
                Lane lane = request.lanes.stream().filter(one -> one.name().equals(claimed.queue())).findFirst()
                        .orElseThrow();
                rows.add(new Object[]{claimed.item().number(), lane.id(), claimed.lease().fence().epoch().value(),
                        request.nonce, request.holder, request.termMillis, tx.now()});
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        tx.updateEach("INSERT INTO held (id, queue, epoch, nonce, holder, term, since) VALUES $rows", rows);
        tx.afterCommit(() -> {
            for (List<Claimed> answer : answers) {
                answer.forEach(claimed -> holds.add(claimed.lease(), claimed.term().toMillis(), false));
            }
        });
    }
}

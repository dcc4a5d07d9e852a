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
        Round round = new Round(tx, requests);
        Map<Lane, List<Integer>> single = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            List<Lane> wanted = requests.get(i).lanes;
            if (wanted.size() == 1) {
                single.computeIfAbsent(wanted.getFirst(), _ -> new ArrayList<>()).add(i);
            }
        }
        single.forEach(round::deal);
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).lanes.size() > 1) {
                round.inTurns(i);
            }
        }
        round.hold();
        return round.answers;
    }

    /** One call of {@link #run}. */
    private final class Round {
        private final Transaction tx;
        private final List<Request> requests;
        private final List<List<Claimed>> answers;
        private final List<@Nullable Object[]> held = new ArrayList<>();
        private final List<Runnable> effects = new ArrayList<>();

        Round(Transaction tx, List<Request> requests) {
            this.tx = tx;
            this.requests = requests;
            this.answers = new ArrayList<>(requests.size());
            requests.forEach(request -> answers.add(new ArrayList<>(Math.min(request.max, 16))));
        }

        /** One look for all who want something from this queue only; who came first gets first. */
        void deal(Lane lane, List<Integer> who) {
            int wanted = 0;
            for (int i : who) {
                wanted += requests.get(i).max;
            }
            List<Found> found = take(tx, lane, wanted);
            int next = 0;
            for (int i : who) {
                for (int n = 0; n < requests.get(i).max && next < found.size(); n++) {
                    give(i, lane, found.get(next++));
                }
            }
        }

        /** An even share from each queue, then whatever is there. */
        void inTurns(int i) {
            Request request = requests.get(i);
            int lanesLeft = request.lanes.size();
            for (Lane lane : request.lanes) {
                int share = Math.ceilDiv(request.max - answers.get(i).size(), lanesLeft--);
                take(tx, lane, share).forEach(found -> give(i, lane, found));
            }
            for (Lane lane : request.lanes) {
                take(tx, lane, request.max - answers.get(i).size()).forEach(found -> give(i, lane, found));
            }
        }

        private void give(int i, Lane lane, Found found) {
            Request request = requests.get(i);
            Claimed claimed = found.to(request, lane);
            answers.get(i).add(claimed);
            held.add(new Object[]{found.id, lane.id(), found.epoch + 1, request.nonce, request.holder,
                    request.termMillis, tx.now()});
            effects.add(() -> holds.add(claimed.lease(), lane.id(), request.termMillis, false));
        }

        void hold() {
            tx.updateEach("INSERT INTO held (id, queue, epoch, nonce, holder, term, since) VALUES $rows", held);
            effects.forEach(tx::afterCommit);
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
        // LIMIT ? + 0: whenever a bare LIMIT ? is another number, SQLite compiles the statement anew.
        List<Found> found = tx.query(
                "SELECT r.rank, i.id, i.epoch, i.attempts, i.deliveries, i.priority, i.created, i.key, i.payload"
                        + " FROM ready r JOIN item i ON i.id = r.id WHERE r.queue = ? ORDER BY r.rank, r.id LIMIT ? + 0",
                Found::read, lane.id(), most);
        if (!found.isEmpty()) {
            tx.update("DELETE FROM ready WHERE queue = ? AND (rank, id) <= (?, ?)", lane.id(), found.getLast().rank,
                    found.getLast().id);
            tx.add(lane.counter(ItemState.READY), -found.size());
            tx.add(lane.counter(ItemState.HELD), found.size());
        }
        return found;
    }
}

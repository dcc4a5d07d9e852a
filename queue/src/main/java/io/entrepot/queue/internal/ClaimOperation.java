package io.entrepot.queue.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemState;
import io.entrepot.store.Cost;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands items to workers. All who want something from the same queues are served by one look into them: the first rows
 * in order of rank are taken out and dealt out; then all leases are written at once.
 */
final class ClaimOperation implements Operation<ClaimOperation.Request, List<Claimed>> {
    private final Lanes lanes;
    private final Steps steps;
    private final Holds holds;
    private final Keeper keeper;
    private final ClaimKeys keys;
    private final Ahead ahead;
    private final Nonces nonces;

    /** A worker's wish; the queues are in the order in which this one is to look. */
    record Request(List<Lane> lanes, String holder, int max, long termMillis, long nonce,
            Optional<ClaimKeys.Key> key) {

        /** How much all of them want. */
        static int wanted(List<Request> requests) {
            return requests.stream().mapToInt(Request::max).sum();
        }

        /** A row of {@code held}, but for {@code renewals}. */
        @Nullable
        Object[] held(Found found, long now, long keeper) {
            return new Object[]{found.id(), found.queue(), found.epoch() + 1, nonce, holder, termMillis, now, keeper};
        }
    }

    ClaimOperation(Lanes lanes, Steps steps, Holds holds, Keeper keeper, ClaimKeys keys, Ahead ahead, Nonces nonces) {
        this.lanes = lanes;
        this.ahead = ahead;
        this.nonces = nonces;
        this.steps = steps;
        this.holds = holds;
        this.keeper = keeper;
        this.keys = keys;
    }

    /** Each takes what the others have not; of those with the same key, one at a time. */
    @Override
    public boolean concurrent(Request request) {
        return true;
    }

    @Override
    public Cost cost(Request request) {
        return new Cost(request.max, 0);
    }

    @Override
    public List<List<Claimed>> run(Transaction tx, List<Request> requests) {
        SortedSet<String> named = new TreeSet<>();
        requests.forEach(request -> request.key.ifPresent(key -> named.add(key.text())));
        return named.isEmpty() ? handOut(tx, requests) : withKeys(tx, requests, named);
    }

    /** Of several with the same key one in each turn, so that the others find what it got. */
    private List<List<Claimed>> withKeys(Transaction tx, List<Request> requests, SortedSet<String> named) {
        steps.lock(tx, named);
        SortedMap<Integer, List<Claimed>> answers = new TreeMap<>();
        while (answers.size() < requests.size()) {
            SortedMap<Integer, Request> turn = turn(requests, answers.keySet());
            answers.putAll(keys.findToClaim(tx, turn));
            turn.keySet().removeAll(answers.keySet());
            List<List<Claimed>> given = handOut(tx, List.copyOf(turn.values()));
            int next = 0;
            for (Map.Entry<Integer, Request> one : turn.entrySet()) {
                List<Claimed> claimed = given.get(next++);
                keys.add(tx, one.getValue(), claimed);
                answers.put(one.getKey(), claimed);
            }
        }
        return List.copyOf(answers.values());
    }

    private static SortedMap<Integer, Request> turn(List<Request> requests, Set<Integer> answered) {
        SortedMap<Integer, Request> turn = new TreeMap<>();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < requests.size(); i++) {
            Request request = requests.get(i);
            if (!answered.contains(i) && request.key.map(key -> taken.add(key.text())).orElse(true)) {
                turn.put(i, request);
            }
        }
        return turn;
    }

    private List<List<Claimed>> handOut(Transaction tx, List<Request> requests) {
        return round(tx, requests).answers;
    }

    /** One item for each of these workers, who have not asked for it yet. */
    void ahead(Transaction tx, List<Ahead.Wish> wishes) {
        long pauses = ahead.pauses();
        List<Given> given = round(tx, wishes.stream().map(wish -> new Request(List.of(lanes.lane(tx, wish.queue())),
                wish.holder(), 1, wish.termMillis(), nonces.next(), Optional.empty())).toList()).given;
        if (!given.isEmpty()) {
            tx.afterCommit(() -> {
                long since = ahead.now();
                ahead.offer(given.stream().map(one -> one.ahead(since)).toList(), pauses);
            });
        }
    }

    private Round round(Transaction tx, List<Request> requests) {
        Round round = new Round(tx, requests);
        Map<Lane, List<Integer>> ofOne = new LinkedHashMap<>();
        Map<Set<Lane>, List<Integer>> ofSeveral = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            List<Lane> wanted = requests.get(i).lanes;
            if (wanted.size() == 1) {
                ofOne.computeIfAbsent(wanted.getFirst(), _ -> new ArrayList<>()).add(i);
            } else {
                ofSeveral.computeIfAbsent(Set.copyOf(wanted), _ -> new ArrayList<>()).add(i);
            }
        }
        round.ofOneQueue(ofOne);
        ofSeveral.values().forEach(round::ofSeveralQueues);
        round.hold();
        return round;
    }

    /** One call of {@link #run}. */
    private final class Round {
        private final Transaction tx;
        private final List<Request> requests;
        private final List<List<Claimed>> answers;
        private final long number = keeper.number();
        private final List<@Nullable Object[]> rows = new ArrayList<>();
        private final List<Given> given = new ArrayList<>();

        Round(Transaction tx, List<Request> requests) {
            this.tx = tx;
            this.requests = requests;
            this.answers = new ArrayList<>(requests.size());
            requests.forEach(request -> answers.add(new ArrayList<>(Math.min(request.max, 16))));
        }

        private List<Request> requests(List<Integer> who) {
            return who.stream().map(requests::get).toList();
        }

        /** One look for all who want something from one queue each; who came first gets first. */
        void ofOneQueue(Map<Lane, List<Integer>> whoByLane) {
            Map<Lane, List<Request>> asked = new LinkedHashMap<>();
            whoByLane.forEach((lane, who) -> asked.put(lane, requests(who)));
            counted(steps.takeFor(tx, asked, number)).forEach((lane, found) -> {
                Deque<Piece> pieces = new ArrayDeque<>();
                found.forEach(one -> pieces.add(new Piece(lane, one)));
                deal(pieces, whoByLane.getOrDefault(lane, List.of()), this::give);
            });
        }

        /** An even share from each of their queues, then whatever is there. */
        void ofSeveralQueues(List<Integer> who) {
            List<Lane> lanes = requests.get(who.getFirst()).lanes;
            int wanted = Request.wanted(requests(who));
            Map<Lane, Integer> shares = new LinkedHashMap<>();
            int left = wanted;
            for (Lane lane : lanes) {
                int share = Math.ceilDiv(left, lanes.size() - shares.size());
                shares.put(lane, share);
                left -= share;
            }
            Map<Lane, Deque<Found>> found = new LinkedHashMap<>();
            lanes.forEach(lane -> found.put(lane, new ArrayDeque<>()));
            counted(steps.take(tx, shares))
                    .forEach((lane, some) -> found.getOrDefault(lane, new ArrayDeque<>()).addAll(some));
            int missing = wanted - found.values().stream().mapToInt(Deque::size).sum();
            for (Lane lane : lanes) {
                Deque<Found> here = found.getOrDefault(lane, new ArrayDeque<>());
                // A queue that could not give its share has nothing left.
                if (missing > 0 && here.size() == shares.getOrDefault(lane, 0)) {
                    List<Found> more = counted(steps.take(tx, Map.of(lane, missing))).getOrDefault(lane, List.of());
                    here.addAll(more);
                    missing -= more.size();
                }
            }
            deal(inTurns(found), who, (i, piece) -> {
                give(i, piece);
                rows.add(requests.get(i).held(piece.found, tx.now(), number));
            });
        }

        private static Deque<Piece> inTurns(Map<Lane, Deque<Found>> found) {
            Deque<Piece> pieces = new ArrayDeque<>();
            while (!found.isEmpty()) {
                found.values().removeIf(Deque::isEmpty);
                found.forEach((lane, some) -> pieces.add(new Piece(lane, some.removeFirst())));
            }
            return pieces;
        }

        private void deal(Deque<Piece> pieces, List<Integer> who, BiConsumer<Integer, Piece> give) {
            for (int i : who) {
                for (int n = requests.get(i).max; n > 0 && !pieces.isEmpty(); n--) {
                    give.accept(i, pieces.removeFirst());
                }
            }
        }

        private Map<Lane, List<Found>> counted(Map<Lane, List<Found>> found) {
            found.forEach((lane, some) -> {
                tx.add(lane.counter(ItemState.READY), -some.size());
                tx.add(lane.counter(ItemState.HELD), some.size());
            });
            return found;
        }

        private void give(int i, Piece piece) {
            Request request = requests.get(i);
            Found found = piece.found;
            Claimed claimed = found.to(piece.lane, request.nonce, request.termMillis);
            answers.get(i).add(claimed);
            given.add(new Given(request, claimed, piece.lane, found.rank()));

        }

        void hold() {
            steps.hold(tx, rows);
            if (!given.isEmpty()) {
                tx.afterCommit(() -> given.forEach(one -> holds.add(one.held(number), false)));
            }
        }
    }

    /** An item on its way to somebody. */
    private record Piece(Lane lane, Found found) {}

    /** An item that somebody has got. */
    private record Given(Request request, Claimed claimed, Lane lane, long rank) {

        Held held(long keeper) {
            return new Held(claimed.lease(), lane.id(), request.holder, request.termMillis, keeper, 0);
        }

        Ahead.Entry ahead(long since) {
            return new Ahead.Entry(new Ahead.Wish(lane.id(), request.holder, request.termMillis), claimed, rank, since);
        }
    }
}

package io.entrepot.queue.internal;

import io.entrepot.lease.Fence;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Witness;
import io.entrepot.store.Cost;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ends leases: the holder finishes, fails, releases or puts off, or the term runs out.
 *
 * <p>INVARIANT: an effect happens only if the fence is that of the current lease, checked in the same transaction. And
 * since the row in {@code held} goes with it, at most one ending of a lease ever has an effect; all others find the
 * outcome of the first one, or nothing.
 */
final class SettleOperation implements Operation<List<SettleOperation.Request>, List<Optional<Outcome>>> {
    /** Of an error this many characters are kept; a stack trace or the output of a tool has no end. */
    private static final int LONGEST_ERROR = 4000;

    private final Lanes lanes;
    private final Holds holds;
    private final Steps steps;
    private final Past past;
    private final Arrivals arrivals;
    private final QueueConfig config;
    private final Witness witness;
    private final Ahead ahead;
    private final ClaimOperation claims;

    /** A lease, and how it ends. */
    record Request(ItemLease lease, How how) {}

    /** How a lease ends. */
    sealed interface How {

        /** By its holder. */
        record ByHolder(Ending ending) implements How {}

        /** By running out, for its keeper; {@code counts} against the item unless nobody could have renewed it. */
        record Expired(Held held, boolean counts) implements How {}
    }

    SettleOperation(Lanes lanes, Holds holds, Steps steps, Past past, Arrivals arrivals, QueueConfig config,
            Witness witness, Ahead ahead, ClaimOperation claims) {
        this.ahead = ahead;
        this.claims = claims;
        this.lanes = lanes;
        this.holds = holds;
        this.steps = steps;
        this.past = past;
        this.arrivals = arrivals;
        this.config = config;
        this.witness = witness;
    }

    /** What is finished goes, and nobody else finds it again; other endings put it where others look. */
    @Override
    public boolean concurrent(List<Request> requests) {
        return requests.stream().allMatch(SettleOperation::isFinish);
    }

    @Override
    public Cost cost(List<Request> requests) {
        return new Cost(Math.max(1, requests.size()), 0);
    }

    /** An empty answer means that the lease is lost: somebody else may have the item. */
    @Override
    public List<List<Optional<Outcome>>> run(Transaction tx, List<List<Request>> calls) {
        Set<ItemLease> finished = finishAll(tx, calls);
        List<List<Optional<Outcome>>> answers = new ArrayList<>(calls.size());
        for (List<Request> requests : calls) {
            List<Optional<Outcome>> answer = new ArrayList<>(requests.size());
            for (Request request : requests) {
                answer.add(answer(tx, request, finished));
            }
            answers.add(answer);
        }
        return answers;
    }

    private Optional<Outcome> answer(Transaction tx, Request request, Set<ItemLease> finished) {
        if (isFinish(request)) {
            // Only the first who asks has finished it; to the others it is something remembered.
            return finished.remove(request.lease)
                    ? Optional.of(outcome(tx, Outcome.Kind.FINISHED))
                    : remembered(tx, request.lease);
        }
        Optional<Outcome> ended = end(tx, request);
        return ended.isPresent() || request.how instanceof How.Expired ? ended : remembered(tx, request.lease);
    }

    /** The common case for all callers at once: done, and the item goes. Returns the leases that did. */
    private Set<ItemLease> finishAll(Transaction tx, List<List<Request>> calls) {
        // In the order of their keys, so that what is written is written in one place.
        SequencedSet<ItemLease> wanted = calls.stream().flatMap(List::stream).filter(SettleOperation::isFinish)
                .map(Request::lease).sorted(Comparator.comparingLong(lease -> lease.item().number()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (wanted.isEmpty()) {
            return Set.of();
        }
        Map<ItemLease, Lane> finished = steps.finish(tx, wanted);
        List<Ahead.Wish> wishes = new ArrayList<>(finished.size());
        finished.keySet().forEach(lease -> holds.find(lease).map(Ahead.Wish::of).ifPresent(wishes::add));
        Map<Lane, Integer> perLane = new HashMap<>();
        finished.values().forEach(lane -> perLane.merge(lane, 1, Integer::sum));
        perLane.forEach((lane, n) -> tx.add(lane.counter(ItemState.HELD), -n));
        tx.afterCommit(() -> {
            finished.keySet().forEach(this::forgetHold);
            ahead.ended(wishes);
        });
        claimAhead(tx, wishes);
        return new HashSet<>(finished.keySet());
    }

    /** Not for one who is alone: it has no other to share a commit with, and what it does next is anybody's guess. */
    private void claimAhead(Transaction tx, List<Ahead.Wish> ended) {
        List<Ahead.Wish> expected = ahead.expected(ended);
        if (expected.size() > 1) {
            claims.ahead(tx, expected);
        }
    }

    private static boolean isFinish(Request request) {
        return request.how instanceof How.ByHolder(Ending.Finish(boolean keep)) && !keep;
    }

    /** Everything else, one by one; empty if the fence is not the current one. */
    private Optional<Outcome> end(Transaction tx, Request request) {
        Fence fence = request.lease.fence();
        return Shelf.current(tx, lanes, request.lease).filter(shelf -> isItsEnd(tx, shelf, request.how)).map(shelf -> {
            Shelf.Holder holder = shelf.holder().orElseThrow();
            Verdict verdict = decide(tx, shelf, request.how);
            String line = Trail.line(fence.epoch().value(), holder.since(), tx.now(), verdict.kind, holder.name(),
                    verdict.note);
            shelf.move(tx, steps, new Shelf.Move(verdict.to, verdict.place, verdict.attempts, verdict.deliveries,
                    error(shelf, verdict), line));
            past.add(tx, shelf.id(), fence, verdict.kind, shelf.lane().id());
            arrivals.announce(tx, verdict.to == ItemState.READY ? Map.of(shelf.lane(), new long[]{1}) : Map.of(),
                    verdict.to == ItemState.DELAYED ? OptionalLong.of(verdict.place) : OptionalLong.empty());
            tx.afterCommit(() -> forgetHold(request.lease));
            if (request.how instanceof How.Expired) {
                witness.ended(tx, request.lease.item(), verdict.kind, verdict.to, verdict.note);
            }
            return outcome(tx, verdict.kind);
        });
    }

    /** A lease has not run out if another process counts its term now, or has renewed it: then it begins anew. */
    private boolean isItsEnd(Transaction tx, Shelf shelf, How how) {
        Shelf.Holder holder = shelf.holder().orElseThrow();
        if (!(how instanceof How.Expired(Held held, boolean _))) {
            return true;
        }
        if (holder.keeper() == held.keeper() && holder.renewals() != held.renewals()) {
            tx.afterCommit(() -> holds.add(held.renewedElsewhere(holder.renewals()), false));
            return false;
        }
        return holder.keeper() == held.keeper();
    }

    /** What is known of the last failure from now on; a release is none. */
    private static @Nullable String error(Shelf shelf, Verdict verdict) {
        if (verdict.kind == Outcome.Kind.RELEASED) {
            return shelf.error();
        }
        // Not every database can keep a zero in a text; this is its picture.
        return verdict.note.isEmpty() ? null : Trail.cut(verdict.note, LONGEST_ERROR).replace('\0', '\u2400');
    }

    /** Where the item goes from here, and why. */
    record Verdict(Outcome.Kind kind, ItemState to, long place, int attempts, int deliveries, String note) {}

    private Verdict decide(Transaction tx, Shelf shelf, How how) {
        long now = tx.now();
        long back = Rank.of(now, shelf.priority(), config.priorityStep());
        return switch (how) {
            case How.ByHolder(Ending.Finish _) ->
                new Verdict(Outcome.Kind.KEPT, ItemState.KEPT, now, shelf.attempts(), shelf.deliveries(), "");
            case How.ByHolder(Ending.Release _) ->
                new Verdict(Outcome.Kind.RELEASED, ItemState.READY, shelf.place(), shelf.attempts(), shelf.deliveries(),
                        "");
            case How.ByHolder(Ending.PutOff(String why, Duration delay)) ->
                new Verdict(Outcome.Kind.PUT_OFF, delay.isZero() ? ItemState.READY : ItemState.DELAYED,
                        delay.isZero() ? back : now + delay.toMillis(), shelf.attempts(), shelf.deliveries(), why);
            case How.ByHolder(Ending.Fail fail) -> failed(shelf, fail, now, back);
            case How.Expired(Held _, boolean counts) -> {
                // While its queue is paused an item may be held by somebody who was told to stop: nobody's fault.
                boolean counted = counts && !lanes.paused(tx, shelf.lane().id());
                int deliveries = shelf.deliveries() + (counted ? 1 : 0);
                boolean dead = counted && deliveries >= config.maxDeliveries();
                yield new Verdict(Outcome.Kind.EXPIRED, dead ? ItemState.DEAD : ItemState.READY, dead ? now : back,
                        shelf.attempts(), deliveries, dead
                                ? "its lease ran out " + deliveries
                                        + " times; whoever works on it seems to die or hang"
                                : "the lease ran out");
            }
        };
    }

    private static Verdict failed(Shelf shelf, Ending.Fail fail, long now, long back) {
        int attempts = shelf.attempts() + 1;
        if (!fail.retryable() || attempts >= fail.policy().attempts()) {
            return new Verdict(Outcome.Kind.DEAD, ItemState.DEAD, now, attempts, shelf.deliveries(), fail.error());
        }
        long delay = fail.policy().delay(attempts).toMillis();
        return delay == 0
                ? new Verdict(Outcome.Kind.RETRYING, ItemState.READY, back, attempts, shelf.deliveries(), fail.error())
                : new Verdict(Outcome.Kind.RETRYING, ItemState.DELAYED, now + delay, attempts, shelf.deliveries(),
                        fail.error());
    }

    private Optional<Outcome> remembered(Transaction tx, ItemLease lease) {
        return past.outcome(tx, lease).filter(outcome -> outcome.kind().byHolder());
    }

    private static Outcome outcome(Transaction tx, Outcome.Kind kind) {
        return new Outcome(kind, Instant.ofEpochMilli(tx.now()), false);
    }

    private void forgetHold(ItemLease lease) {
        holds.end(lease.item().number(), lease.fence());
    }
}

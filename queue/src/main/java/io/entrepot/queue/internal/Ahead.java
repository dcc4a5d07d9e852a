package io.entrepot.queue.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.queue.Claimed;
import io.entrepot.store.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims that were made before their caller asked, in the commit that ended what that caller had before.
 *
 * <p>A worker that is busy ends one item and asks for the next at once. Each is a commit, and the second has to wait for a sync
 * of its own. So when workers who have always come back at once end something together, their next items are claimed in
 * the same transaction, for the same holder, queue and term; and when such a worker asks, its lease is durable already.
 * To everybody else it is a claim like any other: who dies before asking, or before the answer, leaves a lease that runs out.
 *
 * <p>A guess that was wrong must cost nobody anything:
 * <ul>
 * <li>It is taken only within {@link #PATIENCE_NANOS}, and then given back to its place, as if it had not been.
 * <li>A claim that finds nothing has what was claimed ahead in its queues given back first, and looks again.
 * <li>What becomes ready with a better rank than it, a pause, and whoever names the item have it given back too; and until it
 * is in its place again, nobody is given what comes after it.
 * </ul>
 * Where several processes share the store, each knows only of its own. To the others such an item is held for that moment; of a
 * pause they tell each other.
 *
 * <p>Thread-safe by one lock, held for moments. INVARIANT: an entry is either waiting for its caller, in {@code waiting} and in
 * its wish's habit, or on its way back, in {@code returning}; or it was taken, and is here no more.
 */
final class Ahead {
    /** How long a claim waits for its caller; far longer than callers take to come back, far shorter than a term. */
    static final long PATIENCE_NANOS = 50_000_000L;
    /** So often in a row must a worker have come back at once. */
    private static final int TRUSTED = 8;
    /** After it has not, so many times more. */
    private static final int DISTRUST = 100;
    private static final int MOST_HABITS = 10_000;

    private static final String PAUSED = "paused ";

    private final Ticker ticker;
    private final boolean shared;
    private final Runnable nudge;
    /** Those whose workers were heard of last are at the end. */
    private final LinkedHashMap<Wish, Habit> habits = new LinkedHashMap<>(16, 0.75f, true);
    /** In the order in which they came. */
    private final Map<Long, Entry> waiting = new LinkedHashMap<>();
    private final Map<Long, Entry> returning = new HashMap<>();
    private long pauses;
    /** Whether the clockwork looks again within the patience, so that it need not be woken; and what it goes by: offers since it looked. */
    private boolean watched;
    private boolean offered;
    private boolean used;
    private boolean closed;

    /** What a worker asks for, over and over. */
    record Wish(long queue, String holder, long termMillis) {

        static Wish of(Held held) {
            return new Wish(held.queue(), held.holder(), held.termMillis());
        }

        /** A lease that may run out while it waits for its caller is not worth it. */
        boolean isLong() {
            return termMillis * 1_000_000 >= 20 * PATIENCE_NANOS;
        }
    }

    /** A claim whose caller has not asked yet. */
    record Entry(Wish wish, Claimed claimed, long rank, long since) {

        long item() {
            return claimed.item().number();
        }
    }

    /** How a worker, or several of the same name, behaves. */
    private static final class Habit {
        /** How many have ended something and not asked since. */
        private int owed;
        private long lastEnded;
        /** How often in a row somebody came back at once. */
        private int returned;
        private final Deque<Entry> waiting = new ArrayDeque<>();

        void forgetThoseWhoStayedAway(long now) {
            if (owed > 0 && now - lastEnded >= PATIENCE_NANOS) {
                owed = 0;
                returned = Math.min(returned, 0);
            }
        }
    }

    /** {@code nudge} is called when something is to be given back; {@code shared}: whether there are other processes to be told. */
    Ahead(Ticker ticker, boolean shared, Runnable nudge) {
        this.ticker = ticker;
        this.shared = shared;
        this.nudge = nudge;
    }

    /** A worker asks. What it is given, if anything, may have been lost meanwhile: see {@link #cannotBeTaken}. */
    synchronized Optional<Entry> asked(Wish wish) {
        if (closed) {
            return Optional.empty();
        }
        Habit habit = habit(wish);
        habit.forgetThoseWhoStayedAway(ticker.nanos());
        if (habit.owed > 0) {
            habit.owed--;
            habit.returned = Math.min(habit.returned + 1, TRUSTED);
        }
        @Nullable
        Entry entry = habit.waiting.peekFirst();
        if (entry == null || !isRecent(entry.since)) {
            return Optional.empty();
        }
        habit.waiting.removeFirst();
        waiting.remove(entry.item());
        return Optional.of(entry);
    }

    /** Its lease is not surely valid, so nobody gets it. */
    synchronized void cannotBeTaken(Entry entry) {
        returning.put(entry.item(), entry);
        nudge.run();
    }

    private Habit habit(Wish wish) {
        Habit habit = habits.computeIfAbsent(wish, _ -> new Habit());
        if (habits.size() > MOST_HABITS && habits.firstEntry().getValue().waiting.isEmpty()) {
            habits.pollFirstEntry();
        }
        return habit;
    }

    /** Those who, having just ended something, are sure to ask again. */
    synchronized List<Wish> expected(List<Wish> ended) {
        return closed ? List.of() : ended.stream().filter(this::isTrusted).toList();
    }

    private boolean isTrusted(Wish wish) {
        Habit habit = habits.get(wish);
        return habit != null && habit.returned >= TRUSTED && wish.isLong();
    }

    /** Workers have ended something, each of them one thing. */
    synchronized void ended(Collection<Wish> wishes) {
        long now = ticker.nanos();
        for (Wish wish : wishes) {
            Habit habit = habits.get(wish);
            if (habit != null) {
                habit.forgetThoseWhoStayedAway(now);
                habit.owed++;
                habit.lastEnded = now;
            }
        }
    }

    /** How many pauses have been heard of: to be asked before claims are made ahead, and told when they are offered. */
    synchronized long pauses() {
        return pauses;
    }

    /**
     * These claims are durable, and wait for their callers from now on. Not if a queue was paused since it was asked whether
     * any is: that pause has recalled what waited then, and could not know of these.
     */
    synchronized void offer(List<Entry> entries, long pausesBefore) {
        used = true;
        if (closed || pauses != pausesBefore) {
            entries.forEach(entry -> returning.put(entry.item(), entry));
            nudge.run();
            return;
        }
        for (Entry entry : entries) {
            waiting.put(entry.item(), entry);
            habit(entry.wish).waiting.addLast(entry);
        }
        offered = true;
        if (!watched) {
            watched = true;
            nudge.run();
        }
    }

    long now() {
        return ticker.nanos();
    }

    private boolean isRecent(long since) {
        return ticker.nanos() - since < PATIENCE_NANOS;
    }

    /**
     * When this unit commits, these are ready: who asks from then on is to have them, and not what comes after them. Each has
     * the queue, the rank and the item's number.
     */
    void arrived(Transaction tx, List<@Nullable Object[]> rows) {
        Map<Long, Long> lowest = new HashMap<>();
        rows.forEach(row -> lowest.merge((Long) row[0], (Long) row[1], Math::min));
        if (!lowest.isEmpty()) {
            tx.afterCommit(() -> arrived(lowest));
        }
    }

    private synchronized void arrived(Map<Long, Long> lowest) {
        if (recall(entry -> entry.rank > lowest.getOrDefault(entry.wish.queue, Long.MAX_VALUE))) {
            nudge.run();
        }
    }

    /** When this unit commits, nothing of that queue is to be handed out, here and in other processes. */
    void paused(Transaction tx, Lane lane) {
        tx.afterCommit(() -> paused(lane.id()));
        if (shared) {
            tx.tell(PAUSED + lane.id());
        }
    }

    /** What another process has told. */
    void heard(String message) {
        if (message.startsWith(PAUSED)) {
            paused(Long.parseLong(message.substring(PAUSED.length())));
        }
    }

    private synchronized void paused(long queue) {
        pauses++;
        if (recall(entry -> entry.wish.queue == queue)) {
            nudge.run();
        }
    }

    /** What waits in one of these queues or is on its way back to it: to be given back by whoever asks. */
    synchronized List<Entry> recallFrom(Collection<Lane> lanes) {
        if (!waiting.isEmpty()) {
            Set<Long> queues = numbers(lanes);
            recall(entry -> queues.contains(entry.wish.queue));
        }
        return returningTo(lanes);
    }

    /** What is on its way back to one of these queues. */
    synchronized List<Entry> returningTo(Collection<Lane> lanes) {
        if (returning.isEmpty()) {
            return List.of();
        }
        Set<Long> queues = numbers(lanes);
        return returning.values().stream().filter(entry -> queues.contains(entry.wish.queue)).toList();
    }

    private static Set<Long> numbers(Collection<Lane> lanes) {
        return lanes.stream().map(Lane::id).collect(Collectors.toSet());
    }

    synchronized Optional<Entry> recall(long item) {
        recall(entry -> entry.item() == item);
        return Optional.ofNullable(returning.get(item));
    }

    /** What nobody has asked for in time, and what should have been given back already. */
    synchronized List<Entry> recallStale() {
        recall(entry -> {
            boolean stale = !isRecent(entry.since);
            if (stale) {
                habit(entry.wish).returned = -DISTRUST;
            }
            return stale;
        });
        return List.copyOf(returning.values());
    }

    /** Nothing waits for anybody from now on. Says whether anything ever did: then some may still come. */
    synchronized boolean close() {
        closed = true;
        recall(_ -> true);
        return used;
    }

    /** Those of them that are on their way back still, each once. */
    synchronized Set<Entry> stillReturning(Stream<Entry> entries) {
        return entries.filter(entry -> entry.equals(returning.get(entry.item())))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    synchronized List<Entry> returning() {
        return List.copyOf(returning.values());
    }

    /** It is back in its place, or somebody else has ended it. */
    synchronized void returned(Entry entry) {
        returning.remove(entry.item(), entry);
    }

    /**
     * How long until there may be something to be given back; for the clockwork, which looks again then. While claims are made
     * ahead it is never longer than the patience: to wake it for each of them would cost more than to look in vain now and then.
     */
    synchronized OptionalLong nanosToNext() {
        watched = offered || !waiting.isEmpty() || !returning.isEmpty();
        offered = false;
        if (!returning.isEmpty()) {
            return OptionalLong.of(0);
        }
        if (waiting.isEmpty()) {
            return watched ? OptionalLong.of(PATIENCE_NANOS) : OptionalLong.empty();
        }
        return OptionalLong.of(waiting.values().iterator().next().since + PATIENCE_NANOS - ticker.nanos());
    }

    private boolean recall(Predicate<Entry> which) {
        List<Entry> recalled = new ArrayList<>();
        waiting.values().stream().filter(which).forEach(recalled::add);
        for (Entry entry : recalled) {
            waiting.remove(entry.item());
            habit(entry.wish).waiting.removeIf(one -> one.item() == entry.item());
            returning.put(entry.item(), entry);
        }
        return !recalled.isEmpty();
    }
}

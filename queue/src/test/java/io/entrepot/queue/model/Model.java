package io.entrepot.queue.model;

import io.entrepot.queue.Claimed;
import io.entrepot.queue.Ending;
import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Outcome.Kind;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the queues should be: everything in memory, as simple as can be, one thing at a time. */
final class Model {
    private static final long DAY = Duration.ofDays(1).toMillis();

    final QueueConfig config;
    final Map<Long, Item> items = new TreeMap<>();
    final Map<ItemId, Gone> gone = new HashMap<>();
    final Map<ItemLease, Outcome> outcomes = new HashMap<>();
    final Set<QueueName> known = new HashSet<>();
    final Set<QueueName> paused = new HashSet<>();
    private final Map<String, Key> keys = new HashMap<>();
    /** The time of the store, in milliseconds, and of the ticker, in nanoseconds. */
    long now;
    long ticks;
    private long lastNumber;

    Model(QueueConfig config) {
        this.config = config;
    }

    /** What an idempotency key names. */
    record Key(ItemId item, int payload) {}

    /** What is left of an item that went. */
    record Gone(List<HistoryStep> history, long at) {}

    /** Who has an item. */
    record Holder(ItemLease lease, String name, long since, long term, long endsAt, boolean adopted) {}

    /** An item; {@code place} is its rank if it is ready or held, else when it is due or since when it is parked. */
    static final class Item {
        final ItemId id;
        final QueueName queue;
        final int payload;
        final int priority;
        final long created;
        final Optional<String> key;
        final List<HistoryStep> trail = new ArrayList<>();
        ItemState state = ItemState.READY;
        long place;
        int attempts;
        int deliveries;
        long epoch;
        Optional<String> error = Optional.empty();
        Optional<Instant> failedAt = Optional.empty();
        @Nullable
        Holder holder;

        Item(ItemId id, QueueName queue, int payload, int priority, long created, Optional<String> key) {
            this.id = id;
            this.queue = queue;
            this.payload = payload;
            this.priority = priority;
            this.created = created;
            this.key = key;
        }
    }

    private long rank(long since, Item item) {
        return since - item.priority * config.priorityStep().toMillis();
    }

    private HistoryStep step(String what, long epoch, String holder, Optional<String> note) {
        return new HistoryStep(Instant.ofEpochMilli(now), what, epoch, holder, note);
    }

    /** What the key of a put is known to name, if it is. */
    Optional<Key> known(QueueName queue, String key) {
        return Optional.ofNullable(keys.get(queue + " " + key)).filter(known -> items.containsKey(known.item.number())
                || gone.get(known.item).at + config.memory().toMillis() > now);
    }

    /** Numbers that were handed out now. */
    void handedOut(long first, int n) {
        if (first <= lastNumber) {
            throw new AssertionError("the number " + first + " has been handed out");
        }
        lastNumber = first + n - 1;
    }

    boolean isThere(long number) {
        return items.containsKey(number);
    }

    /** When the last item of that number went, if there was one. */
    Optional<Long> wentAt(long number) {
        return gone.entrySet().stream().filter(entry -> entry.getKey().number() == number)
                .map(entry -> entry.getValue().at).max(Comparator.naturalOrder());
    }

    void put(ItemId id, QueueName queue, int payload, int priority, Optional<Instant> available, Optional<String> key) {
        known.add(queue);
        Item item = new Item(id, queue, payload, priority, now, key);
        item.trail.add(step("put", 0, "", Optional.empty()));
        if (available.isPresent() && available.get().toEpochMilli() > now) {
            item.state = ItemState.DELAYED;
            item.place = available.get().toEpochMilli();
        } else {
            item.place = rank(now, item);
        }
        items.put(id.number(), item);
        key.ifPresent(text -> keys.put(queue + " " + text, new Key(id, payload)));
    }

    /** What can be claimed from the queue, in order. */
    List<Item> claimable(QueueName queue) {
        return paused.contains(queue) ? List.of() : in(queue, ItemState.READY);
    }

    /** The items of a queue in a state, in the order in which they are listed. */
    List<Item> in(QueueName queue, ItemState state) {
        Comparator<Item> byPlace = Comparator.comparingLong(item -> state == ItemState.HELD ? 0 : item.place);
        return items.values().stream().filter(item -> item.queue.equals(queue) && item.state == state)
                .sorted(byPlace.thenComparingLong(item -> item.id.number())).toList();
    }

    void claim(Claimed claimed, String name) {
        Item item = items.get(claimed.item().number());
        if (item.state == ItemState.DELAYED) {
            item.place = rank(now, item);
        }
        long term = claimed.term().toNanos();
        item.state = ItemState.HELD;
        item.holder = new Holder(claimed.lease(), name, now, term, ticks + term, false);
    }

    /** The item that this lease is the current one of. */
    Optional<Item> held(ItemLease lease) {
        return Optional.ofNullable(items.get(lease.item().number()))
                .filter(item -> item.holder != null && item.holder.lease.equals(lease));
    }

    boolean renew(ItemLease lease) {
        Optional<Item> item = held(lease);
        item.ifPresent(one -> one.holder = new Holder(lease, one.holder.name, one.holder.since, one.holder.term,
                ticks + one.holder.term, false));
        return item.isPresent();
    }

    /** What an ending comes to; empty if the lease is lost. */
    Optional<Outcome> end(ItemLease lease, Ending ending) {
        Optional<Item> current = held(lease);
        if (current.isEmpty()) {
            return Optional.ofNullable(outcomes.get(lease))
                    .filter(one -> one.kind() != Kind.EXPIRED && one.kind() != Kind.TAKEN_BACK)
                    .filter(one -> remembered(one.at().toEpochMilli()))
                    .map(one -> new Outcome(one.kind(), one.at(), true));
        }
        Item item = current.get();
        switch (ending) {
            case Ending.Finish(boolean keep) -> {
                over(item, keep ? Kind.KEPT : Kind.FINISHED, Optional.empty());
                item.error = Optional.empty();
                item.failedAt = Optional.empty();
                if (keep) {
                    move(item, ItemState.KEPT, now);
                } else {
                    items.remove(item.id.number());
                    gone.put(item.id, new Gone(List.copyOf(item.trail), now));
                }
            }
            case Ending.Release _ -> {
                over(item, Kind.RELEASED, Optional.empty());
                move(item, ItemState.READY, item.place);
            }
            case Ending.PutOff(String why, Duration delay) -> {
                item.error = Optional.of(why);
                item.failedAt = Optional.of(Instant.ofEpochMilli(now));
                over(item, Kind.PUT_OFF, item.error);
                move(item, ItemState.DELAYED, now + delay.toMillis());
            }
            case Ending.Fail fail -> {
                item.attempts++;
                item.error = Optional.of(fail.error());
                item.failedAt = Optional.of(Instant.ofEpochMilli(now));
                boolean dead = !fail.retryable() || item.attempts >= fail.policy().attempts();
                over(item, dead ? Kind.DEAD : Kind.RETRYING, item.error);
                long delay = fail.policy().delay(item.attempts).toMillis();
                if (dead) {
                    move(item, ItemState.DEAD, now);
                } else if (delay == 0) {
                    move(item, ItemState.READY, rank(now, item));
                } else {
                    move(item, ItemState.DELAYED, now + delay);
                }
            }
        }
        return Optional.of(outcomes.get(lease));
    }

    /** The lease has ended in that way. */
    private void over(Item item, Kind kind, Optional<String> note) {
        Holder holder = item.holder;
        item.epoch = holder.lease.fence().epoch().value();
        outcomes.put(holder.lease, new Outcome(kind, Instant.ofEpochMilli(now), false));
        item.trail.add(claimed(holder));
        item.trail.add(step(kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'), item.epoch, holder.name,
                note));
        item.holder = null;
    }

    private static HistoryStep claimed(Holder holder) {
        return new HistoryStep(Instant.ofEpochMilli(holder.since), "claimed", holder.lease.fence().epoch().value(),
                holder.name, Optional.empty());
    }

    private static void move(Item item, ItemState to, long place) {
        item.state = to;
        item.place = place;
    }

    void reset(Item item) {
        if (item.holder != null) {
            over(item, Kind.TAKEN_BACK, Optional.empty());
        }
        item.trail.add(step("reset", 0, "", Optional.empty()));
        item.attempts = 0;
        item.deliveries = 0;
        item.error = Optional.empty();
        item.failedAt = Optional.empty();
        move(item, ItemState.READY, rank(now, item));
    }

    void retryNow(Item item) {
        item.trail.add(step("made-ready", 0, "", Optional.empty()));
        move(item, ItemState.READY, rank(now, item));
    }

    void purge(Item item) {
        remove(item, "purged", Optional.empty());
    }

    void remove(Item item, String what, Optional<String> note) {
        if (item.holder != null) {
            over(item, Kind.TAKEN_BACK, Optional.empty());
        }
        item.trail.add(step(what, 0, "", note));
        items.remove(item.id.number());
        gone.put(item.id, new Gone(List.copyOf(item.trail), now));
    }

    void tick() {
        for (Item item : List.copyOf(items.values())) {
            if (item.holder != null && ticks - item.holder.endsAt >= 0) {
                expire(item);
            }
            if (item.state == ItemState.DELAYED && item.place <= now) {
                move(item, ItemState.READY, rank(item.place, item));
            }
        }
    }

    private void expire(Item item) {
        boolean counts = !item.holder.adopted && !paused.contains(item.queue);
        item.deliveries += counts ? 1 : 0;
        boolean dead = counts && item.deliveries >= config.maxDeliveries();
        item.error = Optional.of(dead
                ? "its lease ran out " + item.deliveries + " times; whoever works on it seems to die or hang"
                : "the lease ran out");
        item.failedAt = Optional.of(Instant.ofEpochMilli(now));
        over(item, Kind.EXPIRED, item.error);
        move(item, dead ? ItemState.DEAD : ItemState.READY, dead ? now : rank(now, item));
    }

    void restart() {
        for (Item item : items.values()) {
            if (item.holder != null) {
                item.holder = new Holder(item.holder.lease, item.holder.name, item.holder.since, item.holder.term,
                        ticks + item.holder.term, true);
            }
        }
    }

    boolean remembered(long at) {
        return Math.floorDiv(at, DAY) >= Math.floorDiv(now - config.memory().toMillis(), DAY);
    }

    List<HistoryStep> history(ItemId id) {
        Item item = items.get(id.number());
        if (item == null) {
            return Optional.ofNullable(gone.get(id)).filter(one -> remembered(one.at)).map(Gone::history)
                    .orElse(List.of());
        }
        List<HistoryStep> steps = new ArrayList<>(item.trail);
        if (item.holder != null) {
            steps.add(claimed(item.holder));
        }
        return steps;
    }

    ItemView view(Item item) {
        long since = switch (item.state) {
            case READY -> item.place + item.priority * config.priorityStep().toMillis();
            case HELD -> item.holder.since;
            case DELAYED, KEPT, DEAD -> item.place;
        };
        return new ItemView(item.id, item.queue, item.state, Instant.ofEpochMilli(since), item.priority, item.attempts,
                item.deliveries, item.holder == null ? item.epoch : item.holder.lease.fence().epoch().value(),
                Optional.ofNullable(item.holder).map(Holder::name), item.error, item.failedAt,
                Instant.ofEpochMilli(item.created),
                item.key, String.valueOf(item.payload).length());
    }

    QueueCounts counts(QueueName queue) {
        return new QueueCounts(in(queue, ItemState.READY).size(), in(queue, ItemState.HELD).size(),
                in(queue, ItemState.DELAYED).size(), in(queue, ItemState.KEPT).size(),
                in(queue, ItemState.DEAD).size());
    }
}

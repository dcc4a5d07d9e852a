package io.entrepot.chaos.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A queue in memory that keeps every promise, or breaks one. What it does to a call, it does in one instant. */
final class ModelQueue {

    private static final class Item {
        final String name;
        long epoch;
        @Nullable
        Grant holder;
        boolean kept;
        boolean dead;

        Item(String name) {
            this.name = name;
        }

        boolean ready() {
            return holder == null && !kept && !dead;
        }
    }

    private final Bug bug;
    private final Random random;
    private final Map<String, Item> items = new LinkedHashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();
    private final Map<Grant, Ending> outcomes = new HashMap<>();
    private final List<String> finished = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();
    private int nextId = 1;

    ModelQueue(Bug bug, Random random) {
        this.bug = bug;
        this.random = random;
    }

    Answer apply(Call call) {
        return switch (call) {
            case Call.Put put -> put(put);
            case Call.Claim claim -> claim();
            case Call.Remove remove -> remove(remove.item());
            case Call.Step step -> step(step.kind(), step.lease());
        };
    }

    private Answer put(Call.Put put) {
        String known = put.key().map(keys::get).orElse(null);
        if (known != null) {
            return known.equals(put.item()) ? new Answer.Stored(idOf(known)) : new Answer.Refused("conflict");
        }
        if (random.nextInt(20) == 0) {
            if (bug == Bug.REFUSED_PUT_IS_DONE) {
                items.put(put.item(), new Item(put.item()));
            }
            return new Answer.Refused("paused");
        }
        put.key().ifPresent(key -> keys.put(key, put.item()));
        ids.put(put.item(), "" + nextId++);
        items.putIfAbsent(put.item(), new Item(put.item()));
        return new Answer.Stored(idOf(put.item()));
    }

    private String idOf(String item) {
        return ids.getOrDefault(item, "none");
    }

    private Answer claim() {
        List<Grant> grants = new ArrayList<>();
        int most = 1 + random.nextInt(3);
        for (Item item : items.values()) {
            if (item.ready() && grants.size() < most && random.nextBoolean()) {
                Grant grant = new Grant(item.name, ++item.epoch, Long.toHexString(random.nextLong()));
                item.holder = grant;
                grants.add(grant);
            }
        }
        return new Answer.Granted(grants);
    }

    private Answer remove(String name) {
        if (items.remove(name) == null) {
            return new Answer.Refused("not-found");
        }
        removed.add(name);
        return new Answer.Removed();
    }

    private Answer step(Call.Step.Kind kind, Grant lease) {
        Ending known = outcomes.get(lease);
        if (known != null && kind != Call.Step.Kind.RENEW && bug != Bug.SECOND_OUTCOME_COUNTS) {
            return new Answer.Ended(known, true);
        }
        Item item = items.get(lease.item());
        boolean current = item != null && lease.equals(item.holder);
        if (item == null || !(current || careless(kind, known != null))) {
            return new Answer.Refused("lost");
        }
        return kind == Call.Step.Kind.RENEW ? new Answer.Renewed() : end(item, kind, lease);
    }

    /** Whether a bad queue would not even look. */
    private boolean careless(Call.Step.Kind kind, boolean ended) {
        return switch (bug) {
            case FINISH_IGNORES_THE_LEASE -> kind == Call.Step.Kind.FINISH;
            case RENEW_IGNORES_THE_LEASE -> kind == Call.Step.Kind.RENEW;
            case SECOND_OUTCOME_COUNTS -> kind != Call.Step.Kind.RENEW && ended;
            default -> false;
        };
    }

    private Answer end(Item item, Call.Step.Kind kind, Grant lease) {
        Ending ending = switch (kind) {
            case FINISH -> random.nextInt(4) == 0 ? Ending.KEPT : Ending.FINISHED;
            case FAIL -> random.nextInt(4) == 0 ? Ending.DEAD : Ending.RETRYING;
            default -> Ending.RELEASED;
        };
        item.holder = null;
        item.kept = ending == Ending.KEPT;
        item.dead = ending == Ending.DEAD;
        if (ending == Ending.FINISHED) {
            items.remove(item.name);
            finished.add(item.name);
        }
        outcomes.put(lease, ending);
        return new Answer.Ended(ending, false);
    }

    /** Somebody's lease runs out. */
    void expire() {
        any(items.values().stream().filter(item -> item.holder != null).toList()).ifPresent(item -> item.holder = null);
    }

    /** Nothing is lost, unless it is a bad queue. */
    void crash() {
        List<Item> all = List.copyOf(items.values());
        switch (bug) {
            case PUT_IS_LOST_IN_A_CRASH -> any(all).ifPresent(item -> items.remove(item.name));
            case EPOCH_IS_LOST_IN_A_CRASH -> any(all).ifPresent(item -> {
                item.epoch = Math.max(0, item.epoch - 1);
                item.holder = null;
            });
            case FINISH_IS_LOST_IN_A_CRASH -> any(finished).ifPresent(name -> items.put(name, revived(name)));
            case REMOVAL_IS_LOST_IN_A_CRASH -> any(removed).ifPresent(name -> items.put(name, revived(name)));
            case KEY_IS_LOST_IN_A_CRASH -> any(List.copyOf(keys.keySet())).ifPresent(keys::remove);
            default -> {
                // as it should be
            }
        }
    }

    private Item revived(String name) {
        Item item = new Item(name);
        item.epoch = 100;
        return item;
    }

    private <T> Optional<T> any(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.get(random.nextInt(list.size())));
    }

    List<FinalItem> atTheEnd() {
        return items.values().stream().map(item -> new FinalItem(item.name, item.kept)).toList();
    }
}

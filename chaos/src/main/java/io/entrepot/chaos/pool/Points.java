package io.entrepot.chaos.pool;

import io.entrepot.pool.PoolFaults;
import io.entrepot.store.Faults;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The named points at which pools are to die, each as often as the others, in an order of chance. Use by one thread. */
final class Points {
    private static final String REDO = PoolFaults.Point.REDO.name();
    /** Who was sent somewhere so often and never came there: then nobody can. */
    private static final int OFTEN = 6;
    /** To where only pools come that sync their volumes all the time. */
    private static final Set<String> OF_SYNCS = Set.of("BEFORE_SYNC", "AFTER_SYNC", "BEFORE_UNLINK", "MOVE_COPIED",
            "MOVED");
    private static final List<String> ALL = Stream.concat(
            Stream.of(PoolFaults.Point.values()).filter(point -> point != PoolFaults.Point.REDO).map(Enum::name),
            Stream.of(Faults.Point.values()).map(Enum::name)).toList();

    private final Random random;
    private final Deque<String> deck = new ArrayDeque<>();
    private final Map<String, Integer> chosen = new HashMap<>();
    private final Set<String> reached = new HashSet<>();

    Points(Random random) {
        this.random = random;
    }

    /**
     * For a life that begins.
     *
     * @param redo whether files may have to be written again, which is the only time at which that can be interrupted
     */
    String first(boolean redo) {
        return redo && random.nextInt(3) == 0 ? chosen(REDO) : next(true);
    }

    /** For one that has begun, or goes on; the next that it can come to. */
    String next(boolean syncsAllTheTime) {
        Predicate<String> fits = point -> !point.equals(REDO) && (syncsAllTheTime || !isOfSyncs(point));
        if (deck.stream().noneMatch(fits)) {
            List<String> all = new ArrayList<>(ALL);
            Collections.shuffle(all, random);
            deck.addAll(all);
        }
        String point = deck.stream().filter(fits).findFirst().orElseThrow();
        deck.remove(point);
        return chosen(point);
    }

    private String chosen(String point) {
        chosen.merge(point, 1, Integer::sum);
        return point;
    }

    static boolean isOfSyncs(String point) {
        return OF_SYNCS.contains(point);
    }

    void reached(String point) {
        reached.add(point);
    }

    /** The next ones are those that nobody came to, if there are any: on a busy machine a life may be too short. */
    boolean insist() {
        List<String> never = neverReached();
        deck.clear();
        for (int i = 0; i < OFTEN; i++) {
            deck.addAll(never);
        }
        return !never.isEmpty();
    }

    List<String> neverReached() {
        return chosen.entrySet().stream()
                .filter(entry -> entry.getValue() >= OFTEN && !reached.contains(entry.getKey()))
                .map(Map.Entry::getKey).sorted().toList();
    }
}

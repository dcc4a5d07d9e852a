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
import java.util.stream.Stream;

/** The named points at which pools are to die, each as often as the others, in an order of chance. Use by one thread. */
final class Points {
    private static final String REDO = PoolFaults.Point.REDO.name();
    /** Who was sent somewhere so often and never came there: then nobody can. */
    private static final int OFTEN = 6;
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

    /** @param redo whether files may have to be written again, which is the only time at which that can be interrupted */
    String next(boolean redo) {
        if (deck.isEmpty()) {
            List<String> all = new ArrayList<>(ALL);
            Collections.shuffle(all, random);
            deck.addAll(all);
        }
        String point = redo && random.nextInt(3) == 0 ? REDO : deck.remove();
        chosen.merge(point, 1, Integer::sum);
        return point;
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

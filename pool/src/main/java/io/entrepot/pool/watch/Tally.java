package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What one look has come to. Safe for use by many threads. */
final class Tally {
    private final Problems problems;
    private final LongAdder imported = new LongAdder();
    private final Map<SkipReason, LongAdder> skipped = new EnumMap<>(SkipReason.class);
    private final LongAdder failed = new LongAdder();
    private final Set<Place.Nowhere> nowhere = ConcurrentHashMap.newKeySet();

    Tally(Problems problems) {
        this.problems = problems;
        for (SkipReason reason : SkipReason.values()) {
            skipped.put(reason, new LongAdder());
        }
    }

    void imported() {
        imported.increment();
    }

    void failed(BytePath path, String why) {
        failed.increment();
        problems.add(path, why);
    }

    void skip(BytePath path, SkipReason reason, String more) {
        adder(reason).increment();
        if (reason.isReported()) {
            problems.add(path, reason.words() + (more.isEmpty() ? "" : ": " + more));
        }
    }

    void skip(BytePath path, SkipReason reason) {
        skip(path, reason, "");
    }

    /** A directory, counted once however many are in it. Says whether it is the first time. */
    boolean skip(Place.Nowhere place) {
        boolean first = nowhere.add(place);
        if (first) {
            skip(place.directory(), place.why());
        }
        return first;
    }

    long count() {
        return imported.sum();
    }

    Map<SkipReason, Long> skipped() {
        Map<SkipReason, Long> counts = new EnumMap<>(SkipReason.class);
        skipped.forEach((reason, count) -> {
            if (count.sum() > 0) {
                counts.put(reason, count.sum());
            }
        });
        return counts;
    }

    String text() {
        return imported.sum() + " imported, " + failed.sum() + " failed";
    }

    private LongAdder adder(SkipReason reason) {
        return skipped.computeIfAbsent(reason, _ -> new LongAdder());
    }
}

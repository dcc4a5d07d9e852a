package io.entrepot.scan;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/** What one thread has counted: written by that thread, read by any, without waiting. */
final class Tally {

    /** As in {@link ScanCounts}. */
    enum Of {
        DIRECTORIES, SILENT, ENTRIES, FILES, SUBDIRECTORIES, SYMLINKS, OTHERS, BYTES, STATS, OMITTED, PRUNED,
        MOUNT_POINTS, VANISHED, PROBLEMS
    }

    private final Map<Of, AtomicLong> counts = new EnumMap<>(Of.class);

    Tally() {
        for (Of what : Of.values()) {
            counts.put(what, new AtomicLong());
        }
    }

    void add(Of what, long number) {
        if (number != 0) {
            AtomicLong count = of(what);
            count.lazySet(count.getPlain() + number);
        }
    }

    private AtomicLong of(Of what) {
        return Objects.requireNonNull(counts.get(what));
    }

    static ScanCounts sum(Collection<Tally> tallies) {
        ToLongFunction<Of> sum = what -> tallies.stream().mapToLong(tally -> tally.of(what).get()).sum();
        return new ScanCounts(sum.applyAsLong(Of.DIRECTORIES), sum.applyAsLong(Of.SILENT), sum.applyAsLong(Of.ENTRIES),
                sum.applyAsLong(Of.FILES), sum.applyAsLong(Of.SUBDIRECTORIES), sum.applyAsLong(Of.SYMLINKS),
                sum.applyAsLong(Of.OTHERS), sum.applyAsLong(Of.BYTES), sum.applyAsLong(Of.STATS),
                sum.applyAsLong(Of.OMITTED), sum.applyAsLong(Of.PRUNED), sum.applyAsLong(Of.MOUNT_POINTS),
                sum.applyAsLong(Of.VANISHED), sum.applyAsLong(Of.PROBLEMS));
    }
}

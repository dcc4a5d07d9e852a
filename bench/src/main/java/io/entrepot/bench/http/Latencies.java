package io.entrepot.bench.http;

import io.entrepot.bench.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How long each request took, trial by trial. Each slot of a trial is written by one thread; the rest is for one thread. */
final class Latencies {
    private final List<long[]> trials = new ArrayList<>();

    /** Begins a trial of so many requests: a slot for the nanoseconds of each. */
    long[] begin(int requests) {
        trials.add(new long[requests]);
        return trials.getLast();
    }

    /** The share of requests that took no longer, in milliseconds, of each of the last trials: the first were for warming up. */
    Series millis(double share, int last) {
        return new Series(trials.subList(trials.size() - last, trials.size()).stream().map(trial -> {
            long[] sorted = trial.clone();
            Arrays.sort(sorted);
            return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))] / 1e6;
        }).toList());
    }
}

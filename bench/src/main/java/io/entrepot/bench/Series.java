package io.entrepot.bench;

import java.util.List;

/** What one contestant reached, round by round. Never empty. */
public record Series(List<Double> rounds) {

    public Series {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("a series without rounds");
        }
    }

    public double median() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double min() {
        return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    public double max() {
        return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}

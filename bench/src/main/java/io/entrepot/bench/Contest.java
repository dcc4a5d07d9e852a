package io.entrepot.bench;

import io.entrepot.lab.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Contestants measured against each other in one run. A machine is not the same from minute to minute (other processes,
 * a disk that cleans up, heat), so measuring A for a minute and then B compares the minutes. Here they take turns,
 * A B C, B C A, C A B, so that each meets the same weather and each has each place in the order; after warm-up rounds that
 * do not count. What is compared are medians.
 *
 * <p>Use from one thread.
 */
public final class Contest {

    private record Contestant(String name, Trial trial, List<Double> figures) {}

    private final String name;
    private final String unit;
    private final List<Contestant> contestants = new ArrayList<>();

    /** Under a name for the progress line, in a unit for all figures. */
    public Contest(String name, String unit) {
        this.name = name;
        this.unit = unit;
    }

    public Contest enter(String contestant, Trial trial) {
        if (contestants.stream().anyMatch(other -> other.name().equals(contestant))) {
            throw new IllegalArgumentException("entered twice: " + contestant);
        }
        contestants.add(new Contestant(contestant, trial, new ArrayList<>()));
        return this;
    }

    public Standings run(int warmUps, int rounds, Progress progress) throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            String stage = round < 0 ? "warm-up" : "round " + (round + 1) + "/" + rounds;
            for (int turn = 0; turn < contestants.size(); turn++) {
                Contestant contestant = contestants.get(Math.floorMod(round + turn, contestants.size()));
                progress.tick(name + ", " + stage + ", " + contestant.name());
                double figure = contestant.trial().measure();
                if (round >= 0) {
                    contestant.figures().add(figure);
                }
            }
        }
        Map<String, Series> series = new LinkedHashMap<>();
        contestants.forEach(contestant -> series.put(contestant.name(), new Series(contestant.figures())));
        return new Standings(unit, series);
    }
}

package io.entrepot.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a contest ended. Immutable. */
public record Standings(String unit, Map<String, Series> series) {

    public Standings {
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
    }

    public Series of(String contestant) {
        Series found = series.get(contestant);
        if (found == null) {
            throw new IllegalArgumentException("not in this contest: " + contestant);
        }
        return found;
    }

    /** A row of the table: what the contestant reached in a case, against those named. */
    public Row row(String caseName, String contestant, String... peers) {
        Map<String, Series> against = new LinkedHashMap<>();
        for (String peer : peers) {
            against.put(peer, of(peer));
        }
        return new Row(caseName, contestant, unit, of(contestant), against);
    }
}

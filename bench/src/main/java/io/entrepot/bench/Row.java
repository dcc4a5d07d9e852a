package io.entrepot.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One case: the figure of one contestant and the peers and limits it is compared with. Immutable.
 *
 * @param who the contestant whose figure this is
 * @param peers the others, in the order in which they are shown
 */
public record Row(String caseName, String who, String unit, Series series, Map<String, Series> peers) {

    public Row {
        peers = Collections.unmodifiableMap(new LinkedHashMap<>(peers));
    }

    /** How many times a peer's median. */
    public double ratio(String peer) {
        Series other = peers.get(peer);
        if (other == null) {
            throw new IllegalArgumentException("no such peer: " + peer);
        }
        return series.median() / other.median();
    }

    Map<String, Object> json() {
        Map<String, Object> ratios = new LinkedHashMap<>();
        Map<String, Object> others = new LinkedHashMap<>();
        peers.forEach((peer, other) -> {
            ratios.put(peer, Figures.rounded(ratio(peer)));
            others.put(peer, figures(other));
        });
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("case", caseName);
        json.putAll(figures(series));
        json.put("unit", unit);
        json.put("ratios", ratios);
        json.put("who", who);
        json.put("peers", others);
        return json;
    }

    private static Map<String, Object> figures(Series series) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("value", Figures.rounded(series.median()));
        json.put("min", Figures.rounded(series.min()));
        json.put("max", Figures.rounded(series.max()));
        json.put("rounds", series.rounds().stream().map(Figures::rounded).toList());
        return json;
    }
}

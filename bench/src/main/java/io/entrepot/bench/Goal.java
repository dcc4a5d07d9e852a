package io.entrepot.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a figure should be, and what it is. A goal that is not met is said, but fails nothing: machines differ. */
public record Goal(String text, boolean met, double measured) {

    /** At least so many times the peer. */
    public static Goal atLeast(double factor, String peer, Row row) {
        double ratio = row.ratio(peer);
        return new Goal(say(row, "≥", factor, peer), ratio >= factor, ratio);
    }

    /** At most so many times the peer. */
    public static Goal atMost(double factor, String peer, Row row) {
        double ratio = row.ratio(peer);
        return new Goal(say(row, "≤", factor, peer), ratio <= factor, ratio);
    }

    private static String say(Row row, String relation, double factor, String peer) {
        return String.format(Locale.ROOT, "%s: %s %.2f× %s", row.caseName(), relation, factor, peer);
    }

    String line() {
        return String.format(Locale.ROOT, "goal %-7s  %s (measured %.2f)", met ? "met" : "NOT MET", text, measured);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("goal", text);
        json.put("met", met);
        json.put("measured", Figures.rounded(measured));
        return json;
    }
}

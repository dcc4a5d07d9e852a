package io.entrepot.config;

/**
 * One thing that is wrong; {@code toString} is for people, on one line.
 *
 * @param origin     where it was said, or where it is missing
 * @param key        empty if it is about no key in particular
 * @param suggestion what to do; empty if there is nothing to say
 */
public record Mistake(Origin origin, String key, String problem, String suggestion) {

    @Override
    public String toString() {
        return origin + ": " + (key.isEmpty() ? "" : key + ": ") + problem
                + (suggestion.isEmpty() ? "" : "; " + suggestion);
    }

    /** For the order in which people read. */
    int line() {
        return origin instanceof Origin.InFile(_, int line) ? line : Integer.MAX_VALUE;
    }
}

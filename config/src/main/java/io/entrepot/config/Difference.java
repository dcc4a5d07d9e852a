package io.entrepot.config;

/**
 * A setting that is not the same in two configurations; {@code toString} is for people.
 *
 * @param key    of the setting; of the whole list, if it is one of tables
 * @param from   as it is written in a file, secrets masked; empty if it is not set
 * @param effect when a change of it counts
 */
public record Difference(String key, String from, String to, Effect effect) {

    @Override
    public String toString() {
        return key + ": " + shown(from) + " -> " + shown(to);
    }

    private static String shown(String value) {
        return value.isEmpty() ? "not set" : value;
    }
}

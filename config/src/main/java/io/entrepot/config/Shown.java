package io.entrepot.config;

/**
 * A setting for people to see.
 *
 * @param key   with the number of the entry in a list of tables: {@code volume#2.path}
 * @param value as it is written in a file, secrets masked; empty if it is not set
 * @param effect when a change of it counts
 */
public record Shown(String key, String value, Origin origin, Effect effect) {

    public String name() {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    @Override
    public String toString() {
        return (value.isEmpty() ? "# " + name() + " is not set" : name() + " = " + value + "  # " + origin) + "; "
                + effect;
    }
}

package io.entrepot.config;

import java.util.regex.Pattern;

/** Names of keys and tables, as they can be written without quotes; one style, so that people can guess them. */
final class Names {
    private static final Pattern ALLOWED = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

    private Names() {}

    static void check(String name) {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is no name for a key: write it like-this");
        }
    }

    /** The key of something in a table; the table at the root has no name. */
    static String join(String table, String name) {
        return table.isEmpty() ? name : table + "." + name;
    }
}

package io.entrepot.pool;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A tenant's name. The allow-list makes it safe as a part of a path: it leads nowhere else. (Windows and its shares take some
 * of these for devices, such as {@code con}, and refuse them.)
 */
public record TenantId(String name) implements Comparable<TenantId> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");
    /** Made after the pattern that checks it. */
    public static final TenantId DEFAULT = new TenantId("default");

    public TenantId {
        if (!isValid(name)) {
            throw new IllegalArgumentException("\"" + name + "\" is not a valid tenant: 1 to 63 of a-z 0-9 . _ -,"
                    + " starting with a letter or digit" + hint(name));
        }
    }

    public static boolean isValid(String name) {
        return ALLOWED.matcher(name).matches();
    }

    private static String hint(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !lower.equals(name) && isValid(lower) ? "; did you mean \"" + lower + "\"?" : "";
    }

    @Override
    public int compareTo(TenantId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}

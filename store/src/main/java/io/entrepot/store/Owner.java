package io.entrepot.store;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Whose work it is: a tenant, a group, or (with a leading underscore) the product itself. The store is fair between
 * owners, and an owner can be given a shard of its own. The allow-list makes a name safe as part of a path.
 */
public record Owner(String name) implements Comparable<Owner> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9_][a-z0-9._-]{0,62}");

    /** The product's own bookkeeping. */
    public static final Owner SYSTEM = new Owner("_system");

    public Owner {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a valid owner: 1 to 63 of a-z 0-9 . _ -,"
                    + " starting with a letter or digit" + hint(name));
        }
    }

    private static String hint(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !lower.equals(name) && ALLOWED.matcher(lower).matches() ? "; did you mean \"" + lower + "\"?" : "";
    }

    @Override
    public int compareTo(Owner other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}

package io.entrepot.queue;

import io.entrepot.store.Owner;
import java.util.regex.Pattern;

/** A queue: whose it is, and which of the owner's lanes. */
public record QueueName(Owner owner, String lane) {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

    public QueueName {
        if (!ALLOWED.matcher(lane).matches()) {
            throw new IllegalArgumentException("\"" + lane + "\" is not a valid lane: 1 to 63 of a-z 0-9 . _ -,"
                    + " starting with a letter or digit");
        }
    }

    public static QueueName of(String owner, String lane) {
        return new QueueName(new Owner(owner), lane);
    }

    /** The inverse of {@link #toString}. */
    public static QueueName parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("\"" + text + "\" is not a queue: write it as owner/lane");
        }
        return of(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public String toString() {
        return owner + "/" + lane;
    }
}

package io.entrepot.pool.watch;

import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.job.JobName;
import java.util.regex.Pattern;

/** What operators call a watcher. */
public record WatcherId(String name) implements Comparable<WatcherId> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

    public WatcherId {
        if (!ALLOWED.matcher(name).matches()) {
            throw new InvalidNameException("\"" + name + "\" is not a valid watcher: 1 to 63 of a-z 0-9 . _ -,"
                    + " starting with a letter or digit");
        }
    }

    /** Under this name it is among the jobs of the pool. */
    public JobName job() {
        return new JobName("watch-" + name);
    }

    @Override
    public int compareTo(WatcherId other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}

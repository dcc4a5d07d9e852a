package io.entrepot.pool.job;

import java.util.regex.Pattern;

/** What operators call a job: {@code cleanup}, {@code drain-fast-1}. */
public record JobName(String name) implements Comparable<JobName> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9._-]{0,126}");

    public JobName {
        if (!ALLOWED.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is not a valid job: 1 to 127 of a-z 0-9 . _ -,"
                    + " starting with a letter or digit");
        }
    }

    @Override
    public int compareTo(JobName other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}

package io.entrepot.pool;

import java.util.List;

/**
 * What one run of cleaning has done, or in a dry run would have done.
 *
 * @param details  the first of the things that were found, in words
 * @param problems what could not be done, in words; the rest was done all the same
 */
public record CleanupReport(boolean dryRun, CleanupStatistics counts, List<String> details, List<String> problems) {

    public CleanupReport {
        details = List.copyOf(details);
        problems = List.copyOf(problems);
    }
}

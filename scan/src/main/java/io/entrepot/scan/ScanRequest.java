package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Freshness;
import java.time.Duration;
import java.util.Optional;

/**
 * What to scan, and how. Immutable.
 *
 * @param root             the directory to begin with; a symbolic link is refused
 * @param threads          how many directories are read at a time. Network storage takes many; too many keep it from its users
 * @param entriesPerSecond of all threads together; {@link #UNLIMITED} by default
 * @param filter           what is reported, and which directories are entered
 * @param maxDepth         how deep the entries that are reported may lie: with 1 only the root is listed
 * @param crossMounts      whether to enter other file systems that are mounted below the root
 * @param directoriesOnly  report only directories. Nothing else is looked at
 * @param freshness        how attributes are had on network storage
 * @param patience         how long storage may keep silent before the directory is {@link Visit.Reason#HANGING given up} and
 *                         the scan goes on without it. If it is too short, a slow directory is not seen; if there is none, one
 *                         that hangs keeps the scan from ending until it is cancelled
 * @param incremental      what is known already and need not be read again
 */
public record ScanRequest(BytePath root, int threads, long entriesPerSecond, PathFilter filter, int maxDepth,
        boolean crossMounts, boolean directoriesOnly, Freshness freshness, Optional<Duration> patience,
        Optional<Incremental> incremental) {
    public static final long UNLIMITED = Long.MAX_VALUE;
    public static final int ANY_DEPTH = Integer.MAX_VALUE;

    public ScanRequest {
        if (threads < 1 || threads > 1000) {
            throw new IllegalArgumentException("a scan takes 1 to 1000 threads, not " + threads);
        }
        if (entriesPerSecond < 1) {
            throw new IllegalArgumentException("at least one entry per second, not " + entriesPerSecond);
        }
        if (maxDepth < 1) {
            throw new IllegalArgumentException("a depth of at least 1, not " + maxDepth);
        }
        patience.ifPresent(time -> {
            if (!time.isPositive()) {
                throw new IllegalArgumentException("patience is more than nothing, not " + time);
            }
        });
    }

    /** Everything, by two threads, unthrottled, on the root's own mount. */
    public static ScanRequest of(BytePath root) {
        return new ScanRequest(root, 2, UNLIMITED, PathFilter.ALL, ANY_DEPTH, false, false, Freshness.CACHED,
                Optional.empty(), Optional.empty());
    }

    public ScanRequest withThreads(int newThreads) {
        return new ScanRequest(root, newThreads, entriesPerSecond, filter, maxDepth, crossMounts, directoriesOnly,
                freshness, patience, incremental);
    }

    public ScanRequest withEntriesPerSecond(long newRate) {
        return new ScanRequest(root, threads, newRate, filter, maxDepth, crossMounts, directoriesOnly, freshness,
                patience, incremental);
    }

    public ScanRequest withFilter(PathFilter newFilter) {
        return new ScanRequest(root, threads, entriesPerSecond, newFilter, maxDepth, crossMounts, directoriesOnly,
                freshness, patience, incremental);
    }

    public ScanRequest withMaxDepth(int newDepth) {
        return new ScanRequest(root, threads, entriesPerSecond, filter, newDepth, crossMounts, directoriesOnly,
                freshness, patience, incremental);
    }

    public ScanRequest withCrossMounts(boolean newCross) {
        return new ScanRequest(root, threads, entriesPerSecond, filter, maxDepth, newCross, directoriesOnly, freshness,
                patience, incremental);
    }

    public ScanRequest withDirectoriesOnly(boolean newOnly) {
        return new ScanRequest(root, threads, entriesPerSecond, filter, maxDepth, crossMounts, newOnly, freshness,
                patience, incremental);
    }

    public ScanRequest withFreshness(Freshness newFreshness) {
        return new ScanRequest(root, threads, entriesPerSecond, filter, maxDepth, crossMounts, directoriesOnly,
                newFreshness, patience, incremental);
    }

    public ScanRequest withPatience(Duration newPatience) {
        return new ScanRequest(root, threads, entriesPerSecond, filter, maxDepth, crossMounts, directoriesOnly,
                freshness, Optional.of(newPatience), incremental);
    }

    public ScanRequest withIncremental(Incremental newIncremental) {
        return new ScanRequest(root, threads, entriesPerSecond, filter, maxDepth, crossMounts, directoriesOnly,
                freshness, patience, Optional.of(newIncremental));
    }
}

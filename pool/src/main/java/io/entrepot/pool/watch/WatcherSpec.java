package io.entrepot.pool.watch;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Labels;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.NewItem;
import io.entrepot.scan.Glob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A directory to be watched, and how.
 *
 * @param path                 made if there is none when the watcher is added
 * @param pollingInterval      how often all of it is looked at, whether or not changes are notified. Too short: busy with looking;
 *                             too long: where nothing is notified, files wait that long
 * @param maxConcurrentImports how many files are read at once; small ones, which share their syncs, may be more
 * @param minFileAge           how long a file must have been seen unchanged, whatever its times say. Too short: a sender that pauses
 *                             loses the rest of its file; too long: every file waits that long
 * @param maxFileSize          larger files are skipped and reported; 0 for any size
 * @param patterns             which files are imported: see {@link Glob}; a pattern with a slash is about the path below the
 *                             watched directory, or the tenant's. {@code *.*} is every file, also one without a dot
 * @param excludes             which are not, and which directories are not entered
 * @param recursive            files in sub-directories too; the directory becomes the file's logical one
 * @param marker               what is appended to a file's name to give that of the file that says it is complete, as {@code .done}; it
 *                             goes when its file does
 * @param priority             of the files, and their labels
 */
public record WatcherSpec(WatcherId id, WatchMode mode, Path path, Duration pollingInterval, int maxConcurrentImports,
        Duration minFileAge, long maxFileSize, List<String> patterns, List<String> excludes, PostImport postImport,
        boolean recursive, Optional<String> marker, int priority, Map<String, String> labels, boolean enabled) {
    /** All files. */
    public static final List<String> EVERY_FILE = List.of("*.*");
    /** What is hidden, and what programs call files that they have not finished. */
    public static final List<String> USUAL_EXCLUDES = List.of(".*", "*.tmp", "*.part", "*.partial", "*.filepart",
            "*.crdownload");
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int MOST_AT_ONCE = 1000;

    public WatcherSpec {
        patterns = List.copyOf(patterns);
        excludes = List.copyOf(excludes);
        labels = Map.copyOf(labels);
        if (pollingInterval.toMillis() < 1 || pollingInterval.compareTo(LONGEST) > 0) {
            throw new InvalidSettingException("watcher " + id + " looks every 1 ms to 365 days: " + pollingInterval);
        }
        if (maxConcurrentImports < 1 || maxConcurrentImports > MOST_AT_ONCE || maxFileSize < 0) {
            throw new InvalidSettingException("watcher " + id + " imports 1 to " + MOST_AT_ONCE
                    + " files at once, and a size is not negative: " + maxConcurrentImports + ", " + maxFileSize);
        }
        if (minFileAge.isNegative() || minFileAge.compareTo(LONGEST) > 0
                || (minFileAge.toMillis() < 1 && marker.isEmpty())) {
            throw new InvalidSettingException("watcher " + id + " takes files that were unchanged for 1 ms to 365 days,"
                    + " or none with a marker: " + minFileAge);
        }
        if (Math.abs(priority) > NewItem.HIGHEST_PRIORITY) {
            throw new InvalidSettingException("a priority is from " + -NewItem.HIGHEST_PRIORITY + " to "
                    + NewItem.HIGHEST_PRIORITY + ": " + priority);
        }
        if (marker.filter(suffix -> suffix.isEmpty() || suffix.contains("/") || suffix.contains("\0")).isPresent()) {
            throw new InvalidSettingException("watcher " + id + ": \"" + marker.get()
                    + "\" cannot be appended to a name");
        }
        requirePatterns(id, patterns, excludes);
        Labels.of(labels);
    }

    private static void requirePatterns(WatcherId id, List<String> patterns, List<String> excludes) {
        if (patterns.isEmpty()) {
            throw new InvalidSettingException("watcher " + id + " has no patterns; *.* is every file");
        }
        for (List<String> each : List.of(patterns, excludes)) {
            for (String pattern : each) {
                try {
                    Glob.of(pattern);
                } catch (IllegalArgumentException e) {
                    throw new InvalidSettingException("watcher " + id + ": \"" + pattern + "\": " + e.getMessage(), e);
                }
                if (pattern.contains("\n") || pattern.contains("\0")) {
                    throw new InvalidSettingException("watcher " + id + ": a pattern has no line ends and NULs");
                }
            }
        }
    }

    /** All files below the path are one tenant's. */
    public static WatcherSpec ofTenant(String id, TenantId tenant, Path path) {
        return usual(id, new WatchMode.OneTenant(tenant), path);
    }

    /** Each sub-directory of the path has a tenant's name; they are made for those that have none. */
    public static WatcherSpec ofAllTenants(String id, Path path) {
        return usual(id, new WatchMode.ManyTenants(true), path);
    }

    private static WatcherSpec usual(String id, WatchMode mode, Path path) {
        return new WatcherSpec(new WatcherId(id), mode, path, Duration.ofSeconds(30), 8, Duration.ofSeconds(5), 0,
                EVERY_FILE, USUAL_EXCLUDES, new PostImport.Delete(), true, Optional.empty(), 0, Map.of(), true);
    }

    public WatcherSpec withMode(WatchMode value) {
        return new WatcherSpec(id, value, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withAutoCreateTenantDirectories(boolean value) {
        return mode instanceof WatchMode.ManyTenants ? withMode(new WatchMode.ManyTenants(value)) : this;
    }

    public WatcherSpec withPath(Path value) {
        return new WatcherSpec(id, mode, value, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withPollingInterval(Duration value) {
        return new WatcherSpec(id, mode, path, value, maxConcurrentImports, minFileAge, maxFileSize, patterns,
                excludes, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withMaxConcurrentImports(int value) {
        return new WatcherSpec(id, mode, path, pollingInterval, value, minFileAge, maxFileSize, patterns, excludes,
                postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withMinFileAge(Duration value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, value, maxFileSize, patterns,
                excludes, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withMaxFileSize(long bytes) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, bytes, patterns,
                excludes, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withPatterns(List<String> value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize, value,
                excludes, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withExcludes(List<String> value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, value, postImport, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withPostImport(PostImport value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, value, recursive, marker, priority, labels, enabled);
    }

    public WatcherSpec withRecursive(boolean value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, value, marker, priority, labels, enabled);
    }

    public WatcherSpec withMarker(Optional<String> suffix) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, recursive, suffix, priority, labels, enabled);
    }

    public WatcherSpec withPriority(int value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, recursive, marker, value, labels, enabled);
    }

    public WatcherSpec withLabels(Map<String, String> value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, recursive, marker, priority, value, enabled);
    }

    public WatcherSpec withEnabled(boolean value) {
        return new WatcherSpec(id, mode, path, pollingInterval, maxConcurrentImports, minFileAge, maxFileSize,
                patterns, excludes, postImport, recursive, marker, priority, labels, value);
    }
}

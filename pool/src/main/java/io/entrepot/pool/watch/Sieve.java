package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.scan.Entry;
import io.entrepot.scan.Glob;
import io.entrepot.scan.PathFilter;
import io.entrepot.scan.StableRule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which files a watcher wants, by what is seen of them. Pure and immutable. */
final class Sieve {
    private static final Set<String> EVERYTHING = Set.of("*.*", "*", "**");

    private final StableRule rule;
    private final long largest;
    private final boolean every;
    private final List<Glob> patterns;
    private final List<Glob> excludes;
    private final PathFilter filter;

    Sieve(WatcherSpec spec) {
        this.rule = rule(spec);
        this.largest = spec.maxFileSize() == 0 ? Long.MAX_VALUE : spec.maxFileSize();
        this.every = spec.patterns().stream().anyMatch(EVERYTHING::contains);
        this.patterns = spec.patterns().stream().map(Glob::of).toList();
        this.excludes = spec.excludes().stream().map(Glob::of).toList();
        // Those with a slash are about paths below a tenant's directory, and a scan knows only those below the watched one.
        this.filter = PathFilter.of(List.of(), List.of(),
                spec.excludes().stream().filter(text -> !text.contains("/")).toList());
    }

    /** When a file is complete. */
    static StableRule rule(WatcherSpec spec) {
        return new StableRule(spec.minFileAge(), java.time.Duration.ZERO, StableRule.DEFAULT.unclosed(),
                spec.marker());
    }

    /** Reports everything, and does not enter what need not be. */
    PathFilter filter() {
        return filter;
    }

    boolean isMarker(Name name) {
        return rule.isMarker(name);
    }

    Optional<Name> markerOf(Name name) {
        return rule.markerOf(name);
    }

    /** Why a file is not wanted, if it is not; directories never are. */
    Optional<SkipReason> refusal(BytePath path, Entry entry) {
        if (entry.type() == FileType.DIRECTORY || PrivateName.isOurs(entry.name()) || isMarker(entry.name())
                || !isNamed(path)) {
            return Optional.of(SkipReason.NOT_WANTED);
        }
        if (!entry.isKnown()) {
            return Optional.of(SkipReason.UNREADABLE);
        }
        if (entry.type() != FileType.FILE) {
            return Optional.of(SkipReason.NOT_A_FILE);
        }
        return entry.size() > largest ? Optional.of(SkipReason.TOO_LARGE) : Optional.empty();
    }

    /** Whether nothing below a directory is wanted. */
    boolean excludes(BytePath directory) {
        BytePath at = BytePath.CURRENT;
        for (Name name : directory.names()) {
            at = at.resolve(name);
            if (any(excludes, at)) {
                return true;
            }
        }
        return false;
    }

    private boolean isNamed(BytePath path) {
        return (every || any(patterns, path)) && !any(excludes, path);
    }

    private static boolean any(List<Glob> globs, BytePath path) {
        byte[] bytes = path.bytes();
        return globs.stream().anyMatch(glob -> glob.matches(bytes, bytes.length));
    }
}

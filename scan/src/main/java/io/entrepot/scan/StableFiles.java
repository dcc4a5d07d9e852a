package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.scan.Stability.NotYet;
import io.entrepot.scan.Stability.Stable;
import io.entrepot.scan.Stability.Why;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The one rule that says whether a file is complete.
 *
 * <p>One look cannot tell: a file that is being copied together with its old times ({@code cp -p}) looks as if nobody had
 * touched it for years. So a file is looked at again and again, and counts as complete when nothing about it (identity, size,
 * both its times) differs between two looks that lie far enough apart on our own clock. Only time between looks counts: what
 * was not looked at was not seen unchanged. Where changes are notified they count too: each begins the wait anew, even if
 * size and times do not show it, and whoever has written must have closed.
 *
 * <p>It does not look by itself: whoever scans or watches tells it what was seen, and asks what is {@linkplain #due due}. It
 * remembers a little of each file it was told of until that is gone or {@linkplain #forget forgotten}. Safe for use by many
 * threads, by one lock, held for moments.
 */
public final class StableFiles {
    private static final Name FIRST_NAME = Name.of(new byte[]{1});

    private final StableRule rule;
    private final long quiet;
    private final long age;
    private final long unclosed;
    /** By directory, then by name; no directory without files. Sorted, so that those below another one are found without looking at all. */
    private final NavigableMap<BytePath, Map<Name, Candidate>> directories = new TreeMap<>();

    /** What is remembered of a file. Times are on the clock of the intervals. */
    private static final class Candidate {
        Entry entry;
        /** The end of the first look at all. */
        final long firstSeen;
        /** The end of the first look since which it has not changed. */
        long since;
        /** The begin of the last look. */
        long last;
        /** Somebody has written to it, and has not been seen to close it. */
        boolean open;
        /** When it is worth another look. */
        long lookAt;

        Candidate(Entry entry, Interval seen) {
            this.entry = entry;
            this.firstSeen = seen.end();
            this.since = seen.end();
            this.last = seen.begin();
        }

        void look(Entry now, Interval seen) {
            if (!isUnchanged(entry, now)) {
                entry = now;
                since = seen.end();
                last = seen.begin();
            } else if (seen.begin() - last > 0) {
                last = seen.begin();
            }
        }

        void changed(Interval seen) {
            since = seen.end();
        }
    }

    public StableFiles(StableRule rule) {
        this.rule = rule;
        this.quiet = rule.quiet().toNanos();
        this.age = rule.age().toNanos();
        this.unclosed = rule.unclosed().toNanos();
    }

    /** A file was looked at, and its marker too, if there has to be one and it is there. */
    public synchronized Stability looked(BytePath path, Entry entry, Interval seen, Optional<Entry> marker) {
        return lookedIn(parent(path), entry, seen, marker);
    }

    private Stability lookedIn(BytePath directory, Entry entry, Interval seen, Optional<Entry> marker) {
        if (!entry.isKnown() || entry.type() != FileType.FILE) {
            forget(directory, entry.name());
            return new NotYet(Why.UNSEEN, seen.end() + quiet);
        }
        Candidate candidate = directories.computeIfAbsent(directory, _ -> new HashMap<>()).compute(entry.name(),
                (_, before) -> before != null && isSameFile(before.entry, entry) ? before : new Candidate(entry, seen));
        candidate.look(entry, seen);
        Stability stability = judge(candidate, marker);
        // A complete one that nobody takes is looked at again all the same: it may be written to once more.
        candidate.lookAt = stability instanceof NotYet(Why _, long lookAt) ? lookAt : seen.end() + quiet;
        return stability;
    }

    /** A directory was listed: looks at all files in it, but for markers. What a complete listing lacks is forgotten. */
    public synchronized Map<Name, Stability> listed(Listing listing) {
        BytePath directory = listing.directory();
        Map<Name, Entry> entries = new LinkedHashMap<>();
        for (Entry entry : listing.entries()) {
            entries.put(entry.name(), entry);
        }
        Map<Name, Candidate> known = directories.get(directory);
        if (known != null && listing.isComplete()) {
            known.keySet().retainAll(entries.keySet());
            directories.remove(directory, Map.of());
        }
        Map<Name, Stability> judged = new LinkedHashMap<>();
        entries.forEach((name, entry) -> {
            if (entry.type() == FileType.FILE && !rule.isMarker(name)) {
                judged.put(name, lookedIn(directory, entry, listing.seen(), rule.markerOf(name).map(entries::get)));
            }
        });
        return judged;
    }

    /** Something was notified. Files in {@linkplain Fact.Listed listings} are looked at; what is not there is forgotten. */
    public synchronized void heard(Fact fact) {
        switch (fact) {
            case Fact.Present(BytePath path, Entry entry, Interval seen, Fact.Cause cause) ->
                heard(parent(path), entry, seen, cause);
            case Fact.Absent(BytePath path, Interval _, Fact.Cause _) -> {
                forget(path);
                forgetBelow(path);
            }
            case Fact.Listed(Listing listing) -> listed(listing);
            // A close may have been missed: then the file waits until nobody can be writing to it any more.
            case Fact.Rescan _ -> {
            }
        }
    }

    private void heard(BytePath directory, Entry entry, Interval seen, Fact.Cause cause) {
        if (rule.isMarker(entry.name())) {
            markerCame(directory, entry.name(), seen);
            return;
        }
        if (cause == Fact.Cause.MOVED_HERE) {
            forget(directory, entry.name()); // what was there before is another one
        }
        lookedIn(directory, entry, seen, Optional.empty());
        Candidate candidate = directories.getOrDefault(directory, Map.of()).get(entry.name());
        if (candidate == null) {
            return;
        }
        switch (cause) {
            case CREATED -> {
                candidate.changed(seen);
                // One with content may have been linked here, and nobody has it open; if somebody writes, that is heard too.
                candidate.open = entry.size() == 0;
            }
            case MODIFIED -> {
                candidate.changed(seen);
                candidate.open = true;
            }
            case CLOSED -> {
                candidate.changed(seen);
                candidate.open = false;
            }
            // Whoever found that out by looking could not have seen anybody open or close it.
            case FOUND_CHANGED -> candidate.changed(seen);
            case ATTRIBUTES, MOVED_HERE, MOVED_AWAY, DELETED -> {
            }
        }
        candidate.lookAt = earliest(candidate);
    }

    /** Its file is worth a look. */
    private void markerCame(BytePath directory, Name marker, Interval seen) {
        directories.getOrDefault(directory, Map.of()).forEach((name, candidate) -> {
            if (rule.markerOf(name).filter(marker::equals).isPresent()) {
                candidate.lookAt = Math.min(candidate.lookAt, Math.max(seen.end(), earliest(candidate)));
            }
        });
    }

    private Stability judge(Candidate candidate, Optional<Entry> marker) {
        long unchanged = Math.max(0, candidate.last - candidate.since);
        if (candidate.open && unchanged < Math.max(quiet, unclosed)) {
            return new NotYet(Why.OPEN, earliest(candidate));
        }
        if (unchanged < quiet) {
            return new NotYet(Why.FRESH, earliest(candidate));
        }
        if (Math.max(0, candidate.last - candidate.firstSeen) < age) {
            return new NotYet(Why.YOUNG, earliest(candidate));
        }
        if (rule.marker().isPresent()) {
            if (marker.isEmpty()) {
                return new NotYet(Why.NO_MARKER, candidate.last + quiet);
            }
            if (!marker.get().isKnown() || marker.get().ctime() < candidate.entry.ctime()) {
                return new NotYet(Why.OLD_MARKER, candidate.last + quiet);
            }
        }
        return new Stable(new Interval(candidate.since, Math.max(candidate.since, candidate.last)));
    }

    /** Before that no look can find it complete. */
    private long earliest(Candidate candidate) {
        long byQuiet = candidate.since + (candidate.open ? Math.max(quiet, unclosed) : quiet);
        return Math.max(byQuiet, candidate.firstSeen + age);
    }

    private static boolean isSameFile(Entry before, Entry now) {
        return before.inode() == now.inode() && before.device() == now.device();
    }

    private static boolean isUnchanged(Entry before, Entry now) {
        return before.size() == now.size() && before.mtime() == now.mtime() && before.ctime() == now.ctime();
    }

    /** The files that are worth another look at that time, at most so many. */
    public synchronized List<BytePath> due(long now, int most) {
        List<BytePath> due = new ArrayList<>();
        directories.forEach((directory, files) -> files.forEach((name, candidate) -> {
            if (due.size() < most && now - candidate.lookAt >= 0) {
                due.add(directory.resolve(name));
            }
        }));
        return due;
    }

    /** When the first of them is due; none if there are no files. */
    public synchronized OptionalLong nextDue() {
        return directories.values().stream().flatMap(files -> files.values().stream())
                .mapToLong(candidate -> candidate.lookAt).min();
    }

    /** A file that is gone, or taken, or of no interest. */
    public synchronized void forget(BytePath path) {
        path.parent().ifPresent(directory -> forget(directory, path.name().orElseThrow()));
    }

    private void forget(BytePath directory, Name name) {
        directories.computeIfPresent(directory, (_, files) -> {
            files.remove(name);
            return files.isEmpty() ? null : files;
        });
    }

    /** What is below it stands together in the order of bytes, though not right behind it: {@code a!} is between {@code a} and {@code a/b}. */
    private void forgetBelow(BytePath path) {
        directories.remove(path);
        Iterator<BytePath> below = directories.tailMap(path.resolve(FIRST_NAME)).keySet().iterator();
        while (below.hasNext() && below.next().startsWith(path)) {
            below.remove();
        }
    }

    /** How many files it remembers. */
    public synchronized int size() {
        return directories.values().stream().mapToInt(Map::size).sum();
    }

    private static BytePath parent(BytePath path) {
        return path.parent().orElseThrow(() -> new IllegalArgumentException(path + " is not the path of a file"));
    }
}

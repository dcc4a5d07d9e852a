package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers all that a scan told. For many threads. */
final class Seen implements ScanSink {
    private final Map<BytePath, Visit> visits = new ConcurrentHashMap<>();
    private final List<String> twice = new ArrayList<>();

    @Override
    public void accept(Visit visit) {
        if (visits.put(visit.directory(), visit) != null) {
            synchronized (twice) {
                twice.add(visit.directory().toString());
            }
        }
    }

    List<String> twice() {
        synchronized (twice) {
            return List.copyOf(twice);
        }
    }

    Map<BytePath, Visit> visits() {
        return visits;
    }

    Listing listing(BytePath directory) {
        return switch (visits.get(directory)) {
            case Visit.Listed(Listing listing) -> listing;
            case null, default -> throw new AssertionError(directory + " was not listed: " + visits.get(directory));
        };
    }

    Visit.Skipped skipped(BytePath directory) {
        return switch (visits.get(directory)) {
            case Visit.Skipped skipped -> skipped;
            case null, default -> throw new AssertionError(directory + " was not skipped: " + visits.get(directory));
        };
    }

    /** Everything that is in a listing, from the root. */
    SortedSet<String> paths(BytePath root) {
        SortedSet<String> paths = new TreeSet<>();
        visits.values().forEach(visit -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                listing.entries().forEach(entry -> paths
                        .add(root.relativize(listing.directory().resolve(entry.name())).toString()));
            }
        });
        return paths;
    }

    /** What a caller with a memory would remember of it. */
    Map<BytePath, Remembered> remembered(long listedAt) {
        Map<BytePath, Remembered> memory = new ConcurrentHashMap<>();
        visits.forEach((path, visit) -> {
            if (visit instanceof Visit.Listed(Listing listing)) {
                Optional<Remembered> remembered = Remembered.of(listing, listedAt);
                remembered.ifPresent(known -> memory.put(path, known));
            }
        });
        return memory;
    }
}

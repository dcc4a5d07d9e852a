package io.entrepot.chaos.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.scan.Entry;
import io.entrepot.scan.Listing;
import io.entrepot.scan.Remembered;
import io.entrepot.scan.ScanMemory;
import io.entrepot.scan.ScanSink;
import io.entrepot.scan.StorageClock;
import io.entrepot.scan.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is known of a tree after scans of which each reads only what has changed: which entries there are. Not their content,
 * which may change without their directory. Safe for use by the threads of one scan.
 */
final class Picture implements ScanSink, ScanMemory {
    private final StorageClock storage;
    private final Map<BytePath, Known> directories = new ConcurrentHashMap<>();
    private final Set<BytePath> visited = ConcurrentHashMap.newKeySet();

    private record Item(FileType type, long inode) {}

    private record Known(Map<Name, Item> items, Optional<Remembered> remembered) {}

    Picture(StorageClock storage) {
        this.storage = storage;
    }

    @Override
    public Optional<Remembered> of(BytePath directory) {
        return Optional.ofNullable(directories.get(directory)).flatMap(Known::remembered);
    }

    @Override
    public void accept(Visit visit) {
        switch (visit) {
            case Visit.Listed(Listing listing) -> {
                visited.add(listing.directory());
                Map<Name, Item> items = new TreeMap<>();
                for (Entry entry : listing.entries()) {
                    items.put(entry.name(), new Item(entry.type(), entry.inode()));
                }
                directories.put(listing.directory(),
                        new Known(items, Remembered.of(listing, storage.at(listing.seen().begin()))));
            }
            case Visit.Silent silent -> visited.add(silent.directory());
            case Visit.Skipped _ -> {
            }
        }
    }

    /** A scan has ended that was everywhere: what it did not come by is gone. */
    void ended() {
        directories.keySet().retainAll(visited);
        visited.clear();
    }

    int size() {
        return directories.values().stream().mapToInt(known -> known.items.size()).sum();
    }

    /** Where this differs from another one, in words. */
    List<String> differences(Picture other) {
        List<String> differences = new ArrayList<>();
        Set<BytePath> all = new TreeSet<>(directories.keySet());
        all.addAll(other.directories.keySet());
        for (BytePath directory : all) {
            Map<Name, Item> here = items(directory);
            Map<Name, Item> there = other.items(directory);
            if (!here.equals(there)) {
                differences.add(directory + " has " + there + " and is pictured with " + here);
            }
        }
        return differences;
    }

    private Map<Name, Item> items(BytePath directory) {
        Known known = directories.get(directory);
        return known == null ? Map.of() : known.items;
    }
}

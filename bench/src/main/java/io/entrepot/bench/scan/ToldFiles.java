package io.entrepot.bench.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import io.entrepot.scan.Entry;
import io.entrepot.scan.Fact;
import io.entrepot.scan.Listing;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Remembers which files it has been told of, and when the last new one came. It does not look for itself, not even where it
 * is told to. Safe for use by many threads: one at a time.
 */
final class ToldFiles implements Consumer<Fact> {
    private final LongSupplier nanos;
    private final Set<BytePath> told = new HashSet<>();
    private long last;
    private long rescans;

    ToldFiles(LongSupplier nanos) {
        this.nanos = nanos;
        this.last = nanos.getAsLong();
    }

    @Override
    public synchronized void accept(Fact fact) {
        int before = told.size();
        switch (fact) {
            case Fact.Present(BytePath path, Entry entry, _, _) -> {
                if (entry.type() == FileType.FILE) {
                    told.add(path);
                }
            }
            case Fact.Listed(Listing listing) -> {
                for (int i = 0; i < listing.size(); i++) {
                    if (listing.type(i) == FileType.FILE) {
                        told.add(listing.directory().resolve(listing.name(i)));
                    }
                }
            }
            case Fact.Rescan _ -> rescans++;
            case Fact.Absent _ -> {
                // That it was told of once is what counts.
            }
        }
        if (told.size() > before) {
            last = nanos.getAsLong();
        }
    }

    /** How many of these nobody has told of. */
    synchronized long missing(Collection<BytePath> files) {
        return files.stream().filter(file -> !told.contains(file)).count();
    }

    /** When the last file came that had not been told of before; at first, when this began. */
    synchronized long last() {
        return last;
    }

    synchronized long rescans() {
        return rescans;
    }
}

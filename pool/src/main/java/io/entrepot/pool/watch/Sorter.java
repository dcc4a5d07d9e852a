package io.entrepot.pool.watch;

import io.entrepot.pool.internal.ImportBook;
import io.entrepot.pool.internal.ImportBook.State;
import io.entrepot.pool.internal.TenantRow;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import io.entrepot.scan.Entry;
import io.entrepot.scan.Interval;
import io.entrepot.scan.Stability;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Decides on the files of a directory, each time it is looked at: which are imported now, which were, and which are not, and why.
 * What it does about them is up to its {@link Deeds}. Safe for use by many threads.
 */
final class Sorter {
    private static final Duration LONGEST_PROBE = Duration.ofHours(1);

    private final Site site;
    private final Sieve sieve;
    private final Deeds deeds;
    private final long now;
    /** Failed ones that were seen: the others are gone. */
    private final Set<BytePath> seenFailures = ConcurrentHashMap.newKeySet();

    /** @param now in the store's time */
    Sorter(Site site, long now, Deeds deeds) {
        this.site = site;
        this.sieve = new Sieve(site.spec());
        this.now = now;
        this.deeds = deeds;
    }

    Set<BytePath> seenFailures() {
        return seenFailures;
    }

    /** @param directory below the watched one */
    void sort(BytePath directory, List<Entry> entries, Interval seen) throws IOException, InterruptedException {
        switch (Place.of(site.spec().mode(), directory, site.parts().tenants(), site.config().autoCreateTenants())) {
            case Place.Nowhere nowhere -> skip(nowhere, directory, entries);
            case Place.Of place -> {
                if (sieve.excludes(place.inside())) {
                    forget(directory, entries);
                } else {
                    trySort(directory, place, entries, seen);
                }
            }
        }
    }

    private void trySort(BytePath directory, Place.Of place, List<Entry> entries, Interval seen)
            throws IOException, InterruptedException {
        try {
            sort(directory, place, entries, seen);
        } catch (StoreException e) {
            if (!site.isSharded(place.tenant())) {
                throw e;
            }
            skip(new Place.Nowhere(SkipReason.TENANT_UNREADABLE, place.top(directory)), directory, entries);
        }
    }

    private void skip(Place.Nowhere place, BytePath directory, List<Entry> entries) {
        switch (place.why()) {
            case NO_TENANT -> entries.stream().filter(entry -> sieve.refusal(below(entry), entry).isEmpty())
                    .forEach(entry -> site.tally().skip(directory.resolve(entry.name()), place.why()));
            case UNKNOWN_TENANT -> {
                site.tally().skip(place);
                deeds.unknownTenant(place.directory());
            }
            default -> site.tally().skip(place);
        }
        forget(directory, entries);
        // What has failed there has not gone.
        site.failures().paths().stream().filter(path -> path.startsWith(directory)).forEach(seenFailures::add);
    }

    private void sort(BytePath directory, Place.Of place, List<Entry> entries, Interval seen)
            throws IOException, InterruptedException {
        Map<Name, Entry> byName = new HashMap<>();
        List<Entry> wanted = new ArrayList<>();
        for (Entry entry : entries) {
            byName.put(entry.name(), entry);
            BytePath path = directory.resolve(entry.name());
            Optional<SkipReason> refusal = sieve.refusal(place.inside().resolve(entry.name()), entry);
            if (refusal.isEmpty() || PrivateName.parse(entry.name()).isPresent()) {
                wanted.add(entry);
            } else {
                site.stable().forget(site.absolute(path));
                if (isOldProbe(entry)) {
                    deeds.removeProbe(path);
                } else if (!isSilent(entry, refusal.get())) {
                    site.tally().skip(path, refusal.get());
                }
            }
        }
        Map<Long, List<ImportBook.Row>> records = records(place, wanted);
        for (Entry entry : wanted) {
            sort(directory.resolve(entry.name()), place, entry, seen,
                    sieve.markerOf(entry.name()).map(byName::get), records.getOrDefault(entry.inode(), List.of()));
        }
    }

    /** Of a process that died over it. If clocks are wrong and it is somebody's, that one polls, which is no harm. */
    private boolean isOldProbe(Entry entry) {
        return entry.isKnown() && entry.type() == FileType.FILE && entry.size() == 0
                && PrivateName.isProbe(entry.name())
                && now - TimeUnit.NANOSECONDS.toMillis(entry.mtime()) > LONGEST_PROBE.toMillis();
    }

    /** Directories and markers are no files that anybody would miss. */
    private boolean isSilent(Entry entry, SkipReason reason) {
        return reason == SkipReason.NOT_WANTED
                && (entry.type() == FileType.DIRECTORY || sieve.isMarker(entry.name())
                        || PrivateName.isOurs(entry.name()));
    }

    private void sort(BytePath path, Place.Of place, Entry entry, Interval seen, Optional<Entry> marker,
            List<ImportBook.Row> records) throws IOException, InterruptedException {
        if (wasImported(path, place, entry, records)) {
            return;
        }
        Optional<PrivateName> hidden = PrivateName.parse(entry.name());
        Optional<Failure> failure = site.failures().find(path);
        failure.ifPresent(_ -> seenFailures.add(path));
        if (failure.filter(before -> before.isOf(entry)).isPresent()) {
            site.stable().forget(site.absolute(path));
            if (failure.get().isParked()) {
                site.tally().skip(path, SkipReason.PARKED);
            } else if (!failure.get().isDue(now)) {
                site.tally().skip(path, SkipReason.RETRYING);
            } else {
                deeds.bringIn(new Imports.Job(path, entry, place)); // it was complete then, and has not changed
            }
            return;
        }
        switch (site.stable().looked(site.absolute(path), entry, seen, marker)) {
            case Stability.NotYet _ when hidden.isEmpty() -> site.tally().skip(path, SkipReason.NOT_YET);
            case Stability.NotYet _ -> {
            }
            case Stability.Stable _ when hidden.isPresent() -> deeds.putBack(path, hidden.get());
            case Stability.Stable _ -> deeds.bringIn(new Imports.Job(path, entry, place));
        }
    }

    private boolean wasImported(BytePath path, Place.Of place, Entry entry, List<ImportBook.Row> records)
            throws IOException, InterruptedException {
        for (ImportBook.Row row : records) {
            if (row.source().size() != entry.size() || row.source().mtime() != entry.mtime()) {
                continue;
            }
            boolean samePath = row.source().path().equals(path.toString());
            if (row.state() == State.KEPT && samePath && row.source().ctime() == entry.ctime()
                    && row.source().device() == site.tree().device()) {
                site.stable().forget(site.absolute(path));
                site.tally().skip(path, SkipReason.KEPT);
                return true;
            }
            // Another name of a source that had several is another source, unless that name is ours.
            boolean hidden = PrivateName.parse(entry.name()).map(PrivateName::file).filter(row.file()::equals)
                    .isPresent();
            if (row.source().several() && !samePath && !hidden) {
                continue;
            }
            Optional<Stat> stat = site.tree().find(path);
            if (stat.isEmpty()) {
                site.tally().skip(path, SkipReason.VANISHED);
                return true;
            }
            boolean expected = hidden || (samePath && row.state() != State.DONE);
            if (expected ? row.source().isSame(stat.get()) : row.source().isSameAnywhere(stat.get())) {
                known(path, place, row, stat.get(), hidden);
                return true;
            }
        }
        return false;
    }

    private void known(BytePath path, Place.Of place, ImportBook.Row row, Stat stat, boolean hidden) {
        Store store = site.parts().tenants().store(place.tenant());
        site.stable().forget(site.absolute(path));
        if (row.state() == State.RECORDED) {
            site.tally().skip(path, SkipReason.FINISHING); // at the beginning of every look
        } else if (hidden) {
            deeds.end(store, row); // by its own name
        } else {
            site.tally().skip(path, SkipReason.KEPT);
            deeds.found(store, row, path, stat);
        }
    }

    private Map<Long, List<ImportBook.Row>> records(Place.Of place, List<Entry> entries) {
        Optional<TenantRow> tenant = place.row();
        if (tenant.isEmpty() || entries.isEmpty()) {
            return Map.of();
        }
        Set<Long> inodes = new HashSet<>();
        entries.forEach(entry -> inodes.add(entry.inode()));
        return site.parts().tenants().store(place.tenant()).read(snapshot -> ImportBook.find(snapshot,
                tenant.get().number(), site.rule().number(), inodes));
    }

    /** So that they are not due for ever. */
    private void forget(BytePath directory, List<Entry> entries) {
        entries.forEach(entry -> site.stable().forget(site.absolute(directory.resolve(entry.name()))));
    }

    private static BytePath below(Entry entry) {
        return BytePath.CURRENT.resolve(entry.name());
    }
}

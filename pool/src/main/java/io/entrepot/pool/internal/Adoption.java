package io.entrepot.pool.internal;

import io.entrepot.pool.Location;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.volume.BackendProvider;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Puts rules, volumes and watchers into a main database that was replaced, before anybody reads them from there: as the settings say that
 * were found beside it, and volumes also where they are by configuration. Stateless.
 */
final class Adoption {

    private Adoption() {}

    /** Where volumes are by configuration, or by default. */
    static List<VolumeSpec> candidates(PoolConfig config) {
        List<VolumeSpec> all = new ArrayList<>(config.volumes());
        all.add(VolumeSpec.of("main", config.directory().resolve("files")));
        return all;
    }

    /**
     * Volumes that were moved since the pool was closed, as the configuration or their place in the data directory says. The one in the
     * data directory is taken also if there is the same where it was before: then the directory was copied, and a copy must not
     * delete the files of the original. What cannot be asked is taken for unmoved.
     */
    static List<String> follow(Store main, PoolConfig config, Backends backends) throws InterruptedException {
        List<String> notes = new ArrayList<>();
        if (main.shared()) {
            return notes; // others may see the storage at other places, and have it open there
        }
        Location inside = Location.of(config.directory().resolve("files")).absolute();
        List<Settings.Volume> all = main.read(VolumeRows::settings);
        for (Settings.Volume known : all) {
            for (Location place : places(config, known, all)) {
                if (isAt(known, place, backends, false)
                        && (place.equals(inside) || !isAt(known, known.location(), backends, true))) {
                    main.write(Owner.SYSTEM, tx -> VolumeRows.moved(tx, known.number(), place));
                    notes.add("volume " + known.name() + " was at " + known.location() + " and is at " + place);
                    break;
                }
            }
        }
        return notes;
    }

    /** Where it may be: a directory becomes no bucket, and buckets are not asked in vain. */
    private static List<Location> places(PoolConfig config, Settings.Volume known, List<Settings.Volume> all) {
        return candidates(config).stream().map(spec -> spec.location().absolute())
                .filter(place -> place.scheme().equals(known.location().scheme()) && !place.equals(known.location()))
                .filter(place -> place.directory().isPresent()
                        || all.stream().noneMatch(other -> other.location().equals(place)))
                .toList();
    }

    /** @param unknown the answer if that cannot be said */
    private static boolean isAt(Settings.Volume volume, Location place, Backends backends, boolean unknown)
            throws InterruptedException {
        try {
            return identity(place, backends).filter(volume.identity()::equals).isPresent();
        } catch (VolumeException e) {
            return unknown;
        }
    }

    private static Optional<String> identity(Location place, Backends backends)
            throws VolumeException, InterruptedException {
        return backends.find(place).map(BackendProvider.Found::volume);
    }

    /** Says what people should know. */
    static List<String> adopt(Store main, PoolConfig config, Optional<Settings> settings, Backends backends)
            throws InterruptedException {
        List<Settings.Volume> known = settings.map(Settings::volumes)
                .orElseGet(() -> main.read(VolumeRows::settings));
        List<String> notes = new ArrayList<>();
        List<Settings.Volume> volumes = found(known, config, notes, backends);
        main.write(Owner.SYSTEM, tx -> {
            VolumeRows.restore(tx, volumes);
            settings.ifPresent(found -> rules(tx, found.rules()));
            return settings.flatMap(Settings::watchers).map(all -> WatcherRows.restore(tx, all)).orElse(List.of());
        }).forEach(notes::add);
        return notes;
    }

    private static List<Settings.Volume> found(List<Settings.Volume> known, PoolConfig config, List<String> notes,
            Backends backends) throws InterruptedException {
        List<Settings.Volume> volumes = new ArrayList<>(known);
        Instant now = config.platform().store().wall().instant();
        for (VolumeSpec spec : candidates(config)) {
            Location place = spec.location().absolute();
            Optional<String> identity;
            try {
                identity = identity(place, backends);
            } catch (VolumeException e) {
                requireKnown(place, known, e);
                continue;
            }
            if (identity.isEmpty()) {
                continue;
            }
            Optional<Settings.Volume> same = volumes.stream()
                    .filter(volume -> volume.identity().equals(identity.get())).findFirst();
            if (same.isEmpty()) {
                long number = volumes.stream().mapToLong(Settings.Volume::number).max().orElse(0) + 1;
                boolean taken = volumes.stream().anyMatch(volume -> volume.name().equals(spec.name()));
                volumes.add(new Settings.Volume(number, taken ? spec.name() + "-" + number : spec.name(),
                        identity.get(), place, spec.spare() ? VolumeState.SPARE : VolumeState.ACTIVE, spec.depth(),
                        spec.headroom(), now));
                notes.add("the volume at " + place + " was not known: it was mounted as the configuration says");
            } else if (!isAt(same.get(), same.get().location(), backends, true)) {
                volumes.set(volumes.indexOf(same.get()), same.get().at(place));
                notes.add("volume " + same.get().name() + " was at " + same.get().location() + " and is at " + place);
            }
        }
        return volumes;
    }

    /** Of a volume that is away and known nothing is lost: its files are looked for when it is back. Another one's would be forgotten. */
    private static void requireKnown(Location place, List<Settings.Volume> known, VolumeException why) {
        if (known.stream().noneMatch(volume -> volume.location().equals(place))) {
            throw new StorageVolumeUnavailableException("what volume is at " + place + " cannot be said, and nothing"
                    + " else knows it: open the pool again when it can be asked, or leave it out of the configuration: "
                    + why.getMessage(), why);
        }
    }

    private static void rules(Transaction tx, List<QuotaRule> rules) {
        tx.update("DELETE FROM quota");
        rules.forEach(rule -> QuotaBook.insert(tx, rule));
    }
}

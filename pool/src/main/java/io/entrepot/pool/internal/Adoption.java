package io.entrepot.pool.internal;

import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.VolumeState;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.nio.file.Path;
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
     * delete the files of the original.
     */
    static List<String> follow(Store main, PoolConfig config) {
        List<String> notes = new ArrayList<>();
        if (main.shared()) {
            return notes; // others may see the storage at other places, and have it open there
        }
        Path inside = config.directory().resolve("files").toAbsolutePath().normalize();
        for (Settings.Volume known : main.read(VolumeRows::settings)) {
            candidates(config).stream().map(spec -> spec.path().toAbsolutePath().normalize())
                    .filter(path -> !path.equals(known.location()) && isAt(known, path)
                            && (path.equals(inside) || !isAt(known, known.location())))
                    .findFirst().ifPresent(path -> {
                        main.write(Owner.SYSTEM, tx -> VolumeRows.moved(tx, known.number(), path));
                        notes.add("volume " + known.name() + " was at " + known.location() + " and is at " + path);
                    });
        }
        return notes;
    }

    private static boolean isAt(Settings.Volume volume, Path path) {
        return VolumeIdentity.at(path).filter(volume.identity()::equals).isPresent();
    }

    /** Says what people should know. */
    static List<String> adopt(Store main, PoolConfig config, Optional<Settings> settings) {
        List<Settings.Volume> known = settings.map(Settings::volumes)
                .orElseGet(() -> main.read(VolumeRows::settings));
        List<String> notes = new ArrayList<>();
        List<Settings.Volume> volumes = found(known, config, notes);
        main.write(Owner.SYSTEM, tx -> {
            VolumeRows.restore(tx, volumes);
            settings.ifPresent(found -> rules(tx, found.rules()));
            return settings.flatMap(Settings::watchers).map(all -> WatcherRows.restore(tx, all)).orElse(List.of());
        }).forEach(notes::add);
        return notes;
    }

    private static List<Settings.Volume> found(List<Settings.Volume> known, PoolConfig config, List<String> notes) {
        List<Settings.Volume> volumes = new ArrayList<>(known);
        Instant now = config.platform().store().wall().instant();
        for (VolumeSpec spec : candidates(config)) {
            Optional<String> identity = VolumeIdentity.at(spec.path());
            if (identity.isEmpty()) {
                continue;
            }
            Optional<Settings.Volume> same = volumes.stream()
                    .filter(volume -> volume.identity().equals(identity.get())).findFirst();
            if (same.isEmpty()) {
                long number = volumes.stream().mapToLong(Settings.Volume::number).max().orElse(0) + 1;
                boolean taken = volumes.stream().anyMatch(volume -> volume.name().equals(spec.name()));
                volumes.add(new Settings.Volume(number, taken ? spec.name() + "-" + number : spec.name(),
                        identity.get(), spec.path().toAbsolutePath().normalize(),
                        spec.spare() ? VolumeState.SPARE : VolumeState.ACTIVE, spec.depth(), spec.headroom(), now));
                notes.add("the volume at " + spec.path() + " was not known: it was mounted as the configuration says");
            } else if (!VolumeIdentity.at(same.get().location()).equals(identity)) {
                volumes.set(volumes.indexOf(same.get()), same.get().at(spec.path().toAbsolutePath().normalize()));
                notes.add("volume " + same.get().name() + " was at " + same.get().location() + " and is at "
                        + spec.path());
            }
        }
        return volumes;
    }

    private static void rules(Transaction tx, List<QuotaRule> rules) {
        tx.update("DELETE FROM quota");
        rules.forEach(rule -> QuotaBook.insert(tx, rule));
    }
}

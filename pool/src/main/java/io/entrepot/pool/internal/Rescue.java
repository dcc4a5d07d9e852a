package io.entrepot.pool.internal;

import io.entrepot.pool.Database;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.RecoveryWatch;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.posix.MountPools;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.IncompatibleDataException;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreDamagedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * How a pool is opened whose embedded database is damaged or gone. The damaged file is set aside, a backup takes its place or
 * nothing does, and that this was done is written down; then the pool is opened, which completes it: see {@link Completion}. A
 * crash in between loses nothing, as the next opening goes on from what was written down.
 */
public final class Rescue {
    /** What the directories are called that things are set aside in. */
    static final String DAMAGED = "damaged-";
    private static final String RESTORED = "restored-";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
            .withZone(ZoneOffset.UTC);

    private final PoolConfig config;
    private final StoreConfig storeConfig;

    private Rescue(PoolConfig config) {
        this.config = config;
        this.storeConfig = Opening.storeConfig(config);
    }

    static Opening open(PoolConfig config, RecoveryWatch watch) throws InterruptedException {
        return config.database() instanceof Database.Embedded
                ? new Rescue(config).open(watch)
                : new Opening(config, watch);
    }

    private Opening open(RecoveryWatch watch) throws InterruptedException {
        Optional<PendingRecovery> pending = PendingRecovery.in(config.directory());
        if (pending.isPresent()) {
            if (!pending.get().replaced()) {
                goOn(pending.get());
            }
        } else if (isGone()) {
            recover(new StoreDamagedException("there is no database in " + config.directory()
                    + ", although there was one or volumes have files", null));
        }
        try {
            return new Opening(config, watch);
        } catch (StoreDamagedException e) {
            if (pending.isPresent() || !isDamaged()) {
                throw e;
            }
            recover(e);
            return new Opening(config, watch);
        }
    }

    /** A directory that had a database has settings, and so have its volumes. */
    private boolean isGone() throws InterruptedException {
        if (Files.exists(config.directory().resolve(DataDirectory.MAIN)) || hasLog()) {
            return false;
        }
        return SettingsFile.isIn(config.directory()) || hasVolume();
    }

    /** Then the store says what is wrong. */
    private boolean hasLog() {
        return Files.exists(config.directory().resolve(DataDirectory.MAIN + "-wal"));
    }

    /** Whether there is a volume where the configuration has some: of a pool whose database is gone. Making one would be fatal. */
    private boolean hasVolume() throws InterruptedException {
        try (MountPools mounts = Opening.mounts(config)) {
            Backends backends = Backends.of(config, mounts);
            for (VolumeSpec spec : Adoption.candidates(config)) {
                backends.check(spec.location().absolute());
                if (backends.find(spec.location().absolute()).isPresent()) {
                    return true;
                }
            }
            return false;
        } catch (VolumeException e) {
            throw new StorageVolumeUnavailableException(
                    "there is no database in " + config.directory() + ", and whether"
                            + " there was one cannot be said, as a volume cannot be asked. Nothing was changed: "
                            + e.getMessage(),
                    e);
        }
    }

    /** What fails to open may be a shard, or something else altogether: a sound database is never set aside. */
    private boolean isDamaged() {
        try (DataDirectory data = DataDirectory.open(config.directory(), storeConfig)) {
            return !data.main().check().sound();
        } catch (StoreDamagedException e) {
            return true;
        }
    }

    private void recover(StoreDamagedException damage) {
        if (!config.recovery().rebuilds()) {
            throw new StoreDamagedException(damage.getMessage() + ". Nothing was changed. Open the pool with recovery"
                    + " to set the damage aside and go on with a backup and what the volumes carry", damage);
        }
        begin(String.valueOf(damage.getMessage()));
    }

    private void begin(String cause) {
        replace(new PendingRecovery(config.directory(), false, cause,
                aside(config.directory(), DAMAGED, storeConfig.wall().instant()), Optional.empty(), "",
                new TreeSet<>()), backups(config));
    }

    /** The one it died with may be what cannot be used; but who has named one himself gets that one, or is told. */
    private void goOn(PendingRecovery pending) {
        if (pending.aside().getFileName().toString().startsWith(RESTORED)) {
            replace(pending);
            return;
        }
        List<Path> backups = new ArrayList<>(pending.backup().stream().toList());
        backups(config).stream().filter(path -> !backups.contains(path.toAbsolutePath())).forEach(backups::add);
        replace(pending.from(Optional.empty()), backups);
    }

    /** By the first backup that can be used, or by nothing. */
    private void replace(PendingRecovery begun, List<Path> backups) {
        PendingRecovery pending = begun;
        for (Path backup : backups) {
            try {
                replace(pending.from(Optional.of(backup)));
                return;
            } catch (StoreDamagedException | IncompatibleDataException | NotDoneException e) {
                pending = pending.noting("the backup " + backup + " could not be used: " + e.getMessage());
            }
        }
        replace(pending);
    }

    private void replace(PendingRecovery pending) {
        pending.save();
        if (Files.exists(pending.aside().resolve(DataDirectory.MAIN))
                && Files.exists(config.directory().resolve(DataDirectory.MAIN))) {
            pending.asReplaced().save(); // a crash came between this and the line below
            return;
        }
        DataDirectory.replaceMain(config.directory(), pending.aside(), pending.backup(), storeConfig);
        pending.asReplaced().save();
    }

    static Path aside(Path directory, String prefix, Instant now) {
        Path aside = directory.resolve(prefix + STAMP.format(now));
        for (int n = 2; Files.exists(aside); n++) {
            aside = directory.resolve(prefix + STAMP.format(now) + "-" + n);
        }
        return aside;
    }

    /** The newest first. */
    static List<Path> backups(PoolConfig config) {
        return config.recovery().backups().map(path -> DataDirectory.isBackup(path)
                ? List.of(path)
                : DataDirectory.backupsIn(path)).orElse(List.of());
    }

    /** A backup takes the place of a database that is not there. What the volumes have more is added when the pool is opened. */
    public static void restore(Path backup, PoolConfig config) {
        Rescue rescue = new Rescue(config);
        if (rescue.hasLog() || Files.exists(config.directory().resolve(DataDirectory.MAIN))) {
            if (PendingRecovery.in(config.directory()).filter(begun -> isRestore(begun, backup)).isPresent()) {
                return; // it was cut short: opening the pool goes on with it
            }
            throw new InvalidSettingException("there is a database in " + config.directory()
                    + "; a restore overwrites nothing: move it away first");
        }
        if (!DataDirectory.isBackup(backup)) {
            throw new InvalidSettingException(backup + " is not a backup");
        }
        PendingRecovery pending = new PendingRecovery(config.directory(), false, "the backup " + backup
                + " was restored", aside(config.directory(), RESTORED, rescue.storeConfig.wall().instant()),
                Optional.of(backup), "", new TreeSet<>());
        try {
            rescue.replace(pending);
        } catch (RuntimeException e) {
            if (!Files.exists(config.directory().resolve(DataDirectory.MAIN))) {
                pending.end(); // nothing was begun
            }
            throw e;
        }
    }

    private static boolean isRestore(PendingRecovery pending, Path backup) {
        return pending.aside().getFileName().toString().startsWith(RESTORED) && pending.backup()
                .filter(one -> one.toAbsolutePath().normalize().equals(backup.toAbsolutePath().normalize()))
                .isPresent();
    }

    /** Sets aside what is damaged although it can be opened. Says whether there was anything. */
    public static boolean setAside(PoolConfig config) throws InterruptedException {
        Rescue rescue = new Rescue(config);
        // To look into a database that is gone would make an empty one, which opening the pool took for a sound one.
        if (!(config.database() instanceof Database.Embedded) || PendingRecovery.in(config.directory()).isPresent()
                || rescue.isGone() || !rescue.isDamaged()) {
            return false;
        }
        rescue.begin("the database was found to be damaged");
        return true;
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Location;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.RecoveryWatch;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.IncompatibleDataException;
import io.entrepot.store.IntegrityReport;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreDamagedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Recovers a tenant whose own shard is damaged, while all others work. Safe for use by many threads. */
public final class ShardRescue {
    private final Parts parts;

    public ShardRescue(Parts parts) {
        this.parts = parts;
    }

    /** Puts the shard of the first backup that has it into its place, or an empty one; says which backup that was. */
    static Optional<Path> replace(DataDirectory data, Owner owner, Path aside, List<Path> backups) {
        for (Path backup : backups) {
            try {
                data.replaceShard(owner, aside, Optional.of(backup));
                return Optional.of(backup);
            } catch (StoreDamagedException | IncompatibleDataException | NotDoneException e) {
                // It is not in this one, or this one cannot be used.
            }
        }
        data.replaceShard(owner, aside, Optional.empty());
        return Optional.empty();
    }

    /** @throws InvalidSettingException if it has no shard, or a sound one */
    public synchronized RecoveryReport recover(TenantId id, RecoveryWatch watch) throws InterruptedException {
        if (!(parts.stores() instanceof DataDirectory data) || !data.sharded().contains(Owners.of(id))) {
            throw new InvalidSettingException("tenant " + id + " has no shard of its own");
        }
        String damage = damage(data, Owners.of(id)).orElseThrow(
                () -> new InvalidSettingException("the shard of tenant " + id + " is not damaged"));
        PoolConfig config = parts.config();
        // Before its rows are gone from the books, and then from the settings too.
        Optional<Tenant> known = SettingsFile.read(config.directory().resolve(SettingsFile.IN_DIRECTORY)).stream()
                .flatMap(settings -> settings.tenants().stream()).filter(tenant -> tenant.id().equals(id)).findFirst();
        PendingShard pending = new PendingShard(config.directory(), id, damage,
                Rescue.aside(config.directory(), Rescue.DAMAGED, config.platform().store().wall().instant()), known);
        pending.save(); // first: after a crash it is sound, and nobody would see that its files are missing
        // Until it has ended: if it fails, the next opening goes on with it.
        parts.keepers().leaveOut(Owners.of(id));
        return recover(pending, replace(data, Owners.of(id), pending.aside(), Rescue.backups(config)), watch);
    }

    /** Those that a crash has cut short. */
    synchronized List<RecoveryReport> goOn(RecoveryWatch watch) throws InterruptedException {
        List<RecoveryReport> reports = new ArrayList<>();
        if (parts.stores() instanceof DataDirectory data) {
            for (PendingShard pending : PendingShard.in(parts.config().directory())) {
                Optional<Path> backup = Optional.empty();
                if (isGone(data, pending.tenant()) || damage(data, Owners.of(pending.tenant())).isPresent()) {
                    backup = replace(data, Owners.of(pending.tenant()), pending.aside(),
                            Rescue.backups(parts.config()));
                }
                reports.add(recover(pending, backup, watch));
            }
        }
        return reports;
    }

    /** It is made anew when it is opened, and that would be all. */
    private static boolean isGone(DataDirectory data, TenantId tenant) {
        return !data.sharded().contains(Owners.of(tenant));
    }

    /** Its shard is another one now. */
    private RecoveryReport recover(PendingShard pending, Optional<Path> backup, RecoveryWatch watch)
            throws InterruptedException {
        TenantId id = pending.tenant();
        parts.tenants().forget(id);
        parts.directories().forget(id);
        parts.queues().reserveUpTo(Owners.of(id), 1); // opens its queues: that cannot be done within a transaction
        try (RecoveryLog log = new RecoveryLog(parts.config().platform().store().wall().instant(), pending.cause(),
                pending.aside())) {
            backup.ifPresent(log::restoredFrom);
            pending.settings().ifPresentOrElse(tenant -> {
                parts.tenants().restore(tenant);
                log.settingsFrom(Location.of(parts.config().directory().resolve(SettingsFile.IN_DIRECTORY)));
            }, () -> log.unknown("the settings of tenant " + id + " were not found"));
            RecoveryReport report = new FileRescue(parts, log, watch).run(id::equals, id::equals);
            pending.end();
            parts.keepers().letIn(Owners.of(id));
            return report;
        }
    }

    /** What is wrong with it, if anything is. */
    private static Optional<String> damage(DataDirectory data, Owner owner) {
        try {
            IntegrityReport report = data.store(owner).check();
            return report.sound() ? Optional.empty() : Optional.of(String.join("; ", report.problems()));
        } catch (StoreDamagedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (StoreClosedException e) {
            // It may be sound: that is seen when it is opened again.
            throw new InvalidSettingException("the shard of tenant " + owner + " has ended after a failure; open the"
                    + " pool again, and see what it says then", e);
        }
    }

    /** Those that are damaged, whether or not they can be opened: reads everything. */
    public List<TenantId> unsound() {
        return parts.stores() instanceof DataDirectory data
                ? data.sharded().stream().filter(owner -> damage(data, owner).isPresent())
                        .map(owner -> new TenantId(owner.name())).sorted().toList()
                : List.of();
    }

    /** Those that cannot be opened. */
    public List<TenantId> damaged() {
        return parts.stores().sharded().stream().filter(owner -> {
            try {
                parts.stores().store(owner);
                return false;
            } catch (StoreDamagedException e) {
                return true;
            }
        }).map(owner -> new TenantId(owner.name())).sorted().toList();
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.RecoveryWatch;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantStatus;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Completes a pool whose main database was replaced, while it is being opened. First, with nothing else open: what people have
 * decided, and the shards, which are newer than any backup and are used as they are if they are sound. Then, with the volumes
 * open and nobody at work: tenants, and files. For one thread.
 */
final class Completion {
    private final PoolConfig config;
    private final DataDirectory data;
    private PendingRecovery pending;
    private final Optional<SettingsFile.Found> settings;
    private final List<String> notes = new ArrayList<>();
    /** The shards that were replaced too, by this try or an earlier one that died. */
    private final Set<Owner> shards = new TreeSet<>();

    private Completion(PoolConfig config, DataDirectory data, PendingRecovery pending, Backends backends)
            throws InterruptedException {
        this.config = config;
        this.data = data;
        this.pending = pending;
        this.settings = SettingsFile.newest(config, backends);
    }

    /** Nothing if nothing was replaced. */
    static Optional<Completion> begin(PoolConfig config, Stores stores, Backends backends)
            throws InterruptedException {
        if (!(stores instanceof DataDirectory data)) {
            return Optional.empty();
        }
        Optional<PendingRecovery> pending = PendingRecovery.in(config.directory());
        if (pending.isEmpty()) {
            return Optional.empty();
        }
        Completion completion = new Completion(config, data, pending.get(), backends);
        completion.prepare(backends);
        return Optional.of(completion);
    }

    private void prepare(Backends backends) throws InterruptedException {
        notes.addAll(Adoption.adopt(data.main(), config, settings.map(SettingsFile.Found::settings), backends));
        for (Owner owner : sharded()) {
            try {
                if (data.sharded().contains(owner) || Files.exists(shardFile(owner))) {
                    data.giveShard(owner);
                } else {
                    replace(owner, "it is gone");
                }
            } catch (StoreDamagedException e) {
                replace(owner, String.valueOf(e.getMessage()));
            }
            if (pending.shards().contains(owner.name())) {
                shards.add(owner);
            }
        }
    }

    private void replace(Owner owner, String why) {
        pending = pending.withShard(owner);
        pending.save(); // first: after a crash it is sound, and nobody would see that its files are missing
        Optional<Path> from = ShardRescue.replace(data, owner, pending.aside(), backups());
        notes.add("the shard of tenant " + owner + " was replaced too"
                + from.map(path -> ", from the backup " + path).orElse("") + ": " + why);
    }

    private List<Path> backups() {
        List<Path> all = new ArrayList<>();
        pending.backup().ifPresent(all::add);
        Rescue.backups(config).stream().filter(path -> !all.contains(path)).forEach(all::add);
        return all;
    }

    private Path shardFile(Owner owner) {
        return config.directory().resolve(DataDirectory.SHARDS).resolve(owner + ".db");
    }

    /** By the database, by the settings, and by what is there. */
    private Set<Owner> sharded() {
        Set<Owner> owners = new TreeSet<>(data.sharded());
        settings.ifPresent(found -> found.settings().tenants().stream().filter(Tenant::sharded)
                .forEach(tenant -> owners.add(Owners.of(tenant.id()))));
        Path directory = config.directory().resolve(DataDirectory.SHARDS);
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".db"))
                        .map(name -> name.substring(0, name.length() - ".db".length())).filter(TenantId::isValid)
                        .forEach(name -> owners.add(new Owner(name)));
            } catch (IOException e) {
                throw NotDoneException.io("the shards in " + directory + " cannot be listed", e);
            }
        }
        return owners;
    }

    RecoveryReport run(Parts parts, RecoveryWatch watch) throws InterruptedException {
        try (RecoveryLog log = new RecoveryLog(config.platform().store().wall().instant(), pending.cause(),
                pending.aside())) {
            pending.backup().ifPresent(log::restoredFrom);
            settings.ifPresentOrElse(found -> log.settingsFrom(found.where()), () -> log.unknown(
                    "no settings were found: tenants, limits and rules are those of the backup, or not known"));
            pending.notes().lines().forEach(log::unknown);
            notes.forEach(log::unknown);
            settings.ifPresent(found -> tenants(parts, found.settings(), log));
            Predicate<TenantId> replaced = id -> !data.sharded().contains(Owners.of(id))
                    || shards.contains(Owners.of(id));
            Predicate<TenantId> restored = id -> data.sharded().contains(Owners.of(id))
                    ? shards.contains(Owners.of(id))
                    : pending.backup().isPresent();
            RecoveryReport report = new FileRescue(parts, log, watch).run(replaced, restored);
            pending.end();
            return report;
        }
    }

    private void tenants(Parts parts, Settings found, RecoveryLog log) {
        for (Tenant tenant : found.tenants()) {
            if (!tenant.sharded() || shards.contains(Owners.of(tenant.id()))) {
                parts.tenants().restore(tenant);
            }
        }
        for (TenantRow row : parts.tenants().all()) {
            boolean known = found.tenants().stream().anyMatch(tenant -> tenant.id().equals(row.id()));
            if (!known && !row.tenant().sharded() && row.tenant().status() != TenantStatus.DISABLED) {
                parts.tenants().setStatus(row.id(), TenantStatus.DISABLED);
                log.unknown("tenant " + row.id() + " is in the backup and not in the settings: it was deleted since, or"
                        + " never written down; it is disabled");
            }
        }
    }
}

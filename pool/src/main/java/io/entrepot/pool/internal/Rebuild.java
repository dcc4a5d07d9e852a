package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Backend.Stored;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.Queues;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the volumes and puts into the books what is there and they do not know, by what the bytes carry themselves. Such
 * a file is held: it may have been processed before, and nobody knows.
 *
 * <p>What the books know to be gone is not revived: its bytes go. What they know to be on another volume is looked for there;
 * if it is gone from there, it was moved after the backup, and is here now. What is just being written is left alone. For
 * one thread.
 */
final class Rebuild {
    private static final int BATCH = 500;
    private static final long AHEAD = 1_000_000_000;

    private final Parts parts;
    private final Predicate<TenantId> concerned;
    private final RecoveryLog log;
    private final RecoveryGauge gauge;
    private final AwayVolumes away;

    /** What the books say of some keys. */
    private record Known(Map<Long, FileRow> rows, Set<FileKey> gone, Set<Long> doomed) {}

    /** A file that they do not know. */
    private record Found(FileRow row, LogicalDirectory directory, String how) {}

    /** Breaks off a walk from within. */
    private static final class Broken extends RuntimeException {
        private final Exception why;

        Broken(Exception why) {
            super(why);
            this.why = why;
        }
    }

    Rebuild(Parts parts, Predicate<TenantId> concerned, RecoveryLog log, RecoveryGauge gauge) {
        this.parts = parts;
        this.concerned = concerned;
        this.log = log;
        this.gauge = gauge;
        this.away = new AwayVolumes(parts.stores().main());
    }

    void run() throws InterruptedException {
        for (MountedVolume volume : parts.volumes().all()) {
            gauge.begin("volume " + volume.name());
            try {
                walk(volume);
            } catch (VolumeException e) {
                parts.volumes().failed(volume, e);
                away.add(volume);
                log.unknown("volume " + volume.name() + " could not be looked through: " + e.getMessage()
                        + "; files on it that the books do not know are not rebuilt, and are orphans when it is back:"
                        + " import them then; until that is done they are not deleted");
            }
        }
    }

    private void walk(MountedVolume volume) throws VolumeException, InterruptedException {
        List<Stored> batch = new ArrayList<>();
        try {
            volume.backend().walk(blob -> {
                look();
                if (concerned.test(blob.path().tenant())) {
                    batch.add(blob);
                }
                if (batch.size() == BATCH) {
                    settle(volume, batch);
                    batch.clear();
                }
            }, _ -> {});
            settle(volume, batch);
        } catch (Broken e) {
            switch (e.why) {
                case VolumeException inside -> throw inside;
                case InterruptedException inside -> throw inside;
                default -> throw e;
            }
        }
    }

    private void look() {
        try {
            gauge.seen();
        } catch (InterruptedException e) {
            throw new Broken(e);
        }
    }

    /** The bytes of one file are being read. */
    private void goOn() {
        try {
            gauge.tell();
        } catch (InterruptedException e) {
            throw new Broken(e);
        }
    }

    private void settle(MountedVolume volume, List<Stored> batch) {
        Map<TenantId, List<Stored>> byTenant = new TreeMap<>();
        batch.forEach(blob -> byTenant.computeIfAbsent(blob.path().tenant(), _ -> new ArrayList<>()).add(blob));
        try {
            for (Map.Entry<TenantId, List<Stored>> each : byTenant.entrySet()) {
                if (parts.tenants().find(each.getKey()).isPresent()
                        || each.getValue().stream().anyMatch(Stored::whole)) {
                    settle(volume, tenant(each.getKey()), each.getValue());
                } else {
                    each.getValue().forEach(blob -> cutShort(volume, blob));
                }
            }
        } catch (VolumeException | InterruptedException e) {
            throw new Broken(e);
        }
    }

    private TenantRow tenant(TenantId id) {
        if (parts.tenants().find(id).isEmpty()) {
            parts.tenants().create(id, TenantLimits.NONE);
            log.unknown("tenant " + id + " has files and was not known: it was created, without limits");
        }
        return parts.tenants().require(id);
    }

    private void settle(MountedVolume volume, TenantRow tenant, List<Stored> blobs)
            throws VolumeException, InterruptedException {
        // In this order: what is written meanwhile is live until its row is there.
        List<Stored> still = blobs.stream().filter(blob -> !parts.live().contains(blob.path().key())).toList();
        Store store = parts.tenants().store(tenant.id());
        Known known = store.read(snapshot -> known(snapshot, tenant, volume, still));
        List<Found> found = new ArrayList<>();
        for (Stored blob : still) {
            FileKey key = blob.path().key();
            FileRow row = known.rows.get(key.number());
            if (row != null && row.key().equals(key) && isAt(row, tenant, volume, blob)) {
                continue;
            }
            if (!blob.whole()) {
                cutShort(volume, blob);
            } else if (row != null && row.key().equals(key)) {
                elsewhere(tenant, row, volume, blob);
            } else if (row != null || key.number() > Queues.HIGHEST_RESERVED) {
                log.unknown(where(volume, blob) + ": its number cannot be its own");
            } else if (known.gone.contains(key)) {
                volume.backend().delete(blob.path());
                log.deleted(tenant.id(), key, "the books know that it is gone");
            } else if (!known.doomed.contains(key.number())) {
                describe(tenant, volume, blob).ifPresent(found::add);
            }
        }
        if (!found.isEmpty()) {
            enter(store, tenant, volume, found);
        }
    }

    private void cutShort(MountedVolume volume, Stored blob) {
        log.unknown(where(volume, blob) + ": it was being written when something came between, and never was a file;"
                + " it goes with the orphans");
    }

    private static String where(MountedVolume volume, Stored blob) {
        return blob.path() + " on volume " + volume.name();
    }

    private Known known(Snapshot snapshot, TenantRow tenant, MountedVolume volume, List<Stored> blobs) {
        Map<Long, FileRow> rows = new HashMap<>();
        FileRow.find(snapshot, blobs.stream().map(blob -> new FileRow.Which(tenant.number(),
                blob.path().key().number())).toList()).forEach(row -> rows.put(row.key().number(), row));
        List<@Nullable Object[]> days = new ArrayList<>();
        List<@Nullable Object[]> numbers = new ArrayList<>();
        long oldest = snapshot.first("SELECT min(day) FROM file_gone", row -> row.getLong(1)).orElse(0L);
        long newest = snapshot.first("SELECT max(day) FROM file_gone", row -> row.getLong(1)).orElse(-1L);
        for (Stored blob : blobs) {
            long number = blob.path().key().number();
            numbers.add(new Object[]{volume.number(), number});
            for (long day = oldest; day <= newest; day++) {
                days.add(new Object[]{day, tenant.number(), number});
            }
        }
        Set<FileKey> gone = new HashSet<>(snapshot.queryEach("WITH e (day, tenant, id) AS (VALUES $rows)"
                + " SELECT g.id, g.nonce FROM e JOIN file_gone g ON g.day = e.day AND g.tenant = e.tenant"
                + " AND g.id = e.id", row -> new FileKey(row.getLong(1), row.getLong(2)), days));
        Set<Long> doomed = new HashSet<>(snapshot.queryEach("WITH e (volume, id) AS (VALUES $rows)"
                + " SELECT d.id FROM e JOIN file_doomed d ON d.volume = e.volume AND d.id = e.id"
                + " UNION SELECT s.id FROM e JOIN file_stuck s ON s.volume = e.volume AND s.id = e.id",
                row -> row.getLong(1), numbers));
        return new Known(rows, gone, doomed);
    }

    private static boolean isAt(FileRow row, TenantRow tenant, MountedVolume volume, Stored blob) {
        return row.volume() == volume.number() && row.path(tenant.id()).equals(blob.path());
    }

    /** The books say that it is somewhere else. */
    private void elsewhere(TenantRow tenant, FileRow row, MountedVolume volume, Stored blob)
            throws VolumeException, InterruptedException {
        Optional<MountedVolume> other = parts.volumes().find(row.volume());
        Optional<Stored> there;
        try {
            there = other.isEmpty() ? Optional.empty() : other.get().backend().find(row.path(tenant.id()));
        } catch (VolumeException e) {
            log.unknown(where(volume, blob) + ": the books say that it is on volume " + other.get().name()
                    + ", which cannot be looked at: " + e.getMessage());
            return;
        }
        if (there.isPresent() && there.get().size() == row.size()) {
            volume.backend().delete(blob.path());
            log.deleted(tenant.id(), row.key(), "a second copy on volume " + volume.name());
            return;
        }
        parts.tenants().store(tenant.id()).write(Owners.of(tenant.id()), tx -> {
            tx.update("UPDATE file SET volume = ?, depth = ?, extension = ?, trail = trail || ? WHERE tenant = ?"
                    + " AND id = ?", volume.number(), blob.path().depth(), blob.path().extension(),
                    Trail.line(tx.now(), "found", "on volume " + volume.name() + ", after a recovery"),
                    tenant.number(), row.key().number());
            tx.update("DELETE FROM file_redo WHERE id = ?", row.key().number());
            tx.add(VolumeBook.files(row.volume()), -1);
            tx.add(VolumeBook.files(volume.number()), 1);
            return true;
        });
        log.relocated(tenant.id(), row.key(), volume.name());
    }

    /** What it says of itself; without a description, what its path says and its bytes are. */
    private Optional<Found> describe(TenantRow tenant, MountedVolume volume, Stored blob)
            throws VolumeException, InterruptedException {
        Backend backend = volume.backend();
        FileKey key = blob.path().key();
        try {
            Optional<Description> description = backend.description(blob.path())
                    .flatMap(bytes -> Description.decode(bytes, blob.path().extension()));
            if (description.isPresent()) {
                Description known = description.get();
                if (known.size() != blob.size()) {
                    log.unreadable(where(volume, blob) + " has " + blob.size() + " of " + known.size() + " bytes");
                }
                return Optional.of(new Found(row(tenant, volume, blob, known), known.directory(),
                        "from its description on volume " + volume.name()));
            }
            try (Blob open = backend.open(blob.path())) {
                Description made = new Description(blob.size(), Bytes.sum(open, this::goOn), blob.changed(),
                        OptionalLong.empty(), 0,
                        Optional.empty(),
                        LogicalDirectory.ROOT, "", Optional.empty());
                return Optional.of(new Found(row(tenant, volume, blob, made), LogicalDirectory.ROOT,
                        "from its path on volume " + volume.name() + "; its name, directory and labels are not known"));
            }
        } catch (VolumeException e) {
            switch (e.kind()) {
                case MISSING -> {
                    // gone between
                }
                case BROKEN -> log.unreadable(where(volume, blob) + " (file " + key + "): " + e.getMessage());
                default -> throw e;
            }
            return Optional.empty();
        }
    }

    private static FileRow row(TenantRow tenant, MountedVolume volume, Stored blob, Description known) {
        return new FileRow(tenant.number(), blob.path().key(), 0, volume.number(), blob.path().depth(),
                blob.path().extension(), known.name(), known.size(), known.sha(), known.created(), known.modified(),
                known.priority(), true, known.labels(), known.source(), "");
    }

    private void enter(Store store, TenantRow tenant, MountedVolume volume, List<Found> found) {
        long highest = found.stream().mapToLong(file -> file.row.key().number()).max().orElse(1);
        // As far ahead as after a restore: greater numbers may have been given out and be gone.
        parts.queues().reserveUpTo(Owners.of(tenant.id()), Math.min(highest + AHEAD, Queues.HIGHEST_RESERVED));
        List<Found> entered = store.write(Owners.of(tenant.id()), tx -> enter(tx, tenant, volume, found));
        entered.forEach(file -> {
            log.rebuilt(tenant.id(), file.row.key(), file.row.size(), file.how);
            gauge.rebuilt(file.row.size());
        });
    }

    private List<Found> enter(Transaction tx, TenantRow tenant, MountedVolume volume, List<Found> found) {
        tx.requireRoom();
        Set<Long> there = new HashSet<>();
        FileRow.find(tx, found.stream().map(file -> file.row.which()).toList())
                .forEach(row -> there.add(row.key().number()));
        List<Found> entered = new ArrayList<>();
        List<FileRow> rows = new ArrayList<>();
        for (Found file : found) {
            if (!there.add(file.row.key().number())) {
                continue; // written meanwhile, or two volumes have it
            }
            long directory = parts.directories().number(tx, tenant, file.directory);
            parts.gate().enter(tx, tenant, directory, file.directory, file.row.size());
            tx.add(tenant.held(), 1);
            tx.add(VolumeBook.files(volume.number()), 1);
            rows.add(file.row.in(directory).after(Trail.line(tx.now(), "rebuilt", file.how)));
            tx.publish(Owners.of(tenant.id()), "file.rebuilt", file.row.key().toString(),
                    new Body().with("size", file.row.size()).with("volume", volume.name()).toString());
            entered.add(file);
        }
        FileRow.insert(tx, rows);
        return entered;
    }
}

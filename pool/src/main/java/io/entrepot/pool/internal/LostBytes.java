package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.ItemState;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Files that a backup knows and whose bytes are gone. Completing or deleting a file removes its bytes, so by all appearances that
 * is what became of them after the backup: they are taken out of the books, with their history, and do not come back. If the
 * backup has the bytes itself, which it does for what was just being written, they are held, as a new file. For one thread.
 */
final class LostBytes {
    private static final int PAGE = 500;
    private static final String WHY = "its bytes were gone after a restore: completed or deleted after the backup";

    private final Parts parts;
    private final Predicate<TenantId> concerned;
    private final RecoveryLog log;
    private final RecoveryGauge gauge;
    /** Volumes that cannot be looked at. */
    private final Set<Long> blind = new HashSet<>();
    /** Files that were made here. They come later in the same list, and may not have their bytes yet. */
    private final Set<FileKey> held = new HashSet<>();

    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    private record Redo(byte[] description, byte[] content) {}

    LostBytes(Parts parts, Predicate<TenantId> concerned, RecoveryLog log, RecoveryGauge gauge) {
        this.parts = parts;
        this.concerned = concerned;
        this.log = log;
        this.gauge = gauge;
    }

    void run() throws InterruptedException {
        long waiting = 0;
        for (TenantRow tenant : parts.tenants().all().stream().filter(row -> concerned.test(row.id())).toList()) {
            gauge.begin("files of tenant " + tenant.id());
            Store store = parts.tenants().store(tenant.id());
            List<FileRow> rows = store.read(snapshot -> FileRow.page(snapshot, tenant.number(), 0, PAGE));
            while (!rows.isEmpty()) {
                List<FileRow> missing = missing(tenant, rows);
                waiting += rows.stream().filter(row -> !row.held() && !missing.contains(row)).count();
                if (!missing.isEmpty()) {
                    settle(store, tenant, missing);
                }
                long last = rows.getLast().key().number();
                rows = store.read(snapshot -> FileRow.page(snapshot, tenant.number(), last, PAGE));
            }
        }
        if (waiting > 0) {
            log.unknown(waiting + " files are as the backup says. Those of them that were completed and kept, failed or"
                    + " reset after the backup are not known to be: they may be processed again");
        }
    }

    private List<FileRow> missing(TenantRow tenant, List<FileRow> rows) throws InterruptedException {
        List<FileRow> missing = new ArrayList<>();
        for (FileRow row : rows) {
            gauge.seen();
            Optional<MountedVolume> volume = parts.volumes().find(row.volume());
            try {
                if (volume.isEmpty() || volume.get().health() == VolumeHealth.FAILED) {
                    if (blind.add(row.volume())) {
                        log.unknown("volume " + volume.map(MountedVolume::name).orElse("#" + row.volume())
                                + " cannot be looked at: its files are as the backup says, with bytes or without");
                    }
                    continue;
                }
                Backend backend = volume.get().backend();
                if (!held.contains(row.key()) && backend.find(row.path(tenant.id())).isEmpty()) {
                    missing.add(row);
                }
            } catch (VolumeException e) {
                parts.volumes().failed(volume.get(), e);
                log.unreadable("file " + row.key() + " of tenant " + tenant.id() + ": " + e.getMessage());
            }
        }
        return missing;
    }

    private void settle(Store store, TenantRow tenant, List<FileRow> missing) {
        Map<Long, FileKey> keys = new HashMap<>();
        store.read(snapshot -> redo(snapshot, missing)).keySet()
                .forEach(number -> keys.put(number, parts.numbers().next(tenant.id())));
        store.write(Owners.of(tenant.id()), tx -> {
            Map<Long, Redo> redo = redo(tx, missing);
            redo.keySet().retainAll(keys.keySet());
            missing.forEach(row -> parts.queues().remove(tx, Views.item(tenant.id(), row.key()),
                    EnumSet.allOf(ItemState.class), WHY));
            parts.removal().remove(tx, tenant, missing, "file.lost", WHY);
            for (FileRow row : missing) {
                if (keys.containsKey(row.key().number())) {
                    hold(tx, tenant, row, keys.get(row.key().number()), redo.get(row.key().number()));
                }
            }
            return true;
        });
        for (FileRow row : missing) {
            FileKey again = keys.get(row.key().number());
            if (again == null) {
                log.lost(tenant.id(), row.key());
            } else {
                held.add(again);
                log.held(tenant.id(), row.key(), again);
            }
        }
    }

    private static Map<Long, Redo> redo(Snapshot snapshot, List<FileRow> missing) {
        Map<Long, Redo> redo = new HashMap<>();
        snapshot.queryEach("SELECT id, description, content FROM file_redo WHERE id IN (VALUES $rows)",
                row -> redo.put(row.getLong(1), new Redo(row.getBytes(2), row.getBytes(3))),
                missing.stream().map(row -> new @Nullable Object[]{row.key().number()}).toList());
        return redo;
    }

    /** Under a new key: the queue knows the old one as gone. Its bytes are written by the volume's keeper. */
    private void hold(Transaction tx, TenantRow tenant, FileRow row, FileKey key, @Nullable Redo redo) {
        if (redo == null) {
            throw new IllegalStateException("the bytes of " + row.key() + " were in the database a moment ago");
        }
        FileRow again = row.heldAs(key).after(Trail.line(tx.now(), "held", "its bytes were not on the volume after a"
                + " restore; it was " + row.key()));
        LogicalDirectory directory = parts.directories().path(tx, tenant, row.directory());
        parts.gate().enter(tx, tenant, row.directory(), directory, row.size());
        tx.add(tenant.held(), 1);
        tx.add(VolumeBook.files(row.volume()), 1);
        FileRow.insert(tx, List.of(again));
        tx.update("INSERT INTO file_redo (id, volume, path, description, content) VALUES (?, ?, ?, ?, ?)",
                key.number(), row.volume(), again.path(tenant.id()).toString(), redo.description, redo.content);
        tx.publish(Owners.of(tenant.id()), "file.rebuilt", key.toString(), new Body().with("size", row.size())
                .with("was", row.key().toString()).toString());
    }
}

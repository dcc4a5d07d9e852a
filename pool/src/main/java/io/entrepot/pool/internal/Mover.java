package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves files from one volume to others while the pool runs. Some at a time: all are copied and checked, the volumes they went to
 * are synced once, and then their rows name the new places in one transaction, in which the old copies are doomed.
 *
 * <p>A file that somebody is processing stays, as its worker may have been told where it is; it is moved when it is done with.
 * Whoever has it open for reading keeps what is open. A crash in between leaves a copy that no row names: the next try replaces
 * it.
 *
 * <p>INVARIANT: what is at the new place is ours to replace and to drop as long as the row names the old one. Nobody else in this
 * process touches it, as we have the key (see {@link LiveWrites}); no keeper does, as nothing is doomed there; no other process
 * does, as we have the {@link Broom}. And the room at the new place is given back only after the row names it, so that nobody
 * finds that volume empty meanwhile.
 *
 * <p>Another process's keeper may just be at what a file had on a volume before, long after the rows for it went, and would take
 * a new copy there for the old one. So where there are several processes, a file goes back to a volume only when it has been away
 * for twice as long as a keeper believes what it has read. Safe for use by many threads.
 */
final class Mover {
    private static final Logger LOG = LoggerFactory.getLogger(Mover.class);

    private static final Duration AWAY = VolumeKeeper.BELIEVED.multipliedBy(2);

    private final Parts parts;
    private final Source source;

    /** Where the bytes of a file are read. */
    interface Source {
        Blob open(MountedVolume volume, TenantId tenant, FileRow file) throws VolumeException, InterruptedException;
    }

    /**
     * What came of a batch. Files that are in neither are busy, or gone.
     *
     * @param damaged files that cannot be copied, and why
     */
    record Moved(Set<FileKey> files, long bytes, Map<FileKey, String> damaged) {}

    /** @param backend through which it was written: only its sync says whether the bytes are there */
    private record Copy(FileRow file, MountedVolume to, Backend backend) {}

    /** Everything that is taken for a batch. For one thread. */
    private static final class Batch implements AutoCloseable {
        private final TenantRow tenant;
        private final MountedVolume from;
        private final List<Copy> copies = new ArrayList<>();
        private final List<MountedVolume.Room> rooms = new ArrayList<>();
        private final List<LiveWrites.Live> live = new ArrayList<>();
        private final Map<FileKey, String> damaged = new LinkedHashMap<>();

        Batch(TenantRow tenant, MountedVolume from) {
            this.tenant = tenant;
            this.from = from;
        }

        @Override
        public void close() {
            rooms.forEach(MountedVolume.Room::close);
            live.forEach(LiveWrites.Live::close);
        }
    }

    Mover(Parts parts) {
        this(parts, (volume, tenant, file) -> volume.backend().open(file.path(tenant)));
    }

    /** One that reads what it moves from somewhere else than the volume that it moves it from. */
    Mover(Parts parts, Source source) {
        this.parts = parts;
        this.source = source;
    }

    /** @param checkpoint called often; whatever it throws ends the batch, with what is copied by then */
    Moved move(TenantRow tenant, List<FileRow> files, MountedVolume from, Runnable checkpoint)
            throws VolumeException, InterruptedException {
        try (Batch batch = new Batch(tenant, from)) {
            Exception failed = null;
            try {
                copyAll(batch, files, checkpoint);
            } catch (VolumeException | RuntimeException e) {
                failed = e; // those before it were not copied for nothing
            }
            Set<FileKey> moved = batch.copies.isEmpty() ? Set.of() : switchOver(batch);
            rethrow(failed);
            long bytes = batch.copies.stream().filter(copy -> moved.contains(copy.file.key()))
                    .mapToLong(copy -> copy.file.size()).sum();
            return new Moved(moved, bytes, batch.damaged);
        }
    }

    private static void rethrow(@Nullable Exception failed) throws VolumeException {
        if (failed instanceof VolumeException e) {
            throw e;
        }
        if (failed instanceof RuntimeException e) {
            throw e;
        }
    }

    private void copyAll(Batch batch, List<FileRow> files, Runnable checkpoint)
            throws VolumeException, InterruptedException {
        Set<FileKey> busy = parts.tenants().store(batch.tenant.id()).read(snapshot -> held(batch.tenant, files,
                parts.queues().find(snapshot, items(batch.tenant, files))));
        BlobCopy copying = new BlobCopy(parts.config().redoLimit(), checkpoint);
        for (FileRow file : files) {
            checkpoint.run();
            Optional<LiveWrites.Live> mine = busy.contains(file.key())
                    ? Optional.empty()
                    : parts.live().tryEnter(file.key());
            if (mine.isPresent()) {
                batch.live.add(mine.get());
                try {
                    copy(batch, file, copying);
                } catch (BlobCopy.SourceException e) {
                    unreadable(batch, file, e.why());
                }
            }
        }
    }

    /** One bad file does not stop the others; a volume that does not answer does. */
    private void unreadable(Batch batch, FileRow file, VolumeException why)
            throws VolumeException, InterruptedException {
        switch (why.kind()) {
            case MISSING -> {
                if (description(batch, file).isPresent()) {
                    batch.damaged.put(file.key(), "its bytes are gone");
                }
            }
            case BROKEN -> {
                try {
                    batch.from.backend().probe();
                } catch (VolumeException e) {
                    if (e.kind() != VolumeException.Kind.READ_ONLY && e.kind() != VolumeException.Kind.FULL) {
                        parts.volumes().failed(batch.from, e);
                        throw e;
                    }
                }
                batch.damaged.put(file.key(), "it cannot be read: " + why.getMessage());
            }
            default -> {
                parts.volumes().failed(batch.from, why);
                throw why;
            }
        }
    }

    /** On whichever volume takes it. */
    private void copy(Batch batch, FileRow file, BlobCopy copying)
            throws InterruptedException, BlobCopy.SourceException {
        Optional<byte[]> description = description(batch, file);
        if (description.isEmpty()) {
            return;
        }
        List<MountedVolume> lately = leftLately(batch.tenant, file);
        List<MountedVolume> except = new ArrayList<>(lately);
        except.add(batch.from);
        RuntimeException last = null;
        try (Blob blob = open(batch, file)) {
            while (true) {
                MountedVolume.Room room;
                try {
                    room = room(file, except, !lately.isEmpty(), last);
                } catch (PoolException e) {
                    if (lately.isEmpty()) {
                        throw e;
                    }
                    return; // later
                }
                batch.rooms.add(room);
                MountedVolume to = room.volume();
                try {
                    Copy copy = new Copy(file, to, to.backend());
                    if (copied(batch, copy, blob, description.get(), copying)) {
                        room.written(file.size());
                        batch.copies.add(copy);
                    } else {
                        batch.damaged.put(file.key(), "its bytes are not those that were written");
                    }
                    return;
                } catch (VolumeException e) {
                    parts.volumes().failed(to, e);
                    except.add(to);
                    last = Writing.unavailable(to, e);
                }
            }
        }
    }

    /** One that was just mounted may be the directory of one that was just unmounted. */
    private List<MountedVolume> leftLately(TenantRow tenant, FileRow file) {
        if (!parts.stores().main().shared() || file.trail().isEmpty()) {
            return List.of();
        }
        Instant since = Instant.ofEpochMilli(parts.tenants().store(tenant.id()).read(Snapshot::now)).minus(AWAY);
        List<String> moves = Trail.parse(file.trail()).stream()
                .filter(step -> step.what().equals("moved") && step.at().isAfter(since)).map(Trail.Step::note).toList();
        List<MountedVolume> all = parts.volumes().all();
        boolean leftAnUnmounted = moves.stream()
                .anyMatch(move -> all.stream().noneMatch(volume -> move.startsWith(moved(volume))));
        return all.stream().filter(volume -> moves.stream().anyMatch(move -> move.startsWith(moved(volume)))
                || (leftAnUnmounted && volume.mounted().isAfter(since))).toList();
    }

    private static String moved(MountedVolume from) {
        return "from volume " + from.name() + " to ";
    }

    /** @param canWait for a volume that it may soon go back to: that is no reason to add a spare */
    private MountedVolume.Room room(FileRow file, List<MountedVolume> except, boolean canWait,
            @Nullable RuntimeException last) {
        try {
            return canWait
                    ? parts.volumes().chooseInUse(file.size(), except)
                    : parts.volumes().choose(file.size(), except);
        } catch (PoolException e) {
            throw last == null ? e : last;
        }
    }

    private Blob open(Batch batch, FileRow file) throws InterruptedException, BlobCopy.SourceException {
        try {
            return source.open(batch.from, batch.tenant.id(), file);
        } catch (VolumeException e) {
            throw new BlobCopy.SourceException(e);
        }
    }

    /** False if the bytes are not what was written. */
    private boolean copied(Batch batch, Copy copy, Blob blob, byte[] description, BlobCopy copying)
            throws VolumeException, InterruptedException, BlobCopy.SourceException {
        BlobPath path = path(batch.tenant, copy);
        Backend to = copy.backend;
        if (isDoomed(batch.tenant, copy)) {
            parts.keepers().settle(copy.to); // it was there before; its keeper must not take the new copy for the old one
            if (isDoomed(batch.tenant, copy)) {
                throw new VolumeException(VolumeException.Kind.EXISTS, "what file " + copy.file.key()
                        + " had on volume " + copy.to.name() + " before is still to be cleared away", null);
            }
        }
        to.delete(path); // left by a try that was cut short
        return copying.copy(copy.file, blob, to, path, description);
    }

    private boolean isDoomed(TenantRow tenant, Copy copy) {
        return parts.tenants().store(tenant.id()).read(snapshot -> snapshot
                .first("SELECT 1 FROM file_doomed WHERE volume = ? AND id = ?"
                        + " UNION ALL SELECT 1 FROM file_stuck WHERE volume = ? AND id = ?", row -> row.getInt(1),
                        copy.to.number(), copy.file.key().number(), copy.to.number(), copy.file.key().number())
                .isPresent());
    }

    /** What the copy is to carry. Nothing if the file is not there any more. */
    private Optional<byte[]> description(Batch batch, FileRow file) {
        TenantRow tenant = batch.tenant;
        return parts.tenants().store(tenant.id()).read(snapshot -> FileRow.find(snapshot, tenant.number(), file.key())
                .filter(now -> now.volume() == batch.from.number())
                .map(now -> new Description(now.size(), now.sha(), now.created(), now.modified(), now.priority(),
                        now.name(),
                        parts.directories().path(snapshot, tenant, now.directory()), now.labels(), now.source())
                        .encode(now.extension())));
    }

    private static BlobPath path(TenantRow tenant, Copy copy) {
        return new BlobPath(tenant.id(), copy.file.key(), copy.file.extension(), copy.to.depth());
    }

    private static List<ItemId> items(TenantRow tenant, List<FileRow> files) {
        return files.stream().map(file -> Views.item(tenant.id(), file.key())).toList();
    }

    private static Set<FileKey> held(TenantRow tenant, List<FileRow> files, Map<ItemId, ItemView> items) {
        Set<FileKey> held = new HashSet<>();
        for (FileRow file : files) {
            ItemView item = items.get(Views.item(tenant.id(), file.key()));
            if (item != null && item.state() == ItemState.HELD) {
                held.add(file.key());
            }
        }
        return held;
    }

    private Set<FileKey> switchOver(Batch batch) throws InterruptedException {
        syncAll(batch);
        parts.config().platform().faults().reach(PoolFaults.Point.MOVE_COPIED);
        Set<FileKey> moved;
        try {
            moved = parts.tenants().store(batch.tenant.id()).write(Owners.of(batch.tenant.id()),
                    tx -> switchOver(tx, batch));
        } catch (OutcomeUnknownException e) {
            throw e; // the rows may name the copies
        } catch (RuntimeException e) {
            drop(batch, batch.copies);
            throw e;
        }
        parts.config().platform().faults().reach(PoolFaults.Point.MOVED);
        drop(batch, batch.copies.stream().filter(copy -> !moved.contains(copy.file.key())).toList());
        parts.keepers().nudge(batch.from);
        return moved;
    }

    /**
     * By the backends that were written through. A volume that has failed and was opened anew meanwhile may have lost what came
     * before, and its new backend's sync would not tell.
     */
    private void syncAll(Batch batch) throws InterruptedException {
        Map<Backend, MountedVolume> written = new LinkedHashMap<>();
        batch.copies.forEach(copy -> written.put(copy.backend, copy.to));
        for (Map.Entry<Backend, MountedVolume> one : written.entrySet()) {
            MountedVolume to = one.getValue();
            try {
                if (!to.isUsed(one.getKey())) {
                    throw new VolumeException(VolumeException.Kind.BROKEN, "volume " + to.name()
                            + " has failed and was opened anew; what was copied there is copied again", null);
                }
                one.getKey().sync();
            } catch (VolumeException e) {
                if (to.isUsed(one.getKey())) {
                    parts.volumes().failed(to, e);
                }
                drop(batch, batch.copies);
                throw Writing.unavailable(to, e);
            }
        }
    }

    /** If it does not succeed, the next try or the orphan scan will. */
    private void drop(Batch batch, List<Copy> copies) throws InterruptedException {
        for (Copy copy : copies) {
            try {
                copy.to.backend().delete(path(batch.tenant, copy));
            } catch (VolumeException e) {
                LOG.warn("a copy of file {} that nobody needs stays on volume {}: {}", copy.file.key(),
                        copy.to.name(), e.getMessage());
            }
        }
    }

    /** Those that are still there, where they were, and in nobody's hands. */
    private Set<FileKey> switchOver(Transaction tx, Batch batch) {
        TenantRow tenant = batch.tenant;
        MountedVolume from = batch.from;
        List<FileRow> files = batch.copies.stream().map(Copy::file).toList();
        Map<Long, FileRow> now = new HashMap<>();
        FileRow.find(tx, files.stream().map(FileRow::which).toList()).forEach(row -> now.put(row.key().number(), row));
        Set<FileKey> busy = held(tenant, files, parts.queues().find(tx, items(tenant, files)));
        Set<FileKey> moved = new HashSet<>();
        for (Copy copy : batch.copies) {
            FileRow row = now.get(copy.file.key().number());
            if (row == null || row.volume() != from.number() || busy.contains(copy.file.key())
                    || !parts.volumes().isMounted(tx, copy.to.number())) {
                continue;
            }
            long number = row.key().number();
            tx.update("UPDATE file SET volume = ?, depth = ?, trail = trail || ? WHERE tenant = ? AND id = ?",
                    copy.to.number(), copy.to.depth(),
                    Trail.line(tx.now(), "moved", moved(from) + copy.to.name()),
                    tenant.number(), number);
            tx.update("DELETE FROM file_redo WHERE id = ?", number);
            tx.update("INSERT INTO file_doomed (id, volume, path) VALUES (?, ?, ?)", number,
                    from.number(), row.path(tenant.id()).toString());
            tx.add(VolumeBook.files(from.number()), -1);
            tx.add(VolumeBook.files(copy.to.number()), 1);
            tx.publish(Owners.of(tenant.id()), "file.moved", row.key().toString(),
                    new Body().with("from", from.name()).with("to", copy.to.name()).toString());
            moved.add(row.key());
        }
        return moved;
    }
}

package io.entrepot.pool.internal;

import io.entrepot.lease.Nonces;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.pool.UploadStatus;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * How a file gets in piece by piece: see {@link io.entrepot.pool.Uploads}.
 *
 * <p>Finishing goes in steps that can each be taken up again after a crash: the key and the checksum are written into the row;
 * the bytes get their name; and one transaction makes the file known and ends the upload. If that transaction is refused the
 * bytes keep their name, and are still the upload's. Safe for use by many threads.
 */
public final class Uploading {
    private final Parts parts;
    private final Writing writing;
    private final UploadBook book;
    private final UploadTurns turns;
    private final UploadSpace space;
    private final Nonces nonces;

    public Uploading(Parts parts) {
        this.parts = parts;
        this.writing = new Writing(parts);
        this.nonces = parts.config().platform().store().nonces();
        this.book = new UploadBook(parts.gate(), parts.directories(), parts.now());
        this.turns = new UploadTurns(parts.tenants(), book, nonces);
        this.space = new UploadSpace(parts.volumes(), parts.live());
    }

    public UploadId begin(TenantId id, NewFile file) {
        TenantRow tenant = writing.tenant(id).requireEnabled();
        file.idempotencyKey().ifPresent(IdempotencyKeys::requireValid);
        if (file.size().orElse(0) < 0) {
            throw new InvalidSettingException("a file has no negative size: " + file.size().getAsLong());
        }
        writing.requireRoom(tenant, file);
        try (MountedVolume.Room room = parts.volumes().choose(Math.max(file.size().orElse(0), 1), List.of())) {
            CheckedFile checked = CheckedFile.of(file);
            HexFormat hex = HexFormat.of();
            UploadId upload = new UploadId(hex.toHexDigits(nonces.next()) + hex.toHexDigits(nonces.next()));
            space.keep(store(id).write(Owners.of(id), tx -> {
                TenantRow now = parts.tenants().require(tx, id).requireEnabled();
                parts.volumes().requireMounted(tx, room.volume().number());
                tx.requireRoom();
                return book.begin(tx, now, upload, room.volume().number(), checked);
            }));
            return upload;
        }
    }

    private Store store(TenantId id) {
        return parts.tenants().store(id);
    }

    /** @param whole all of it counts, or nothing */
    public long append(TenantId id, UploadId upload, long offset, InputStream in, boolean whole)
            throws IOException, InterruptedException {
        TenantRow tenant = parts.tenants().require(id).requireEnabled();
        store(id).requireRoom();
        try (UploadTurns.Turn turn = turns.take(tenant, upload)) {
            UploadRow row = turn.row();
            if (row.state() != UploadRow.State.OPEN || row.plan().isPresent() || offset != row.size()) {
                throw new UploadOffsetException(id, upload, row.size(), row.plan().isPresent()
                        ? "it is being finished, or is"
                        : "a piece came for " + offset);
            }
            MountedVolume volume = volume(row);
            space.forget(upload);
            boolean cancelled = false;
            try (MountedVolume.Room room = volume.room(row.reserved() - row.size());
                    UploadBytes bytes = new UploadBytes(id, turn, volume.backend(), ticker())) {
                bytes.append(in, whole, room);
            } catch (InsufficientStorageException e) {
                addSpare(turn.row(), volume);
                throw e;
            } catch (VolumeException e) {
                parts.volumes().failed(volume, e);
                throw Writing.unavailable(volume, e);
            } catch (UploadNotFoundException e) {
                cancelled = true;
                throw e;
            } finally {
                if (!cancelled) {
                    space.keep(turn.row());
                }
            }
            return turn.row().size();
        }
    }

    /** What has come stays where it is, and this upload can only wait; but one that is begun anew is to find room. */
    private void addSpare(UploadRow row, MountedVolume volume) {
        try {
            parts.volumes().choose(row.size() + 1, List.of(volume)).close();
        } catch (PoolException e) {
            // There is none: its caller is told that there is no room.
        }
    }

    private Ticker ticker() {
        return parts.config().platform().store().ticker();
    }

    private MountedVolume volume(UploadRow row) {
        return parts.volumes().find(row.volume())
                .orElseThrow(() -> new StorageVolumeUnavailableException(
                        "the volume with what has come of upload " + row.id() + " is not mounted"));
    }

    public UploadStatus status(TenantId id, UploadId upload) {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        return store(id).read(snapshot -> book.find(snapshot, tenant, upload)
                .map(row -> status(snapshot, tenant, row)))
                .orElseThrow(() -> new UploadNotFoundException(id, upload));
    }

    public List<UploadStatus> list(TenantId id) {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        return store(id).read(snapshot -> book.open(snapshot, tenant).stream()
                .map(row -> status(snapshot, tenant, row)).toList());
    }

    private UploadStatus status(Snapshot snapshot, TenantRow tenant, UploadRow row) {
        return new UploadStatus(tenant.id(), row.id(), row.file(directory(snapshot, tenant, row)), row.size(),
                row.expected(), Instant.ofEpochMilli(row.begun()), Instant.ofEpochMilli(row.expires()),
                row.state() == UploadRow.State.OPEN ? Optional.empty() : Optional.of(stored(tenant, row)));
    }

    private LogicalDirectory directory(Snapshot snapshot, TenantRow tenant, UploadRow row) {
        return parts.directories().path(snapshot, tenant, row.directory());
    }

    private static StoredFile stored(TenantRow tenant, UploadRow row) {
        UploadRow.Plan plan = row.plan().orElseThrow();
        return new StoredFile(tenant.id(), plan.key(), row.size(), plan.sha(), row.state() == UploadRow.State.STORED);
    }

    public StoredFile finish(TenantId id, UploadId upload) throws InterruptedException {
        TenantRow tenant = parts.tenants().require(id).requireEnabled();
        try (UploadTurns.Turn turn = turns.take(tenant, upload)) {
            UploadRow row = turn.row();
            if (row.state() != UploadRow.State.OPEN) {
                return stored(tenant, row);
            }
            if (row.expected().isPresent() && row.expected().getAsLong() != row.size()) {
                throw new UploadOffsetException(id, upload, row.size(), row.size() + " of "
                        + row.expected().getAsLong() + " bytes have come");
            }
            store(id).requireRoom();
            LogicalDirectory directory = store(id).read(snapshot -> directory(snapshot, tenant, row));
            requireQuota(tenant, row, directory);
            MountedVolume volume = volume(row);
            CheckedFile checked = CheckedFile.of(row.file(directory));
            try {
                FileRow file = placed(tenant, turn, volume, checked);
                return commit(tenant, turn, file, checked, volume);
            } catch (VolumeException e) {
                parts.volumes().failed(volume, e);
                throw Writing.unavailable(volume, e);
            }
        }
    }

    private void requireQuota(TenantRow tenant, UploadRow row, LogicalDirectory directory) {
        store(tenant.id()).read(snapshot -> parts.gate().refusal(snapshot, tenant, directory, row.size(),
                new Gate.Promised(1, row.reserved()))).ifPresent(why -> {
                    throw why.get();
                });
    }

    /** With its bytes at their place, durably, by this call or an earlier one. */
    private FileRow placed(TenantRow tenant, UploadTurns.Turn turn, MountedVolume volume, CheckedFile checked)
            throws VolumeException, InterruptedException {
        Backend backend = volume.backend();
        if (turn.row().plan().isPresent()) {
            FileRow file = file(turn, volume, checked);
            if (backend.find(file.path(tenant.id())).isPresent()) {
                backend.sync(); // whoever placed it may not have come so far
                return file;
            }
        }
        try (UploadBytes bytes = new UploadBytes(tenant.id(), turn, backend, ticker())) {
            if (turn.row().plan().isEmpty()) {
                Sha256 sha = bytes.checksum();
                turn.plan(new UploadRow.Plan(parts.numbers().next(tenant.id()), sha,
                        parts.config().platform().store().wall().millis()));
                space.keep(turn.row());
            }
            FileRow file = file(turn, volume, checked);
            bytes.place(file.path(tenant.id()), checked.description(file).encode(file.extension()));
            parts.config().platform().faults().reach(PoolFaults.Point.PLACED);
            return file;
        }
    }

    private static FileRow file(UploadTurns.Turn turn, MountedVolume volume, CheckedFile checked) {
        return turn.row().file(turn.row().plan().orElseThrow(), volume.depth(), checked);
    }

    private StoredFile commit(TenantRow tenant, UploadTurns.Turn turn, FileRow file, CheckedFile checked,
            MountedVolume volume) throws VolumeException, InterruptedException {
        UploadRow row = turn.row();
        WriteOperation.Verdict verdict = store(tenant.id()).write(Owners.of(tenant.id()), parts.write(),
                new WriteOperation.Request(tenant.id(), file, checked.directory(), checked.file().availableAt(),
                        checked.file().idempotencyKey(), Optional.empty(), Optional.empty(), Optional.of(row),
                        Optional.empty()));
        parts.config().platform().faults().reach(PoolFaults.Point.WRITTEN);
        return switch (verdict) {
            case WriteOperation.Verdict.Written() -> {
                space.forget(row.id());
                yield new StoredFile(tenant.id(), file.key(), file.size(), file.sha(), true);
            }
            case WriteOperation.Verdict.Repeated(FileKey earlier) -> {
                volume.backend().delete(file.path(tenant.id()));
                space.forget(row.id());
                yield new StoredFile(tenant.id(), earlier, file.size(), file.sha(), false);
            }
            case WriteOperation.Verdict.Late _,WriteOperation.Verdict.NotPlaced _ ->
                throw new IllegalStateException("an upload has all its time, and its bytes are in their place");
            case WriteOperation.Verdict.Refused(var why) -> {
                RuntimeException refusal = why.get();
                if (refusal instanceof UploadNotFoundException) { // cancelled, or another process has gone on with it
                    space.forget(row.id());
                    parts.keepers().nudge(volume);
                    throw turn.lost();
                }
                throw refusal;
            }
        };
    }

    public boolean cancel(TenantId id, UploadId upload) throws InterruptedException {
        TenantRow tenant = parts.tenants().require(id).requireNotDisabled();
        return remove(tenant, upload, "upload.cancelled", false);
    }

    /** One whose volume is given up, whoever is at it. */
    boolean giveUp(TenantRow tenant, UploadId upload) throws InterruptedException {
        return remove(tenant, upload, "upload.dropped", false);
    }

    /** The row first; a crash after that leaves bytes that nobody has begun any more, which go with other such things. */
    private boolean remove(TenantRow tenant, UploadId upload, String event, boolean onlyExpired)
            throws InterruptedException {
        Optional<UploadRow> removed = store(tenant.id()).write(Owners.of(tenant.id()), tx -> book.remove(tx, tenant,
                upload, event, onlyExpired, volume -> parts.volumes().find(volume).map(MountedVolume::depth)));
        removed.ifPresent(row -> space.forget(upload));
        if (removed.isEmpty() || removed.get().state() != UploadRow.State.OPEN) {
            return false;
        }
        Optional<MountedVolume> volume = parts.volumes().find(removed.get().volume());
        try {
            if (volume.isPresent() && !removed.get().incoming().isEmpty()) {
                volume.get().backend().dropBegun(removed.get().incoming());
            }
        } catch (VolumeException e) {
            parts.volumes().failed(volume.get(), e);
        }
        parts.keepers().nudgeAll();
        return true;
    }

    /** How many would be dropped now. */
    public int expired() {
        int expired = 0;
        for (Store store : EveryStore.of(parts.stores())) {
            expired += (int) store.read(book::expired).stream().filter(old -> old.open() && !turns.isTaken(old.id()))
                    .count();
        }
        return expired;
    }

    /** Drops what nobody has added to for too long, and forgets what was finished long ago. Says how many were dropped. */
    public int expire() throws InterruptedException {
        List<UploadRow> open = new ArrayList<>();
        int dropped = 0;
        for (Store store : EveryStore.of(parts.stores())) {
            for (UploadBook.Expired old : store.read(book::expired)) {
                Optional<TenantRow> tenant = parts.tenants().find(old.tenant());
                if (tenant.isPresent() && !turns.isTaken(old.id())
                        && remove(tenant.get(), old.id(), "upload.expired", true)) {
                    dropped++;
                }
            }
            open.addAll(store.read(book::open));
        }
        space.keepOnly(open.stream().filter(row -> !turns.isTaken(row.id())).toList());
        return dropped;
    }
}

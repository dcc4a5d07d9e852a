package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.InvalidNameException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.Incoming;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.OutcomeUnknownException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a file gets in. In this order: the tenant exists and is enabled; its quotas allow one more file; a volume has room; the
 * names are valid; the bytes are on the volume; and then, in one transaction that decides all of it again, it exists.
 *
 * <p>A small file is placed without a sync and its bytes go into the transaction: see {@link VolumeKeeper}. It is placed while the
 * transaction is on its way, which nobody sees before that has ended: see {@link WriteOperation}; but not where several processes write, as
 * their orphan scans know the order, nor where placing takes long, nor if others may be told that they repeat it. A large one is durable before the transaction. If the transaction is refused or fails, the bytes go; if its outcome is unknown they stay,
 * and the orphan scan decides. Safe for use by many threads.
 */
final class Writing {
    private final TenantBook tenants;
    private final VolumeBook volumes;
    private final Gate gate;
    private final IdempotencyKeys keys;
    private final Numbers numbers;
    private final WriteOperation operation;
    private final LiveWrites live;
    private final Keepers keepers;
    private final InstantSource wall;
    private final PoolFaults faults;
    private final int redoLimit;
    private final ConfigNow config;
    private final Ticker ticker;
    private final boolean alone;

    Writing(Parts parts) {
        tenants = parts.tenants();
        volumes = parts.volumes();
        gate = parts.gate();
        keys = parts.keys();
        numbers = parts.numbers();
        operation = parts.write();
        live = parts.live();
        keepers = parts.keepers();
        wall = parts.config().platform().store().wall();
        faults = parts.config().platform().faults();
        redoLimit = parts.config().redoLimit();
        config = parts.now();
        ticker = parts.config().platform().store().ticker();
        alone = !parts.stores().main().shared();
    }

    /** @param source what is imported: if that was imported already, nothing is stored, and the earlier file is the answer */
    StoredFile write(TenantId id, NewFile file, InputStream in, Optional<ImportSource> source)
            throws IOException, InterruptedException {
        TenantRow tenant = tenant(id).requireEnabled();
        Optional<IdempotencyKeys.Earlier> earlier = earlier(tenant, file);
        if (earlier.isPresent()) {
            return repeated(tenant, file, earlier.get(), in);
        }
        requireRoom(tenant, file);
        try (MountedVolume.Room room = volumes.choose(Math.max(file.size().orElse(0), 1), List.of())) {
            CheckedFile checked = CheckedFile.of(file).from(source);
            byte[] head = in.readNBytes((int) Math.min(redoLimit, file.size().orElse(redoLimit)) + 1);
            return head.length > redoLimit
                    ? writeLarge(tenant, checked, room, head, in, List.of())
                    : writeSmall(tenant, checked, room, head);
        }
    }

    TenantRow tenant(TenantId id) {
        Optional<TenantRow> known = tenants.find(id);
        if (known.isEmpty() && config.get().autoCreateTenants()) {
            try {
                tenants.create(id, TenantLimits.NONE);
            } catch (TenantExistsException e) {
                // Somebody else was quicker.
            }
            known = tenants.find(id);
        }
        return known.orElseThrow(() -> new TenantNotFoundException(id));
    }

    private Optional<IdempotencyKeys.Earlier> earlier(TenantRow tenant, NewFile file) {
        return file.idempotencyKey().flatMap(key -> {
            IdempotencyKeys.requireValid(key);
            return tenants.store(tenant.id()).read(snapshot -> keys.find(snapshot, tenant.number(), key));
        });
    }

    /** The file is there already, if it is the same: so the bytes are read and compared, and go nowhere. */
    private static StoredFile repeated(TenantRow tenant, NewFile file, IdempotencyKeys.Earlier earlier, InputStream in)
            throws IOException {
        MessageDigest digest = Sha256.digest();
        byte[] piece = new byte[64 << 10];
        long size = 0;
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
            digest.update(piece, 0, n);
            size += n;
        }
        if (!earlier.isSame(size, new Sha256(digest.digest()), file.name())) {
            throw new IdempotencyConflictException(tenant.id(), file.idempotencyKey().orElseThrow());
        }
        return new StoredFile(tenant.id(), earlier.key(), size, earlier.sha(), false);
    }

    /** Before anything is done for it. */
    void requireRoom(TenantRow tenant, NewFile file) {
        tenants.store(tenant.id()).requireRoom();
        requireQuota(tenant, file);
    }

    private void requireQuota(TenantRow tenant, NewFile file) {
        LogicalDirectory directory;
        try {
            directory = LogicalDirectory.of(file.directory());
        } catch (InvalidNameException e) {
            return; // its turn comes
        }
        if (gate.isOpen(tenant, directory)) {
            return;
        }
        tenants.store(tenant.id())
                .read(snapshot -> gate.refusal(snapshot, tenant, directory, file.size().orElse(0)))
                .ifPresent(why -> {
                    throw why.get();
                });
    }

    private StoredFile writeSmall(TenantRow tenant, CheckedFile checked, MountedVolume.Room first, byte[] content)
            throws InterruptedException, IOException {
        requireSize(checked.file(), content.length);
        Sha256 sha = new Sha256(Sha256.digest().digest(content));
        List<MountedVolume> tried = new ArrayList<>();
        Optional<StoredFile> stored = Optional.empty();
        if (first.grow(content.length)) {
            stored = writeSmall(tenant, checked, first, content, sha, tried);
        } else {
            tried.add(first.volume());
        }
        while (stored.isEmpty()) {
            try (MountedVolume.Room room = volumes.choose(content.length, tried)) {
                stored = writeSmall(tenant, checked, room, content, sha, tried);
            }
        }
        return stored.get();
    }

    /** Nothing if this volume could not take it, or may have lost it. */
    private Optional<StoredFile> writeSmall(TenantRow tenant, CheckedFile checked, MountedVolume.Room room,
            byte[] content,
            Sha256 sha, List<MountedVolume> tried) throws InterruptedException {
        MountedVolume volume = room.volume();
        try (LiveWrites.Live key = live.enter(numbers.next(tenant.id()))) {
            FileRow file = row(tenant, checked, key.key(), volume, content.length, sha);
            BlobPath path = file.path(tenant.id());
            byte[] description = checked.description(file).encode(file.extension());
            Optional<StoredFile> stored;
            try {
                Backend backend = volume.backend();
                WriteOperation.Redo redo = new WriteOperation.Redo(volume, backend, path, description, content);
                stored = alone && !backend.traits().durable() && !volume.isSlow() && !checked.mayBeRepeated()
                        ? writeMeanwhile(tenant, checked, file, room, redo)
                        : writeAfter(tenant, checked, file, room, redo);
            } catch (VolumeException e) {
                book(volume, e, tried);
                return Optional.empty();
            }
            if (stored.isEmpty()) { // it came too late, or the volume was opened anew and what was placed before may be lost
                room.written(0);
                drop(volume, path);
            }
            keepers.nudge(volume);
            return stored;
        }
    }

    /** First to the volume, then into the database. */
    private Optional<StoredFile> writeAfter(TenantRow tenant, CheckedFile checked, FileRow file,
            MountedVolume.Room room, WriteOperation.Redo redo) throws VolumeException, InterruptedException {
        long begin = ticker.nanos();
        redo.backend().put(redo.path(), ByteBuffer.wrap(redo.content()), redo.description());
        room.volume().slow(ticker.nanos() - begin > Landing.LONGEST_NANOS);
        faults.reach(PoolFaults.Point.PLACED);
        room.written(file.size());
        return commit(tenant, file, checked, room.volume(),
                redo.backend().traits().durable() ? Optional.empty() : Optional.of(redo), Optional.empty());
    }

    /** To the volume and into the database at the same time; it is known when both have it. */
    private Optional<StoredFile> writeMeanwhile(TenantRow tenant, CheckedFile checked, FileRow file,
            MountedVolume.Room room, WriteOperation.Redo redo) throws VolumeException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long begin = ticker.nanos();
        Landing landing = new Landing(() -> redo.backend().putting(redo.path(), ByteBuffer.wrap(redo.content()),
                redo.description(), () -> faults.reach(PoolFaults.Point.PLACED)));
        room.written(file.size());
        Optional<StoredFile> stored = commit(tenant, file, checked, room.volume(), Optional.of(redo),
                Optional.of(landing));
        if (stored.isEmpty()) {
            room.written(0);
            if (landing.wasTakenBack()) {
                room.volume().slow(true); // at once: it may take long until it is known how slow it is
            }
            landing.await();
            room.volume().slow(ticker.nanos() - begin > Landing.LONGEST_NANOS);
        }
        return stored;
    }

    /** A volume that could not take it: another one may. */
    private void book(MountedVolume volume, VolumeException e, List<MountedVolume> tried) {
        volumes.failed(volume, e);
        tried.add(volume);
        if (tried.size() >= volumes.all().size()) {
            throw unavailable(volume, e);
        }
    }

    static RuntimeException unavailable(MountedVolume volume, VolumeException e) {
        String message = "volume " + volume.name() + ": " + e.getMessage();
        return e.kind() == VolumeException.Kind.FULL
                ? new InsufficientStorageException(message, e)
                : new StorageVolumeUnavailableException(message, e);
    }

    /** @param outgrown volumes that it has become too large for */
    private StoredFile writeLarge(TenantRow tenant, CheckedFile checked, MountedVolume.Room room, byte[] head,
            InputStream in, List<MountedVolume> outgrown) throws IOException, InterruptedException {
        MountedVolume volume = room.volume();
        try (Incoming incoming = volume.backend().begin()) {
            MessageDigest digest = Sha256.digest();
            byte[] first = copiedWithin(checked.file(), room, incoming, in, digest) ? new byte[0] : head;
            Pieces pieces = new Pieces(incoming, room, checked.file().size(), digest);
            Sha256 sha = pieces.copy(first, in);
            if (pieces.over().isPresent()) {
                return writeElsewhere(tenant, checked, new Outgrown(volume, incoming, pieces.over().get(), in),
                        outgrown);
            }
            requireSize(checked.file(), incoming.size());
            faults.reach(PoolFaults.Point.BYTES_WRITTEN);
            return place(tenant, checked, volume, incoming, sha, room);
        } catch (VolumeException e) {
            volumes.failed(volume, e);
            throw unavailable(volume, e);
        }
    }

    /** Whether the system was asked to copy it: then the stream has what is left, which is nothing if all went well. */
    private boolean copiedWithin(NewFile file, MountedVolume.Room room, Incoming incoming, InputStream in,
            MessageDigest digest) throws IOException, VolumeException, InterruptedException {
        if (!(in instanceof FileSource source) || !incoming.isFile()) {
            return false;
        }
        long size = Math.min(source.size(), file.size().orElse(Long.MAX_VALUE));
        if (!CopyAhead.isWorthIt(size) || !room.grow(size)) {
            return false;
        }
        new SourceCopy(incoming, source, digest, config.get().patience()).run(size);
        return true;
    }

    /** Whoever does not say how much will come finds out on the way that it is too much for a volume: another one may have room. */
    private StoredFile writeElsewhere(TenantRow tenant, CheckedFile checked, Outgrown file,
            List<MountedVolume> outgrown) throws IOException, InterruptedException {
        List<MountedVolume> except = new ArrayList<>(outgrown);
        except.add(file.volume());
        try (MountedVolume.Room room = volumes.choose(file.size(), except)) {
            return writeLarge(tenant, checked, room, new byte[0], file, except);
        }
    }

    /** Gives what has come its place and makes it known. */
    StoredFile place(TenantRow tenant, CheckedFile checked, MountedVolume volume, Incoming incoming, Sha256 sha,
            MountedVolume.Room room) throws VolumeException, InterruptedException {
        try (LiveWrites.Live key = live.enter(numbers.next(tenant.id()))) {
            FileRow file = row(tenant, checked, key.key(), volume, incoming.size(), sha);
            incoming.place(file.path(tenant.id()), checked.description(file).encode(file.extension()));
            room.written(file.size());
            faults.reach(PoolFaults.Point.PLACED);
            return commit(tenant, file, checked, volume, Optional.empty(), Optional.empty()).orElseThrow();
        }
    }

    /** Nothing if its bytes were on their way and have not come in time, or not at all, or may have been lost. */
    private Optional<StoredFile> commit(TenantRow tenant, FileRow file, CheckedFile checked, MountedVolume volume,
            Optional<WriteOperation.Redo> redo, Optional<Landing> landing) throws InterruptedException {
        WriteOperation.Verdict verdict;
        try {
            verdict = tenants.store(tenant.id()).write(Owners.of(tenant.id()), operation,
                    request(tenant, file, checked, redo, landing));
        } catch (OutcomeUnknownException e) {
            throw e; // the bytes stay: the file may exist
        } catch (RuntimeException e) {
            drop(volume, file.path(tenant.id()), landing);
            throw e;
        }
        if (verdict instanceof WriteOperation.Verdict.NotPlaced
                || (landing.isPresent() && landing.get().wasTakenBack())) {
            return Optional.empty();
        }
        faults.reach(PoolFaults.Point.WRITTEN);
        return Optional.of(switch (verdict) {
            case WriteOperation.Verdict.Written() ->
                new StoredFile(tenant.id(), file.key(), file.size(), file.sha(), true);
            case WriteOperation.Verdict.Repeated(FileKey earlier) -> {
                drop(volume, file.path(tenant.id()), landing);
                yield new StoredFile(tenant.id(), earlier, file.size(), file.sha(), false);
            }
            case WriteOperation.Verdict.Refused(var why) -> {
                drop(volume, file.path(tenant.id()), landing);
                throw why.get();
            }
            case WriteOperation.Verdict.NotPlaced() -> throw new IllegalStateException("not here any more");
            case WriteOperation.Verdict.Late() -> throw new PoolUnavailableException("file " + file.key()
                    + " was not made known in time: this process slept, or its storage; nothing was stored");
        });
    }

    static WriteOperation.Request request(TenantRow tenant, FileRow file, CheckedFile checked,
            Optional<WriteOperation.Redo> redo, Optional<Landing> landing) {
        return new WriteOperation.Request(tenant.id(), file, checked.directory(), checked.file().availableAt(),
                checked.file().idempotencyKey(), redo, checked.source(), Optional.empty(), landing);
    }

    /** Also if they are still on their way: then they are called back, or awaited first. */
    private void drop(MountedVolume volume, BlobPath path, Optional<Landing> landing) throws InterruptedException {
        if (landing.isPresent()) {
            if (landing.get().giveUp()) {
                return;
            }
            try {
                landing.get().await();
            } catch (VolumeException e) {
                volumes.failed(volume, e);
                return;
            }
        }
        drop(volume, path);
    }

    /** If it does not succeed, the orphan scan will. Who was interrupted before tidies up all the same. */
    void drop(MountedVolume volume, BlobPath path) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        try {
            volume.backend().delete(path);
        } catch (VolumeException e) {
            volumes.failed(volume, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    FileRow row(TenantRow tenant, CheckedFile checked, FileKey key, MountedVolume volume, long size, Sha256 sha) {
        return new FileRow(tenant.number(), key, 0, volume.number(), volume.depth(), checked.extension(),
                checked.name(),
                size, sha, wall.millis(), checked.modified(), checked.file().priority(), false,
                LabelText.of(checked.labels()),
                checked.file().source(), "");
    }

    private static void requireSize(NewFile file, long size) throws IOException {
        if (file.size().isPresent() && file.size().getAsLong() != size) {
            throw new IOException("the file was to have " + file.size().getAsLong() + " bytes, and " + size + " came");
        }
    }
}

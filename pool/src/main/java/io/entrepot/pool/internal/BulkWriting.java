package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.OutcomeUnknownException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Many small files at once, of one tenant, whose sources are still there: they share a call on their volume, one sync and one
 * transaction, and need no redo rows, as nobody waits for a single one of them.
 *
 * <p>Only what goes smoothly is done here. Whatever does not is left out, without a trace, and is for {@link Writing} to do or to
 * refuse, one by one: the record of its source keeps it from being stored twice. Safe for use by many threads.
 */
final class BulkWriting {
    private static final Logger LOG = LoggerFactory.getLogger(BulkWriting.class);

    private final Writing writing;
    private final TenantBook tenants;
    private final VolumeBook volumes;
    private final Numbers numbers;
    private final WriteOperation operation;
    private final LiveWrites live;
    private final PoolFaults faults;

    private record Placed(int at, FileRow row, CheckedFile checked, Backend.NewBlob blob, LiveWrites.Live key,
            MountedVolume.Room room) {}

    BulkWriting(Parts parts, Writing writing) {
        this.writing = writing;
        this.tenants = parts.tenants();
        this.volumes = parts.volumes();
        this.numbers = parts.numbers();
        this.operation = parts.write();
        this.live = parts.live();
        this.faults = parts.config().platform().faults();
    }

    /** For each in its place: the file it became, or the one it had become before; nothing if that is to be found out one by one. */
    List<Optional<StoredFile>> write(TenantId id, List<FileDesk.Imported> sources) throws InterruptedException {
        List<Optional<StoredFile>> stored = new ArrayList<>(sources.size());
        sources.forEach(_ -> stored.add(Optional.empty()));
        List<Placed> all = new ArrayList<>();
        try {
            TenantRow tenant = writing.tenant(id).requireEnabled();
            Map<MountedVolume, List<Placed>> byVolume = new LinkedHashMap<>();
            for (int i = 0; i < sources.size(); i++) {
                prepare(tenant, i, sources.get(i)).ifPresent(one -> {
                    all.add(one);
                    byVolume.computeIfAbsent(one.room.volume(), _ -> new ArrayList<>()).add(one);
                });
            }
            List<Placed> durable = new ArrayList<>();
            for (Map.Entry<MountedVolume, List<Placed>> some : byVolume.entrySet()) {
                durable.addAll(placed(some.getKey(), some.getValue()));
            }
            commit(tenant, durable, stored);
        } catch (RuntimeException e) {
            LOG.debug("{} files of tenant {} are written one by one", sources.size(), id, e);
        } finally {
            all.forEach(one -> {
                one.room.close();
                one.key.close();
            });
        }
        return stored;
    }

    private Optional<Placed> prepare(TenantRow tenant, int at, FileDesk.Imported source) {
        try {
            return Optional.of(prepared(tenant, at, source));
        } catch (PoolException e) {
            return Optional.empty();
        }
    }

    private Placed prepared(TenantRow tenant, int at, FileDesk.Imported source) {
        writing.requireRoom(tenant, source.file());
        CheckedFile checked = CheckedFile.of(source.file()).from(Optional.of(source.source()));
        Sha256 sha = new Sha256(Sha256.digest().digest(source.content()));
        MountedVolume.Room room = volumes.choose(Math.max(source.content().length, 1), List.of());
        try {
            FileKey key = numbers.next(tenant.id());
            FileRow row = writing.row(tenant, checked, key, room.volume(), source.content().length, sha);
            Backend.NewBlob blob = new Backend.NewBlob(row.path(tenant.id()), ByteBuffer.wrap(source.content()),
                    checked.description(row).encode(row.extension()));
            return new Placed(at, row, checked, blob, live.enter(key), room); // nothing fails after the key is taken
        } catch (RuntimeException | Error e) {
            room.close(); // or the volume would be waited for by whoever drains it, for ever
            throw e;
        }
    }

    /** Those that are on the volume, durably. */
    private List<Placed> placed(MountedVolume volume, List<Placed> some) throws InterruptedException {
        List<Placed> there = List.of();
        try {
            Backend backend = volume.backend();
            there = some.subList(0, backend.putAll(some.stream().map(Placed::blob).toList()));
            there.forEach(one -> one.room.written(one.row.size()));
            faults.reach(PoolFaults.Point.PLACED);
            faults.reach(PoolFaults.Point.BEFORE_SYNC);
            backend.sync();
            faults.reach(PoolFaults.Point.AFTER_SYNC);
            return there;
        } catch (VolumeException e) {
            volumes.failed(volume, e);
            drop(there);
            return List.of();
        }
    }

    private void commit(TenantRow tenant, List<Placed> files, List<Optional<StoredFile>> stored)
            throws InterruptedException {
        if (files.isEmpty()) {
            return;
        }
        List<WriteOperation.Request> requests = files.stream().map(one -> Writing.request(tenant, one.row, one.checked,
                Optional.empty(), Optional.empty())).toList();
        List<WriteOperation.Verdict> verdicts;
        try {
            verdicts = tenants.store(tenant.id()).write(Owners.of(tenant.id()), tx -> operation.run(tx, requests));
        } catch (OutcomeUnknownException e) {
            throw e; // the bytes stay: the files may exist
        } catch (RuntimeException e) {
            drop(files);
            throw e;
        }
        faults.reach(PoolFaults.Point.WRITTEN);
        List<Placed> unused = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            Placed one = files.get(i);
            switch (verdicts.get(i)) {
                case WriteOperation.Verdict.Written() ->
                    stored.set(one.at, Optional.of(file(tenant, one, one.row.key(), true)));
                case WriteOperation.Verdict.Repeated(FileKey earlier) -> {
                    unused.add(one);
                    stored.set(one.at, Optional.of(file(tenant, one, earlier, false)));
                }
                case WriteOperation.Verdict.Refused _ -> unused.add(one);
                case WriteOperation.Verdict.Late _,WriteOperation.Verdict.NotPlaced _ -> {
                }
            }
        }
        drop(unused);
    }

    private static StoredFile file(TenantRow tenant, Placed one, FileKey key, boolean created) {
        return new StoredFile(tenant.id(), key, one.row.size(), one.row.sha(), created);
    }

    private void drop(Collection<Placed> files) throws InterruptedException {
        for (Placed one : files) {
            BlobPath path = one.blob.path();
            writing.drop(one.room.volume(), path);
        }
    }
}

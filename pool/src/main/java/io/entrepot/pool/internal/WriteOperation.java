package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.IdempotencyConflictException;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.UploadNotFoundException;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.Queues;
import io.entrepot.store.Cost;
import io.entrepot.store.Meanwhile;
import io.entrepot.store.Operation;
import io.entrepot.store.StoreException;
import io.entrepot.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes files known: row, queue item, quota counters, redo row and event, all in one transaction, for many writers at once.
 * One that may not be is refused, and that is its own affair.
 *
 * <p>INVARIANT: when anybody sees a file that this has made known, its bytes are on their volume. They may still be on their way when this
 * runs: then nobody sees the file before they have arrived, and if they do not, it is taken back ({@link Landing}). What others may be
 * told of in the same commit, because it has a key or a source, has arrived before. If the bytes are not durable yet, they are placed
 * through the backend that was in use when the file was made known: {@link VolumeKeeper} relies on that.
 */
final class WriteOperation implements Operation<WriteOperation.Request, WriteOperation.Verdict> {
    private static final byte[] NO_PAYLOAD = {};
    private static final String NOT_TAKEN = "its volume did not take it; it was written anew, or refused";

    private final TenantBook tenants;
    private final Directories directories;
    private final Gate gate;
    private final IdempotencyKeys keys;
    private final Queues queues;
    private final UploadBook uploads;
    private final VolumeBook volumes;
    private final LiveWrites live;
    private final Removal removal;

    /**
     * A file to be made known.
     *
     * @param content its bytes, if they are not durable yet
     * @param source  what it was imported from: then it is written only if that was not imported before
     * @param upload  what it was written by, if in pieces: that ends in the same transaction
     * @param landing its bytes, if they are on their way to the volume; then it has neither key nor source
     */
    record Request(TenantId tenant, FileRow file, LogicalDirectory directory, Optional<Instant> availableAt,
            Optional<String> idempotencyKey, Optional<Redo> content, Optional<ImportSource> source,
            Optional<UploadRow> upload, Optional<Landing> landing) {

        /** Whether its bytes are not on the volume, nor will be, or may have been lost there. */
        boolean isLost() {
            return (landing.isPresent() && landing.get().hasFailed())
                    || (content.isPresent() && !content.get().isTrusted());
        }
    }

    /**
     * What is needed to write a file again.
     *
     * @param backend through which it is placed
     */
    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    record Redo(MountedVolume volume, Backend backend, BlobPath path, byte[] description, byte[] content) {

        /** If not, the volume was opened anew, and the next sync would not tell that this was lost before. */
        boolean isTrusted() {
            return volume.isUsed(backend);
        }
    }

    /** What came of it. */
    sealed interface Verdict {
        record Written() implements Verdict {}

        record Repeated(FileKey earlier) implements Verdict {}

        record Refused(Supplier<PoolException> why) implements Verdict {}

        /** The bytes are not on the volume, or may have been lost: nothing was done, and the writer finds out. */
        record NotPlaced() implements Verdict {}

        /** Refused, and the bytes may be somebody else's by now: they are not the writer's to remove. */
        record Late() implements Verdict {}
    }

    WriteOperation(TenantBook tenants, Directories directories, Gate gate, IdempotencyKeys keys, Queues queues,
            UploadBook uploads, VolumeBook volumes, LiveWrites live, Removal removal) {
        this.tenants = tenants;
        this.directories = directories;
        this.gate = gate;
        this.keys = keys;
        this.queues = queues;
        this.uploads = uploads;
        this.volumes = volumes;
        this.live = live;
        this.removal = removal;
    }

    @Override
    public Cost cost(Request request) {
        return new Cost(1, request.content.map(redo -> (long) redo.content.length).orElse(0L));
    }

    /** To wake the volume's thread takes longer than the statements of one file: they need not wait for that. */
    @Override
    public void underWay(Request request) {
        request.landing.ifPresent(Landing::begin);
    }

    @Override
    public List<Verdict> run(Transaction tx, List<Request> requests) {
        Entering entering = new Entering(tx);
        entering.enter(requests.stream().filter(request -> !request.isLost()).toList());
        return requests.stream().map(entering::verdict).toList();
    }

    /** A file that was made known before its bytes had arrived. */
    private final class Landed implements Meanwhile {
        private final Landing landing;
        private final TenantRow tenant;
        private final FileRow file;

        Landed(Landing landing, TenantRow tenant, FileRow file) {
            this.landing = landing;
            this.tenant = tenant;
            this.file = file;
        }

        @Override
        public boolean hasEnded() {
            return landing.hasArrived();
        }

        @Override
        public void undo(Transaction tx) {
            landing.takeBack();
            queues.remove(tx, Views.item(tenant.id(), file.key()), EnumSet.allOf(ItemState.class), NOT_TAKEN);
            removal.remove(tx, tenant, List.of(file), "file.deleted", NOT_TAKEN);
        }
    }

    /** One transaction, in which files are entered. */
    private final class Entering {
        private final Transaction tx;
        private final Map<TenantId, TenantRow> known = new HashMap<>();
        private final Map<Long, Boolean> mounted = new HashMap<>();
        private final IdentityHashMap<Request, Verdict> verdicts = new IdentityHashMap<>();

        Entering(Transaction tx) {
            this.tx = tx;
        }

        Verdict verdict(Request request) {
            return verdicts.getOrDefault(request, new Verdict.NotPlaced());
        }

        void enter(List<Request> requests) {
            List<FileRow> files = new ArrayList<>(requests.size());
            List<NewItem> items = new ArrayList<>(requests.size());
            List<@Nullable Object[]> redo = new ArrayList<>(requests.size());
            ImportBook.Imports imports = new ImportBook.Imports(tx, inodes(requests));
            for (Request request : requests) {
                TenantRow tenant;
                try {
                    tenant = known.computeIfAbsent(request.tenant, id -> tenants.require(tx, id)).requireEnabled();
                    if (request.file.tenant() != tenant.number()) { // deleted, and another one of that name created, meanwhile
                        throw new TenantNotFoundException(request.tenant);
                    }
                    mounted.computeIfAbsent(request.file.volume(), number -> {
                        volumes.requireMounted(tx, number);
                        return true;
                    });
                } catch (PoolException e) {
                    verdicts.put(request, new Verdict.Refused(() -> e));
                    continue;
                }
                if (request.upload.isEmpty() && live.isLate(tx, request.file.key())) { // an upload's are named by its row
                    doom(tx, request);
                    verdicts.put(request, new Verdict.Late());
                    continue;
                }
                Verdict verdict = decide(tx, tenant, request, imports);
                request.upload.ifPresent(upload -> end(tx, tenant, upload, verdict));
                verdicts.put(request, verdict);
                if (verdict instanceof Verdict.Written) {
                    FileRow file = WriteOperation.this.enter(tx, tenant, request);
                    files.add(file);
                    items.add(item(tenant, request, file));
                    request.source.ifPresent(source -> imports.add(tenant.number(), source, file));
                    request.landing.ifPresent(landing -> tx.meanwhile(new Landed(landing, tenant, file)));
                    request.content.ifPresent(content -> redo.add(new Object[]{file.key().number(), file.volume(),
                            content.path.toString(), content.description, content.content}));
                }
            }
            if (!files.isEmpty()) {
                queues.put(tx, items);
                FileRow.insert(tx, files);
                tx.updateEach("INSERT INTO file_redo (id, volume, path, description, content) VALUES $rows", redo);
                imports.insert();
            }
        }
    }

    private static List<@Nullable Object[]> inodes(List<Request> requests) {
        List<@Nullable Object[]> inodes = new ArrayList<>();
        requests.forEach(request -> request.source.ifPresent(source -> inodes.add(new Object[]{request.file.tenant(),
                source.watcher(), source.inode()})));
        return inodes;
    }

    private void end(Transaction tx, TenantRow tenant, UploadRow upload, Verdict verdict) {
        UploadRow.Plan plan = upload.plan().orElseThrow();
        switch (verdict) {
            case Verdict.Written() -> uploads.finish(tx, tenant, upload, plan.key(), UploadRow.State.STORED);
            case Verdict.Repeated(FileKey earlier) ->
                uploads.finish(tx, tenant, upload, earlier, UploadRow.State.REPEATED);
            case Verdict.Refused _,Verdict.Late _,Verdict.NotPlaced _ -> {
            }
        }
    }

    /** The bytes go, unless an orphan scan has made a file of them, or another process that goes on with the upload has, or will. */
    private static void doom(Transaction tx, Request request) {
        FileRow file = request.file;
        if (FileRow.find(tx, file.tenant(), file.key()).isEmpty()
                && !UploadBook.isPlanned(tx, file.tenant(), file.key())) {
            tx.update("INSERT INTO file_doomed (id, volume, path) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    file.key().number(), file.volume(), file.path(request.tenant).toString());
        }
    }

    private Verdict decide(Transaction tx, TenantRow tenant, Request request, ImportBook.Imports imports) {
        Optional<FileKey> imported = request.source.flatMap(source -> imports.earlier(tenant.number(), source));
        if (imported.isPresent()) {
            return new Verdict.Repeated(imported.get());
        }
        if (request.upload.isPresent() && !uploads.isOpen(tx, request.upload.get())) {
            doom(tx, request);
            return new Verdict.Refused(() -> new UploadNotFoundException(tenant.id(), request.upload.get().id()));
        }
        if (request.idempotencyKey.isPresent()) {
            String key = request.idempotencyKey.get();
            Optional<IdempotencyKeys.Earlier> earlier = keys.find(tx, tenant.number(), key);
            if (earlier.isPresent()) {
                return earlier.get().isSame(request.file.size(), request.file.sha(), request.file.name())
                        ? new Verdict.Repeated(earlier.get().key())
                        : new Verdict.Refused(() -> new IdempotencyConflictException(tenant.id(), key));
            }
        }
        try {
            tx.requireRoom();
        } catch (StoreException e) { // what was there before was answered
            return new Verdict.Refused(() -> Errors.told(e));
        }
        Gate.Promised promised = request.upload.map(upload -> new Gate.Promised(1, upload.reserved()))
                .orElse(Gate.Promised.NOTHING);
        return gate.refusal(tx, tenant, request.directory, request.file.size(), promised)
                .<Verdict>map(Verdict.Refused::new).orElseGet(Verdict.Written::new);
    }

    private FileRow enter(Transaction tx, TenantRow tenant, Request request) {
        long directory = directories.number(tx, tenant, request.directory);
        gate.enter(tx, tenant, directory, request.directory, request.file.size());
        FileRow file = request.file.in(directory);
        tx.add(VolumeBook.files(file.volume()), 1);
        request.idempotencyKey.ifPresent(key -> keys.add(tx, tenant.number(), key, file));
        tx.publish(Owners.of(tenant.id()), "file.written", file.key().toString(), body(request, file));
        return file;
    }

    private static String body(Request request, FileRow file) {
        Body body = new Body().with("size", file.size()).with("directory", request.directory.path());
        file.name().ifPresent(name -> body.with("name", name));
        file.source().ifPresent(source -> body.with("source", source));
        return body.toString();
    }

    private static NewItem item(TenantRow tenant, Request request, FileRow file) {
        NewItem item = NewItem.of(tenant.queue(), NO_PAYLOAD).withPriority(file.priority())
                .withNumber(file.key().number());
        return request.availableAt.map(item::withAvailableAt).orElse(item);
    }

}

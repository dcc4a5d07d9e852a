package io.entrepot.pool.watch;

import io.entrepot.pool.DirectoryQuotaExceededException;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.PoolObserver;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantDisabledException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantQuotaExceededException;
import io.entrepot.pool.TenantSuspendedException;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.pool.internal.Errors;
import io.entrepot.pool.internal.FileDesk;
import io.entrepot.pool.internal.ImportBook;
import io.entrepot.pool.internal.ImportSource;
import io.entrepot.pool.internal.TenantRow;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import io.entrepot.posix.Errno;
import io.entrepot.posix.MountHangsException;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.scan.Entry;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings sources into the pool, each by itself: reads it, writes it with its record in one transaction, and ends it. What goes
 * wrong is decided on here: it is the file's own fault and counts, or it is not and the file waits, or nothing works and the look
 * is given up. Safe for use by many threads.
 */
final class Imports {
    private final Site site;
    private final Endings endings;
    private final PoolFaults faults;
    private final int headSize;
    /** Tenants that take nothing now. */
    private final Set<TenantId> closed = ConcurrentHashMap.newKeySet();
    /** No volume has room for files of this size. */
    private final AtomicLong tooLarge = new AtomicLong(Long.MAX_VALUE);
    private final FullQuotas full = new FullQuotas();

    /** A file to be imported. */
    record Job(BytePath path, Entry entry, Place.Of place) {}

    Imports(Site site, Endings endings) {
        this.site = site;
        this.endings = endings;
        this.faults = site.config().platform().faults();
        this.headSize = site.config().redoLimit() + 1;
    }

    /** Whether it shares its syncs with others. */
    boolean isSmall(Job job) {
        return job.entry.size() < headSize;
    }

    /** @throws PoolException if nothing can be imported now */
    void bringIn(Job job) throws InterruptedException, IOException {
        if (mayEnter(job)) {
            attempt(job);
        }
    }

    private boolean mayEnter(Job job) {
        if (closed.contains(job.place.tenant())) {
            site.tally().skip(job.path, SkipReason.TENANT_WAITS);
            return false;
        }
        if (job.entry.size() >= tooLarge.get()) {
            site.tally().skip(job.path, SkipReason.STORAGE_WAITS);
            return false;
        }
        if (full.refuses(job)) {
            site.stable().forget(site.absolute(job.path));
            site.tally().skip(job.path, SkipReason.QUOTA_WAITS);
            return false;
        }
        return true;
    }

    /**
     * Many small ones, which share what they have to wait for. Those with which something is the matter have their turn after that,
     * one by one.
     *
     * @throws PoolException if nothing can be imported now
     */
    void bringIn(List<Job> jobs) throws InterruptedException, IOException {
        List<Job> entering = jobs.stream().filter(this::mayEnter).toList();
        Map<BytePath, SourceTree.Head> heads = site.tree().readAll(entering.stream().map(Job::path).toList(), headSize);
        Map<TenantId, List<Job>> byTenant = new LinkedHashMap<>();
        entering.forEach(job -> byTenant.computeIfAbsent(job.place.tenant(), _ -> new ArrayList<>()).add(job));
        for (Map.Entry<TenantId, List<Job>> some : byTenant.entrySet()) {
            bringIn(some.getKey(), some.getValue(), heads);
        }
    }

    private void bringIn(TenantId tenant, List<Job> jobs, Map<BytePath, SourceTree.Head> heads)
            throws InterruptedException, IOException {
        List<Job> read = new ArrayList<>();
        List<FileDesk.Imported> files = new ArrayList<>();
        for (Job job : jobs) {
            SourceTree.Head head = heads.get(job.path);
            if (head != null && isAsSeen(job.entry, head.stat())) {
                read.add(job);
                files.add(new FileDesk.Imported(file(job, head.stat()), head.bytes(), source(job, head.stat())));
            }
        }
        List<Optional<StoredFile>> stored = site.desk().writeAll(tenant, files);
        List<ImportBook.Row> rows = new ArrayList<>();
        Set<BytePath> done = new HashSet<>();
        for (int i = 0; i < read.size(); i++) {
            if (stored.get(i).isPresent()) {
                done.add(read.get(i).path);
                rows.add(row(tenant, files.get(i).source(), stored.get(i).get()));
            }
        }
        recorded(tenant, done, rows);
        for (Job job : jobs) {
            if (!done.contains(job.path)) {
                bringIn(job);
            }
        }
    }

    private void recorded(TenantId tenant, Set<BytePath> paths, List<ImportBook.Row> rows) {
        if (rows.isEmpty()) {
            return;
        }
        faults.reach(PoolFaults.Point.IMPORT_RECORDED);
        paths.forEach(path -> site.stable().forget(site.absolute(path)));
        site.failures().forget(paths);
        if (!site.keeps()) {
            endings.endAll(site.parts().tenants().store(tenant), rows);
        }
    }

    private void attempt(Job job) throws InterruptedException, IOException {
        Optional<ImportBook.Row> stored = tryToStore(job);
        if (stored.isPresent()) {
            recorded(job.place.tenant(), Set.of(job.path), List.of(stored.get()));
        }
    }

    private Optional<ImportBook.Row> tryToStore(Job job) throws InterruptedException, IOException {
        try {
            return Optional.of(store(job));
        } catch (SourceChangedException e) {
            site.stable().forget(site.absolute(job.path));
            site.tally().skip(job.path, SkipReason.CHANGED);
        } catch (MountHangsException | InterruptedIOException e) {
            throw e;
        } catch (PoolUnavailableException | UnknownOutcomeException e) {
            if (!site.isSharded(job.place.tenant()) || e.code().endsWith(".disk-full")) { // all are on that disk
                throw e;
            }
            closed.add(job.place.tenant());
            site.tally().skip(new Place.Nowhere(SkipReason.TENANT_UNREADABLE,
                    job.place.top(job.path.parent().orElse(BytePath.CURRENT))));
        } catch (TenantDisabledException | TenantSuspendedException | TenantNotFoundException e) {
            closed.add(job.place.tenant());
            site.stable().forget(site.absolute(job.path));
            site.tally().skip(job.path, SkipReason.TENANT_WAITS);
        } catch (TenantQuotaExceededException | DirectoryQuotaExceededException e) {
            overQuota(job, e);
        } catch (InsufficientStorageException e) {
            tooLarge.accumulateAndGet(job.entry.size(), Math::min);
            site.tally().skip(job.path, SkipReason.STORAGE_WAITS, String.valueOf(e.getMessage()));
        } catch (StorageVolumeUnavailableException e) {
            tooLarge.set(0);
            site.tally().skip(job.path, SkipReason.STORAGE_WAITS, String.valueOf(e.getMessage()));
        } catch (PosixException e) {
            unreadable(job, e);
        } catch (IOException | RuntimeException e) {
            failed(job, e);
        }
        return Optional.empty();
    }

    /** Later there may be room; but not for a file that is too large for its tenant by itself. */
    private void overQuota(Job job, PoolException e) {
        if (e.advice() == Advice.GIVE_UP) {
            failed(job, e);
            return;
        }
        full.add(job, e);
        site.stable().forget(site.absolute(job.path));
        site.tally().skip(job.path, SkipReason.QUOTA_WAITS, String.valueOf(e.getMessage()));
    }

    private ImportBook.Row store(Job job) throws IOException, InterruptedException {
        TenantId tenant = job.place.tenant();
        try (SourceStream in = new SourceStream(site.tree(), job.path, site.tree().read(job.path, headSize))) {
            Stat stat = in.stat();
            if (!isAsSeen(job.entry, stat)) {
                throw new SourceChangedException(job.path);
            }
            ImportSource source = source(job, stat);
            NewFile file = file(job, stat);
            return row(tenant, source, Errors.toldIo(() -> site.desk().write(tenant, file, in, source)));
        }
    }

    private ImportSource source(Job job, Stat stat) {
        return ImportSource.of(site.rule().number(), job.path.toString(), site.tree().device(), stat, site.keeps());
    }

    private NewFile file(Job job, Stat stat) {
        NewFile file = NewFile.named(NameText.of(job.entry.name())).in(NameText.directory(job.place.inside()))
                .withPriority(site.spec().priority()).withLabels(site.spec().labels()).ofSize(stat.size())
                .from("watch " + site.spec().id() + ": " + job.path);
        boolean isBeyond = stat.mtime() == Long.MAX_VALUE || stat.mtime() == Long.MIN_VALUE;
        return isBeyond ? file : file.withModified(EpochNanos.toInstant(stat.mtime()));
    }

    private ImportBook.Row row(TenantId tenant, ImportSource source, StoredFile stored) {
        if (stored.created()) {
            site.tally().imported();
            tell(PoolObserver.Import.IMPORTED, stored.size());
        }
        return new ImportBook.Row(site.parts().tenants().require(tenant).number(), source, stored.key(),
                source.keep() ? ImportBook.State.KEPT : ImportBook.State.RECORDED);
    }

    private void tell(PoolObserver.Import what, long bytes) {
        site.parts().measures().imports(what, site.spec().id().name(), 1, bytes);
    }

    private static boolean isAsSeen(Entry entry, Stat stat) {
        return entry.inode() == stat.inode() && entry.size() == stat.size() && entry.mtime() == stat.mtime()
                && entry.ctime() == stat.ctime();
    }

    private void unreadable(Job job, PosixException e) {
        site.stable().forget(site.absolute(job.path));
        if (SourceTree.isGone(e)) {
            site.tally().skip(job.path, SkipReason.VANISHED);
        } else if (e.is(Errno.EACCES) || e.is(Errno.EPERM)) {
            site.tally().skip(job.path, SkipReason.UNREADABLE, String.valueOf(e.getMessage()));
        } else if (e.is(Errno.ELOOP) || e.is(Errno.EINVAL) || e.is(Errno.EISDIR)) {
            site.tally().skip(job.path, SkipReason.NOT_A_FILE);
        } else {
            failed(job, e);
        }
    }

    /** The file's own fault, as far as anybody can tell: a name, its bytes. */
    private void failed(Job job, Exception e) {
        TenantId tenant = job.place.tenant();
        RetryPolicy policy = job.place.row().map(TenantRow::tenant).flatMap(it -> it.retry())
                .orElse(site.config().retry());
        String error = e instanceof PoolException || e instanceof IOException
                ? String.valueOf(e.getMessage())
                : e.toString();
        site.stable().forget(site.absolute(job.path));
        if (!site.failures().hasRoomFor(job.path)) {
            site.tally().skip(job.path, SkipReason.UNLISTED, error);
            tell(PoolObserver.Import.FAILED, 0);
            return;
        }
        Failure failure = Errors.told(() -> site.failures().failed(job.path, job.entry, tenant, policy, error));
        tell(failure.isParked() ? PoolObserver.Import.PARKED : PoolObserver.Import.FAILED, 0);
        site.tally().failed(job.path, error + (failure.isParked()
                ? "; it is parked after " + failure.attempts() + " attempts"
                : "; attempt " + failure.attempts()));
    }
}

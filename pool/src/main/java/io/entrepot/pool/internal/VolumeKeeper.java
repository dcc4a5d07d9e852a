package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.volume.Backend;
import io.entrepot.pool.volume.BlobPath;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;
import io.entrepot.store.Transaction;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes durable on one volume what is durable in the database so far, and removes what nobody needs.
 *
 * <p>Small files are placed without a sync; their bytes are in {@code file_redo}, committed together with their rows. Files
 * that are gone are in {@code file_doomed}. Now and then this looks which rows there are, removes the doomed files, syncs
 * the volume once, and then deletes those rows.
 *
 * <p>INVARIANT: a row goes only if it was seen before a sync began that succeeded. A row is seen after its file was
 * placed ({@link WriteOperation}), and a doomed file is removed before the sync begins; so whatever a row stood for is on the disk by then. Nothing is
 * kept in memory, so there is nothing to lose: after a crash the rows say what is to be done again.
 *
 * <p>One thread of its own; {@link #nudge} may be called by any.
 */
final class VolumeKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeKeeper.class);
    private static final int AT_ONCE = 2000;
    /** One who is not nudged looks all the same: another process may have left something. */
    private static final Duration AT_LEAST = Duration.ofSeconds(30);
    /** After that it is read anew what is doomed: another process may have cleared that away, and a file come back: {@link Mover}. */
    static final Duration BELIEVED = Duration.ofMinutes(5);
    /** Who closes waits as long for the first round, if there is one: a pool that is only ever open for moments has no other. */
    private static final Duration FIRST_ROUND = Duration.ofSeconds(5);

    private final Stores stores;
    private final MountedVolume volume;
    private final VolumeBook book;
    private final PoolFaults faults;
    private final LongAdder directories;
    private final Duration pause;
    private final Predicate<String> isProtected;
    private final Predicate<Owner> isLeftOut;
    private final Ticker ticker;
    private final StuckFiles stuck;
    private final Semaphore nudges = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    /**
     * Somebody before has left something, and it is still to be seen to: at once, and also if this one is closed by then. What
     * comes later waits for the pause.
     */
    private volatile boolean inherited;
    /**
     * A sync has failed, or may have. The system may have thrown away what it could not write and believe that it is clean: then
     * files read well and are not on the disk, and a later sync succeeds. So all are written anew first. That a sync has
     * failed is told once, so whoever comes after a crash does not hear of it; only where others use the volume meanwhile, who
     * did hear, an opening trusts what reads well.
     */
    private boolean distrusted;
    /**
     * Where everything that has a row was placed, or placed again, since then. One that could not be opened, or was left out, is
     * not among them, and neither is one that took the place of another: what it has may never have been on the volume.
     */
    private final Set<Store> trusted = new HashSet<>();
    /** Directories that went with their last files, and of which no event says so yet. */
    private long untold;
    /** Through which all that was placed. Another one may have lost what this one had. */
    private @Nullable Backend last;

    @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
    private record Redo(long number, String path, byte[] description, byte[] content) {}

    private record Doomed(long number, String path) {}

    /** @param directories how many were removed as they had become empty, by all keepers */
    VolumeKeeper(Stores stores, VolumeBook book, MountedVolume volume, Duration pause, Predicate<String> isProtected,
            Predicate<Owner> isLeftOut, Ticker ticker, PoolFaults faults, LongAdder directories) {
        this.stores = stores;
        this.book = book;
        this.volume = volume;
        this.pause = pause;
        this.isProtected = isProtected;
        this.isLeftOut = isLeftOut;
        this.ticker = ticker;
        this.faults = faults;
        this.directories = directories;
        this.stuck = new StuckFiles(volume, ticker);
        this.distrusted = !stores.main().shared();
        this.thread = Thread.ofVirtual().name("volume " + volume.name()).unstarted(this::run);
    }

    void start() {
        nudge(); // something may be left from before
        thread.start();
    }

    /** There is something to do. */
    void nudge() {
        if (nudges.availablePermits() == 0) {
            nudges.release();
        }
    }

    /** What a crash has left could not be looked at: it is written anew when the volume is back. */
    synchronized void distrust() {
        distrusted = true;
        trusted.clear();
    }

    /** Comes back when each round has ended that was under way. */
    synchronized void awaitRound() {
        // Rounds have the lock.
    }

    private void run() {
        while (inherited || !closed) {
            try {
                if (!inherited) {
                    nudges.tryAcquire(AT_LEAST.toMillis(), TimeUnit.MILLISECONDS);
                    Thread.sleep(closed ? Duration.ZERO : pause); // what comes meanwhile shares the sync
                }
                nudges.drainPermits();
                settle();
            } catch (InterruptedException e) {
                return;
            } catch (VolumeException e) {
                book.failed(volume, e);
            } catch (StoreException e) {
                LOG.warn("volume {}: {}", volume.name(), e.getMessage());
            } catch (RuntimeException | Error e) { // whatever it was: nobody else does this
                LOG.error("volume {}: a round failed", volume.name(), e);
            } finally {
                inherited = false;
            }
        }
    }

    /** One round over everything that is there now. Says how many rows went. */
    synchronized int settle() throws VolumeException, InterruptedException {
        int settled = 0;
        List<Store> every = everyStore();
        trusted.retainAll(every);
        stuck.retry(every);
        for (Store store : every) {
            try {
                int some;
                do {
                    some = settle(store);
                    settled += some;
                } while (some >= AT_ONCE);
            } catch (StoreException e) {
                leave(store, e);
            }
        }
        return settled;
    }

    /** What a shard has waits until it can be read again; that is no reason to let the others wait. */
    private void leave(Store store, StoreException e) {
        if (store.equals(stores.main())) {
            throw e;
        }
        trusted.remove(store);
        LOG.warn("volume {}: what is left of one tenant waits: {}", volume.name(), e.getMessage());
    }

    private int settle(Store store) throws VolumeException, InterruptedException {
        try {
            return round(store);
        } finally {
            tellOfDirectories(store); // if it has failed, as otherwise they are told by now
        }
    }

    /** If that fails too, the next round tells of them. */
    private void tellOfDirectories(Store store) {
        if (untold > 0) {
            try {
                long removed = untold;
                untold -= store.write(Owner.SYSTEM, tx -> publishDirectories(tx, removed));
            } catch (StoreException e) {
                LOG.warn("volume {}: that {} directories were removed is told later: {}", volume.name(), untold,
                        e.getMessage());
            }
        }
    }

    private long publishDirectories(Transaction tx, long removed) {
        if (removed > 0) {
            tx.publish(Owner.SYSTEM, "volume.directories-removed", volume.name(),
                    new Body().with("directories", removed).with("why", "their last file was removed").toString());
        }
        return removed;
    }

    private int round(Store store) throws VolumeException, InterruptedException {
        long read = ticker.nanos();
        List<Long> redo = store.read(snapshot -> snapshot.query("SELECT id FROM file_redo WHERE volume = ? LIMIT ?",
                row -> row.getLong(1), volume.number(), AT_ONCE));
        List<Doomed> all = store.read(snapshot -> snapshot.query(
                "SELECT id, path FROM file_doomed WHERE volume = ? ORDER BY id LIMIT ?",
                row -> new Doomed(row.getLong(1), row.getString(2)), volume.number(), AT_ONCE));
        if (redo.isEmpty() && all.isEmpty()) {
            return 0;
        }
        Backend backend = volume.backend();
        if (!backend.equals(last)) {
            distrust();
            last = backend;
        }
        if (!trusted.contains(store)) {
            waitForWriters(store);
            redo(backend, store);
        }
        List<Doomed> doomed = remove(backend, store, all, read);
        faults.reach(PoolFaults.Point.BEFORE_SYNC);
        try {
            backend.sync();
        } catch (VolumeException e) {
            distrust();
            throw e;
        }
        faults.reach(PoolFaults.Point.AFTER_SYNC);
        long emptied = untold;
        untold -= store.write(Owner.SYSTEM, tx -> {
            tx.updateEach("DELETE FROM file_redo WHERE id IN (VALUES $rows)", each(redo));
            tx.updateEach("DELETE FROM file_doomed WHERE (volume, id) IN (VALUES $rows)",
                    each(volume.number(), doomed));
            tx.updateEach("DELETE FROM file_stuck WHERE (volume, id) IN (VALUES $rows)",
                    stuck.gone(doomed.stream().map(Doomed::number).toList()));
            return publishDirectories(tx, emptied);
        });
        return redo.size() + all.size();
    }

    /**
     * Whoever has placed a file through the backend before is committed when this has ended, and its row is found; or it comes
     * later, sees in its transaction that there is another one now, and places the file again.
     */
    private static void waitForWriters(Store store) {
        store.write(Owner.SYSTEM, _ -> true);
    }

    /** Says which: not all if it takes too long, and not those that cannot be removed. */
    private List<Doomed> remove(Backend backend, Store store, List<Doomed> doomed, long read)
            throws VolumeException, InterruptedException {
        if (!doomed.isEmpty()) {
            faults.reach(PoolFaults.Point.BEFORE_UNLINK);
        }
        List<Doomed> removed = new ArrayList<>(doomed.size());
        String directory = "";
        Optional<BlobPath> last = Optional.empty();
        for (Doomed one : doomed) {
            if (stores.main().shared() && ticker.nanos() - read > BELIEVED.toNanos()) {
                break;
            }
            BlobPath path = BlobPath.parse(one.path).orElseThrow();
            try {
                backend.delete(path);
            } catch (VolumeException e) {
                if (!StuckFiles.isTheFiles(backend, e)) {
                    throw e;
                }
                stuck.add(store, one.number, path, e);
                continue;
            }
            removed.add(one);
            if (last.isPresent() && !path.directory().equals(directory)) {
                removeAbove(backend, last.get());
            }
            directory = path.directory();
            last = Optional.of(path);
        }
        if (last.isPresent()) {
            removeAbove(backend, last.get());
        }
        return removed;
    }

    private void removeAbove(Backend backend, BlobPath deleted) throws VolumeException, InterruptedException {
        backend.emptyDirectories().removeAbove(deleted, isProtected, _ -> {
            directories.increment();
            untold++;
        });
    }

    /**
     * To begin with: whatever has a redo row is written again, unless it is there and that can be believed. What the row stood for is durable after the
     * next round. Says how many files were written.
     */
    synchronized int redo() throws VolumeException, InterruptedException {
        Backend backend = volume.backend();
        trusted.clear(); // of another backend, and this may end in the middle
        last = backend;
        int written = 0;
        for (Store store : everyStore()) {
            try {
                written += redo(backend, store);
                inherited |= hasSome(store);
            } catch (StoreException e) {
                leave(store, e);
            }
        }
        return written;
    }

    private boolean hasSome(Store store) {
        return store.read(snapshot -> snapshot.first("SELECT 1 FROM file_redo WHERE volume = ? LIMIT 1",
                row -> row.getInt(1), volume.number()).isPresent()
                || snapshot.first("SELECT 1 FROM file_doomed WHERE volume = ? LIMIT 1", row -> row.getInt(1),
                        volume.number()).isPresent());
    }

    private int redo(Backend backend, Store store) throws VolumeException, InterruptedException {
        int written = 0;
        long done = 0;
        List<Redo> rows;
        do {
            long after = done;
            rows = store.read(snapshot -> snapshot.query("SELECT id, path, description, content FROM file_redo"
                    + " WHERE volume = ? AND id > ? ORDER BY id LIMIT 100",
                    row -> new Redo(row.getLong(1), row.getString(2), row.getBytes(3), row.getBytes(4)),
                    volume.number(), after));
            if (!rows.isEmpty()) {
                faults.reach(PoolFaults.Point.REDO);
            }
            for (Redo row : rows) {
                written += redo(backend, row, distrusted) ? 1 : 0;
                done = row.number;
            }
        } while (!rows.isEmpty());
        trusted.add(store);
        return written;
    }

    private static boolean redo(Backend backend, Redo row, boolean always)
            throws VolumeException, InterruptedException {
        BlobPath path = BlobPath.parse(row.path).orElseThrow();
        if (!always && isWhole(backend, path, row.content)) {
            return false;
        }
        backend.replace(path, ByteBuffer.wrap(row.content), row.description);
        return true;
    }

    /** After a power cut a file may have its size and not its bytes. */
    private static boolean isWhole(Backend backend, BlobPath path, byte[] content)
            throws VolumeException, InterruptedException {
        Optional<Backend.Stored> stored = backend.find(path);
        return stored.isPresent() && stored.get().size() == content.length
                && (!backend.traits().described() || backend.description(path).isPresent())
                && Bytes.isSame(backend, path, content);
    }

    private List<Store> everyStore() {
        List<Store> every = new ArrayList<>();
        every.add(stores.main());
        for (Owner owner : stores.sharded()) {
            if (isLeftOut.test(owner)) {
                continue;
            }
            try {
                every.add(stores.store(owner));
            } catch (StoreException e) {
                LOG.warn("volume {}: what is left of tenant {} waits: {}", volume.name(), owner, e.getMessage());
            }
        }
        return every;
    }

    private static List<@Nullable Object[]> each(List<Long> numbers) {
        List<@Nullable Object[]> rows = new ArrayList<>(numbers.size());
        numbers.forEach(number -> rows.add(new Object[]{number}));
        return rows;
    }

    private static List<@Nullable Object[]> each(long volume, List<Doomed> doomed) {
        List<@Nullable Object[]> rows = new ArrayList<>(doomed.size());
        doomed.forEach(one -> rows.add(new Object[]{volume, one.number}));
        return rows;
    }

    /** Does not wait for what is left: it is in the database, and the next one begins with it. */
    @Override
    public void close() {
        closed = true;
        nudge();
        try {
            if (inherited && thread.join(FIRST_ROUND)) {
                return;
            }
            thread.interrupt();
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

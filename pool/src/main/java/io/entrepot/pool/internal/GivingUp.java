package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.InsufficientStorageException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeLoss;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * One run that gives up a volume which is lost for good. Small files whose bytes the database still has go to other volumes, all
 * other files there are taken out of the books, some at a time, and at the end the volume is unmounted. Nothing is remembered
 * between the steps, so that a run that is broken off is gone on with by a new one.
 *
 * <p>A file that a worker has is waited for, as in a {@link Drain}: he may have read it before, and then what he makes of it
 * counts.
 *
 * <p>INVARIANT: nothing is taken out while the volume works. It is tried first, and its health is asked before every step; one
 * that is back keeps what it still has in the books. Bytes are left alone, and nothing is doomed: should the storage come back
 * all the same, they can be made files again. For one thread.
 */
final class GivingUp {
    private static final int AT_ONCE = 200;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration SLICE = Duration.ofMillis(50);

    private final Parts parts;
    private final Uploading uploading;
    private final VolumeAdmin admin;
    private final MountedVolume volume;
    private final JobRun run;
    private final Mover mover;
    private final String why;
    private final Map<TenantId, VolumeLoss.Loss> lost = new TreeMap<>();
    /** What the database has of them is not what was written. */
    private final Set<FileKey> damaged = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private long saved;
    private long dropped;
    private boolean unmounted;

    private record Pending(long tenant, UploadId id) {}

    private record Counted(long tenant, long files, long bytes) {}

    /** What a database knows to be on the volume, by tenants. */
    private record There(Map<Long, Counted> all, Map<Long, Counted> inDatabase, int uploads) {}

    GivingUp(Parts parts, Uploading uploading, VolumeAdmin admin, MountedVolume volume, JobRun run) {
        this.parts = parts;
        this.uploading = uploading;
        this.admin = admin;
        this.volume = volume;
        this.run = run;
        this.mover = new Mover(parts, new RedoBytes(parts.tenants()));
        this.why = "its volume " + volume.name() + " was given up";
    }

    JobResult run() throws InterruptedException {
        parts.volumes().probe();
        try {
            requireFailed();
            if (run.isDryRun()) {
                count();
            } else {
                giveUp();
            }
            return new JobResult(words());
        } finally {
            run.keep(report());
        }
    }

    /** What is found to be wrong with it now is what counts, not what was wrong with it when somebody decided this. */
    private void requireFailed() {
        if (volume.health() != VolumeHealth.FAILED) {
            throw new PoolUnavailableException("volume " + volume.name() + " is " + volume.health() + ", and keeps what"
                    + " it has; " + words());
        }
    }

    /** What would be lost. */
    private void count() {
        for (Realm realm : Realm.all(parts, problems::add)) {
            run.checkpoint();
            There there = realm.store().read(this::there);
            there.all.forEach((number, all) -> realm.tenant(number).ifPresent(tenant -> {
                Counted kept = there.inDatabase.getOrDefault(number, new Counted(number, 0, 0));
                lost(tenant.id(), all.files - kept.files, all.bytes - kept.bytes);
                saved += kept.files;
            }));
            dropped += there.uploads;
        }
    }

    private There there(Snapshot snapshot) {
        return new There(
                counted(snapshot, "SELECT tenant, count(*), sum(size) FROM file WHERE volume = ? GROUP BY tenant"),
                counted(snapshot, "SELECT f.tenant, count(*), sum(f.size) FROM file_redo r JOIN file f"
                        + " ON f.volume = r.volume AND f.id = r.id WHERE r.volume = ? GROUP BY f.tenant"),
                uploads(snapshot).size());
    }

    private Map<Long, Counted> counted(Snapshot snapshot, String sql) {
        return snapshot.query(sql, row -> new Counted(row.getLong(1), row.getLong(2), row.getLong(3)),
                volume.number()).stream().collect(Collectors.toMap(Counted::tenant, counted -> counted));
    }

    private void giveUp() throws InterruptedException {
        if (volume.state() != VolumeState.READ_ONLY) {
            admin.setState(volume.name(), VolumeState.READ_ONLY); // nothing is to come should it be back, nor to be drained
        }
        try (Broom.Hold broom = parts.broom().take()) {
            Duration pause = parts.config().syncEvery();
            while (true) {
                long before = done();
                long left = round(broom);
                if (left == 0 && !problems.isEmpty()) {
                    throw new PoolUnavailableException("volume " + volume.name() + " stays, as it may have files that"
                            + " nobody can see now: " + String.join("; ", problems) + "; " + words());
                }
                if (left == 0 && !volume.isWritten() && isCountedEmpty()) {
                    checkpoint(broom);
                    admin.unmount(volume.name(), false);
                    unmounted = true;
                    return;
                }
                pause = done() > before ? parts.config().syncEvery() : longer(pause);
                pause(broom, pause, left);
            }
        }
    }

    private long done() {
        return saved + lost.values().stream().mapToLong(VolumeLoss.Loss::files).sum();
    }

    /** By the counters; they decide whether it is unmounted, so if they are wrong they are put right. */
    private boolean isCountedEmpty() {
        if (Realm.all(parts, _ -> {}).stream().allMatch(realm -> realm.fileCount(volume) == 0)) {
            return true;
        }
        admin.recount();
        return false;
    }

    /** Says how many files could not be dealt with, as workers have them. */
    private long round(Broom.Hold broom) throws InterruptedException {
        problems.clear();
        long left = 0;
        for (Realm realm : Realm.all(parts, problems::add)) {
            drop(realm, broom);
            save(realm, broom);
            left += forsake(realm, broom);
        }
        return left;
    }

    private List<Pending> uploads(Snapshot snapshot) {
        return snapshot.query("SELECT tenant, id FROM upload WHERE volume = ? AND state = 0",
                row -> new Pending(row.getLong(1), new UploadId(row.getString(2))), volume.number());
    }

    private void drop(Realm realm, Broom.Hold broom) throws InterruptedException {
        for (Pending upload : realm.store().read(this::uploads)) {
            checkpoint(broom);
            Optional<TenantRow> tenant = realm.tenant(upload.tenant);
            if (tenant.isPresent() && uploading.giveUp(tenant.get(), upload.id)) {
                dropped++;
            }
        }
    }

    /** Those first: they are not lost as long as they are in the database. */
    private void save(Realm realm, Broom.Hold broom) throws InterruptedException {
        long after = 0;
        List<FileRow> rows;
        do {
            long from = after;
            rows = realm.store().read(snapshot -> RedoBytes.files(snapshot, volume.number(), from, AT_ONCE));
            for (List<FileRow> batch : byTenant(rows)) {
                Optional<TenantRow> tenant = realm.tenant(batch.getFirst().tenant());
                if (tenant.isPresent()) {
                    save(tenant.get(), batch.stream().filter(file -> !damaged.contains(file.key())).toList(), broom);
                }
            }
            after = rows.isEmpty() ? after : rows.getLast().key().number();
        } while (rows.size() == AT_ONCE);
    }

    private void save(TenantRow tenant, List<FileRow> batch, Broom.Hold broom) throws InterruptedException {
        checkpoint(broom);
        try {
            Mover.Moved moved = mover.move(tenant, batch, volume, () -> checkpoint(broom));
            saved += moved.files().size();
            damaged.addAll(moved.damaged().keySet());
            progress("");
        } catch (VolumeException e) {
            throw Writing.unavailable(volume, e);
        } catch (StorageVolumeUnavailableException | InsufficientStorageException e) {
            throw new PoolUnavailableException("the database still has the bytes of some small files of volume "
                    + volume.name() + ", and there is no room for them: mount another volume, and give this one up"
                    + " again; " + words() + ": " + e.getMessage());
        }
    }

    private long forsake(Realm realm, Broom.Hold broom) throws InterruptedException {
        long left = 0;
        long after = 0;
        List<FileRow> rows;
        do {
            rows = realm.files(volume, after, AT_ONCE);
            for (List<FileRow> batch : byTenant(rows)) {
                checkpoint(broom);
                Optional<TenantRow> tenant = realm.tenant(batch.getFirst().tenant());
                left += batch.size() - (tenant.isPresent() ? forsake(realm, tenant.get(), batch) : 0);
            }
            progress("");
            after = rows.isEmpty() ? after : rows.getLast().key().number();
        } while (rows.size() == AT_ONCE);
        return left;
    }

    private int forsake(Realm realm, TenantRow tenant, List<FileRow> batch) {
        List<FileRow> gone = realm.store().write(Owners.of(tenant.id()), tx -> forsake(tx, tenant, batch));
        if (!gone.isEmpty()) {
            lost(tenant.id(), gone.size(), sum(gone, FileRow::size));
        }
        return gone.size();
    }

    /** Those that are still there, in nobody's hands, and nowhere else. */
    private List<FileRow> forsake(Transaction tx, TenantRow tenant, List<FileRow> batch) {
        List<FileRow> there = FileRow.find(tx, batch.stream().map(FileRow::which).toList()).stream()
                .filter(file -> file.volume() == volume.number()).toList();
        if (there.isEmpty()) {
            return there;
        }
        Set<Long> inDatabase = RedoBytes.known(tx, there);
        Map<ItemId, ItemView> items = parts.queues().find(tx,
                there.stream().map(file -> Views.item(tenant.id(), file.key())).toList());
        List<FileRow> gone = there.stream()
                .filter(file -> !inDatabase.contains(file.key().number()) || damaged.contains(file.key()))
                .filter(file -> {
                    ItemView item = items.get(Views.item(tenant.id(), file.key()));
                    return item == null || item.state() != ItemState.HELD;
                }).map(file -> file.after(Trail.line(tx.now(), Trail.GIVEN_UP, "with volume " + volume.name())))
                .toList();
        gone.forEach(file -> parts.queues().remove(tx, Views.item(tenant.id(), file.key()),
                EnumSet.allOf(ItemState.class), why));
        parts.removal().forsake(tx, tenant, gone, why);
        return gone;
    }

    private static Collection<List<FileRow>> byTenant(List<FileRow> rows) {
        return rows.stream().collect(Collectors.groupingBy(FileRow::tenant, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static long sum(List<FileRow> files, ToLongFunction<FileRow> what) {
        return files.stream().mapToLong(what).sum();
    }

    private void lost(TenantId tenant, long files, long bytes) {
        if (files > 0) {
            lost.merge(tenant, new VolumeLoss.Loss(tenant, files, bytes), (one, more) -> new VolumeLoss.Loss(tenant,
                    one.files() + more.files(), one.bytes() + more.bytes()));
        }
    }

    private VolumeLoss report() {
        return new VolumeLoss(volume.name(), run.isDryRun(), List.copyOf(lost.values()), saved, dropped, unmounted,
                problems);
    }

    private String words() {
        VolumeLoss loss = report();
        String would = run.isDryRun() ? "would be " : "";
        return (run.isDryRun() ? "dry run: " : "") + loss.files() + " files with " + loss.bytes() + " bytes " + would
                + "given up, " + saved + " files of which the database has the bytes " + would
                + "put onto other volumes, " + dropped + " uploads " + would + "dropped"
                + (run.isDryRun() && !problems.isEmpty() ? "; not counted: " + String.join("; ", problems) : "");
    }

    private void checkpoint(Broom.Hold broom) {
        run.checkpoint();
        requireFailed();
        broom.check();
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    private void pause(Broom.Hold broom, Duration pause, long left) throws InterruptedException {
        if (left > 0) {
            progress("waits for " + left + (left == 1 ? " file that is" : " files that are") + " being processed");
        } else if (volume.isWritten()) {
            progress("waits for files that are being written there");
        }
        for (Duration rest = pause; rest.isPositive(); rest = rest.minus(SLICE)) {
            checkpoint(broom);
            Thread.sleep(rest.compareTo(SLICE) < 0 ? rest : SLICE);
        }
    }

    private void progress(String text) {
        long left = 0;
        for (Realm realm : Realm.all(parts, _ -> {})) {
            left += realm.fileCount(volume);
        }
        run.progress(done(), done() + Math.max(0, left), text);
    }
}

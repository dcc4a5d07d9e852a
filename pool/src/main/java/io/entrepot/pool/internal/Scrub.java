package io.entrepot.pool.internal;

import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.Sha256;
import io.entrepot.pool.volume.Blob;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Transaction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads all files and compares them with their checksums. A file that was moved or removed meanwhile is not damaged: the row is
 * looked at again before anything is told. Nothing is changed but the histories of files, which say what was found. One that is
 * cut short, also by a crash, leaves its {@linkplain ScrubPlaces place}. For one thread.
 */
final class Scrub implements Sweep {
    private static final int AT_ONCE = 200;
    private static final int PIECE = 1 << 20;
    private static final int TOLD = 1000;
    private static final Duration SLICE = Duration.ofMillis(50);

    private final Parts parts;
    private final Throttle throttle;
    private final InstantSource wall;
    private final boolean anew;
    private Instant started;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
    private final List<ScrubReport.Damage> damage = new ArrayList<>();
    private long damaged;
    private long files;
    private long bytes;
    private boolean complete;

    /** @param anew whether it begins with the first file, though one that was cut short had come further */
    Scrub(Parts parts, boolean anew) {
        this.parts = parts;
        this.anew = anew;
        this.wall = parts.config().platform().store().wall();
        this.started = wall.instant();
        this.throttle = new Throttle(parts.config().platform().store().ticker(),
                parts.config().cleanup().scrubBytesPerSecond());
    }

    ScrubReport report(Tally tally) {
        return new ScrubReport(started, wall.instant(), files, bytes, damage, damaged, tally.problems(), complete);
    }

    String words() {
        return files + " files with " + bytes + " bytes were read, " + damaged + " are damaged";
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        List<Realm> realms = Realm.all(parts, tally::problem);
        if (anew) {
            ScrubPlaces.clear(realms);
        }
        for (ScrubPlaces.Place place : ScrubPlaces.all(realms, parts.volumes().all())) {
            files += place.files();
            bytes += place.bytes();
            damaged += place.damaged();
            started = place.begun().isBefore(started) ? place.begun() : started;
        }
        ScrubPlaces places = new ScrubPlaces(parts.config().platform().store().ticker(), started);
        long total = 0;
        for (Realm realm : realms) {
            for (MountedVolume volume : parts.volumes().all()) {
                total += realm.fileCount(volume);
            }
        }
        for (Realm realm : realms) {
            for (MountedVolume volume : parts.volumes().all()) {
                long all = total;
                tally.attempt("volume " + volume.name(), () -> scrub(realm, volume, places, all, tally));
            }
        }
        ScrubPlaces.clear(realms); // also if some could not be read: the others are not to wait for them
        complete = tally.problems().isEmpty();
    }

    private void scrub(Realm realm, MountedVolume volume, ScrubPlaces places, long total, Tally tally)
            throws VolumeException, InterruptedException {
        Optional<ScrubPlaces.Place> before = ScrubPlaces.find(realm, volume);
        // What of all that was read is not of this volume.
        long otherFiles = files - before.map(ScrubPlaces.Place::files).orElse(0L);
        long otherBytes = bytes - before.map(ScrubPlaces.Place::bytes).orElse(0L);
        long otherDamaged = damaged - before.map(ScrubPlaces.Place::damaged).orElse(0L);
        AtomicLong after = new AtomicLong(before.map(ScrubPlaces.Place::after).orElse(0L));
        Runnable keep = () -> places.keep(realm, volume, after.get(), files - otherFiles, bytes - otherBytes,
                damaged - otherDamaged);
        try {
            List<FileRow> rows;
            do {
                rows = realm.files(volume, after.get(), AT_ONCE);
                for (FileRow file : rows) {
                    tally.checkpoint();
                    scrub(realm, volume, file, tally);
                    after.set(file.key().number());
                    tally.progress(files, Math.max(total, files), "volume " + volume.name());
                    if (places.isDue()) {
                        keep.run();
                    }
                }
            } while (rows.size() == AT_ONCE);
            after.set(ScrubPlaces.END);
        } finally {
            keep.run();
        }
    }

    private void scrub(Realm realm, MountedVolume volume, FileRow file, Tally tally)
            throws VolumeException, InterruptedException {
        Optional<TenantRow> tenant = realm.tenant(file.tenant());
        if (tenant.isPresent()) {
            Optional<String> why = problem(volume, tenant.get(), file, tally);
            if (why.isPresent()) {
                tell(realm, volume, tenant.get(), file, why.get());
            } else if (Trail.damage(file.trail()).isPresent()) {
                realm.store().write(Owners.of(tenant.get().id()), tx -> now(tx, file)
                        .map(_ -> note(tx, file, Trail.SOUND, "on volume " + volume.name())).orElse(0));
            }
            files++;
        }
    }

    private Optional<String> problem(MountedVolume volume, TenantRow tenant, FileRow file, Tally tally)
            throws VolumeException, InterruptedException {
        MessageDigest digest = Sha256.digest();
        long at = 0;
        try (Blob blob = volume.backend().open(file.path(tenant.id()))) {
            while (blob.read(at, piece.clear()) >= 0) {
                piece.flip();
                at += piece.remaining();
                bytes += piece.remaining();
                pause(throttle.pause(piece.remaining()), tally);
                digest.update(piece);
            }
        } catch (VolumeException e) {
            return switch (e.kind()) {
                case MISSING -> Optional.of("its bytes are gone");
                case BROKEN -> {
                    probe(volume);
                    yield Optional.of("it cannot be read: " + e.getMessage());
                }
                default -> throw e;
            };
        }
        return at != file.size()
                ? Optional.of("it has " + at + " of " + file.size() + " bytes")
                : new Sha256(digest.digest()).equals(file.sha())
                        ? Optional.empty()
                        : Optional.of("its bytes are not those that were written");
    }

    /** One bad file does not stop the others; a volume that has failed does. */
    private static void probe(MountedVolume volume) throws VolumeException, InterruptedException {
        try {
            volume.backend().probe();
        } catch (VolumeException e) {
            if (e.kind() != VolumeException.Kind.READ_ONLY && e.kind() != VolumeException.Kind.FULL) {
                throw e;
            }
        }
    }

    private static void pause(Duration pause, Tally tally) throws InterruptedException {
        for (Duration rest = pause; rest.isPositive(); rest = rest.minus(SLICE)) {
            tally.checkpoint();
            Thread.sleep(rest.compareTo(SLICE) < 0 ? rest : SLICE);
        }
    }

    private void tell(Realm realm, MountedVolume volume, TenantRow tenant, FileRow file, String why) {
        boolean told = realm.store().write(Owners.of(tenant.id()), tx -> {
            Optional<FileRow> now = now(tx, file);
            if (now.isPresent()) {
                String found = Trail.plain("on volume " + volume.name() + ": " + why);
                if (Trail.damage(now.get().trail()).filter(found::equals).isEmpty()) { // it is found every time
                    note(tx, file, Trail.DAMAGED, found);
                }
                tx.publish(Owners.of(tenant.id()), "file.damaged", file.key().toString(),
                        new Body().with("volume", volume.name()).with("why", why).toString());
            }
            return now.isPresent();
        });
        if (told) {
            damaged++;
            if (damage.size() < TOLD) {
                damage.add(new ScrubReport.Damage(tenant.id(), file.key(), volume.name(), why));
            }
        }
    }

    /** It, if it is there and where it was read. */
    private static Optional<FileRow> now(Transaction tx, FileRow file) {
        return FileRow.find(tx, file.tenant(), file.key()).filter(now -> now.volume() == file.volume());
    }

    private static int note(Transaction tx, FileRow file, String what, String note) {
        return tx.update("UPDATE file SET trail = trail || ? WHERE tenant = ? AND id = ?",
                Trail.line(tx.now(), what, note), file.tenant(), file.key().number());
    }
}

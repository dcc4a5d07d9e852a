package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.VolumeState;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.JobRun;
import io.entrepot.pool.volume.VolumeException;
import io.entrepot.store.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One run that empties a volume. It goes through the volume's files by number, again and again, until nothing is left but files
 * that cannot be moved, and nothing can come any more: nobody writes there and no upload is kept there, and what another process
 * has begun to write there is refused from then on. Files that are being processed are passed over, and are found at the next round. Nothing is remembered but which files are damaged, so that a run
 * that is broken off is gone on with by a new one. For one thread.
 */
final class Drain {
    private static final int AT_ONCE = 200;
    private static final long BYTES_AT_ONCE = 64L << 20;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration SLICE = Duration.ofMillis(50);
    private static final int TOLD = 20;

    private final Parts parts;
    private final MountedVolume volume;
    private final JobRun run;
    private final Mover mover;
    private final Map<FileKey, String> damaged = new LinkedHashMap<>();
    /** Those of them that the last round has met: somebody may have deleted the others. */
    private final Set<FileKey> met = new HashSet<>();
    private final List<String> problems = new ArrayList<>();
    private long files;
    private long bytes;

    /** Thrown to leave when an operator wants the volume for something else. */
    private static final class GivenUpException extends RuntimeException {}

    private record Left(long files, long uploads, boolean written) {

        boolean isBusy(int damaged) {
            return files > damaged || uploads > 0 || written;
        }

        /** What is waited for. */
        String words(int damaged) {
            List<String> words = new ArrayList<>();
            if (files > damaged) {
                words.add(number(files - damaged, "file that is", "files that are") + " being processed");
            }
            if (uploads > 0) {
                words.add(number(uploads, "upload that is", "uploads that are") + " under way there");
            }
            if (written && uploads == 0) { // room is kept for uploads, as for those who write
                words.add("files that are being written there");
            }
            return words.isEmpty() ? "" : "waits for " + String.join(", ", words);
        }

        private static String number(long n, String one, String many) {
            return n + " " + (n == 1 ? one : many);
        }
    }

    Drain(Parts parts, MountedVolume volume, JobRun run) {
        this.parts = parts;
        this.volume = volume;
        this.run = run;
        this.mover = new Mover(parts);
    }

    JobResult run() throws InterruptedException {
        try (Broom.Hold broom = parts.broom().take()) {
            settle(); // what a crash has left may be written again yet
            Duration pause = parts.config().syncEvery();
            while (true) {
                long before = files;
                round(broom);
                Left left = left();
                if (!left.isBusy(met.size()) && (left.files > 0 || parts.volumes().close(volume))) {
                    return ended(left);
                }
                pause = files > before ? parts.config().syncEvery() : longer(pause);
                pause(broom, pause, left);
            }
        } catch (GivenUpException e) {
            return new JobResult(
                    "given up after " + moved() + ": volume " + volume.name() + " is not draining any more");
        }
    }

    private void round(Broom.Hold broom) throws InterruptedException {
        problems.clear();
        met.clear();
        for (Realm realm : Realm.all(parts, problems::add)) {
            long after = 0;
            List<FileRow> rows;
            do {
                rows = realm.files(volume, after, AT_ONCE);
                for (List<FileRow> batch : batches(rows)) {
                    checkpoint(broom);
                    Optional<TenantRow> tenant = realm.tenant(batch.getFirst().tenant());
                    if (tenant.isPresent()) {
                        move(tenant.get(), batch, broom);
                    }
                }
                after = rows.isEmpty() ? after : rows.getLast().key().number();
            } while (rows.size() == AT_ONCE);
        }
    }

    /** Of one tenant each, and not too large, so that somebody who wants to stop need not wait. */
    private List<List<FileRow>> batches(List<FileRow> rows) {
        List<List<FileRow>> batches = new ArrayList<>();
        long size = 0;
        for (FileRow row : rows) {
            if (damaged.containsKey(row.key())) {
                met.add(row.key());
                continue;
            }
            if (batches.isEmpty() || batches.getLast().getFirst().tenant() != row.tenant()
                    || size + row.size() > BYTES_AT_ONCE) {
                batches.add(new ArrayList<>());
                size = 0;
            }
            batches.getLast().add(row);
            size += row.size();
        }
        return batches;
    }

    private void move(TenantRow tenant, List<FileRow> batch, Broom.Hold broom) throws InterruptedException {
        Mover.Moved moved;
        try {
            moved = mover.move(tenant, batch, volume, () -> checkpoint(broom));
        } catch (VolumeException e) {
            throw Writing.unavailable(volume, e);
        }
        files += moved.files().size();
        bytes += moved.bytes();
        damaged.putAll(moved.damaged());
        met.addAll(moved.damaged().keySet());
        progress("");
    }

    private Left left() {
        boolean written = volume.isWritten(); // asked first: whoever is through is counted then, and nobody else begins
        long left = 0;
        long uploads = 0;
        for (Realm realm : Realm.all(parts, _ -> {})) {
            left += realm.fileCount(volume);
            uploads += realm.store().read(snapshot -> snapshot.query(
                    "SELECT count(*) FROM upload WHERE volume = ? AND state = 0", row -> row.getLong(1),
                    volume.number())).getFirst();
        }
        return new Left(left, uploads, written);
    }

    private JobResult ended(Left left) throws InterruptedException {
        Optional<String> old = settle();
        damaged.keySet().retainAll(met);
        boolean empty = left.files == 0 && problems.isEmpty();
        List<String> words = new ArrayList<>(problems);
        damaged.entrySet().stream().limit(TOLD).forEach(file -> words.add("file " + file.getKey() + ": "
                + file.getValue()));
        if (damaged.size() > TOLD) {
            words.add("and " + (damaged.size() - TOLD) + " more");
        }
        old.ifPresent(words::add);
        String why = String.join("; ", words);
        parts.stores().main().write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, empty ? "volume.drained" : "volume.drain-incomplete", volume.name(),
                    new Body().with("moved", files).with("left", left.files).with("why", why).toString());
            return true;
        });
        return new JobResult((left.files == 0 ? "" : left.files + " files remain; ") + "moved " + moved()
                + (why.isEmpty() ? "" : ": " + why));
    }

    private String moved() {
        return files + " files with " + bytes + " bytes";
    }

    /** Does now what the volume's keeper would do soon. If it cannot, that is no reason not to take the files away. */
    private Optional<String> settle() throws InterruptedException {
        try {
            parts.keepers().settle(volume);
            return Optional.empty();
        } catch (VolumeException e) {
            return Optional.of("old copies may still be there: " + e.getMessage());
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }

    private void pause(Broom.Hold broom, Duration pause, Left left) throws InterruptedException {
        progress(left.words(met.size()));
        for (Duration rest = pause; rest.isPositive(); rest = rest.minus(SLICE)) {
            checkpoint(broom);
            Thread.sleep(rest.compareTo(SLICE) < 0 ? rest : SLICE);
        }
    }

    private void checkpoint(Broom.Hold broom) {
        run.checkpoint();
        if (volume.state() != VolumeState.DRAINING) {
            throw new GivenUpException();
        }
        broom.check();
    }

    private void progress(String text) {
        long left = 0;
        for (Realm realm : Realm.all(parts, _ -> {})) {
            left += realm.fileCount(volume);
        }
        run.progress(files, files + left, text);
    }
}

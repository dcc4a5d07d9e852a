package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.DiskOptions;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolFaults;
import io.entrepot.pool.StoredFile;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.volume.BlobPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Orphans are looked for again and again, of any age, while files are written, imported, moved and completed, and writers like to
 * wait between placing a file and making it known. What was put there as an orphan is removed, or made a file again, once each;
 * nothing else is taken for one.
 */
final class OrphanRounds {
    private static final Duration OFTEN = Duration.ofMillis(1);
    /** So that a slow machine has not more to scan with every scan. */
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration TERM = Duration.ofMillis(200);
    private static final int SCANS = 15;
    private static final int SCANS_IF_SHORT = 8;
    private static final int PLANTED = 2;
    private static final int MOST_STEPS = 1_000;
    private static final int WRITERS = 3;
    private static final int LONGEST_WAIT_MICROS = 3_000;
    /** Files with this number and those below are written by nobody else. */
    private static final long FAR = 1_000_000;
    private static final Instant NEVER = Instant.parse("2100-01-01T00:00:00Z");

    private final ChaosRun run;
    private final Bug bug;
    private final Random random;
    private final Set<Token> planted = new HashSet<>();

    OrphanRounds(ChaosRun run, Bug bug) {
        this.run = run;
        this.bug = bug;
        this.random = run.random(4);
    }

    private interface Step {
        void make(int number) throws IOException, InterruptedException;
    }

    void run() throws Exception {
        run.progress().say("orphans are looked for while files come and go");
        for (int round = run.shortForm() ? 1 : 20; round > 0; round--) {
            for (OrphanAction action : List.of(OrphanAction.DELETE, OrphanAction.IMPORT)) {
                round(action);
            }
        }
    }

    private void round(OrphanAction action) throws Exception {
        Place place = Place.create();
        Path disk = Files.createTempDirectory(DiskOptions.memory(), "entrepot-orphans");
        try {
            place.lieOn(disk.resolve("first"), disk.resolve("second"));
            History history = new History();
            try (Pool pool = Pool.open(config(place))) {
                pool.tenants().createWithShard(Token.SHARDED, TenantLimits.NONE);
                long found = scans(pool, place, history.recorder("orphans"), action);
                run.check(found == planted.size(), () -> planted.size() + " orphans were there, and " + found
                        + " were found to " + action);
                new Inspection(run, history, "looking for orphans to " + action, false, false).of(pool, place);
            }
            new Inspection(run, history, "looking for orphans to " + action + " and a restart", false, false).of(place);
        } finally {
            planted.clear();
            place.forget();
            Tree.delete(disk);
        }
        run.round();
    }

    private static PoolConfig config(Place place) {
        PoolConfig config = place.config(OFTEN);
        return config.withPlatform(config.platform().withFaults(point -> {
            if (point == PoolFaults.Point.PLACED || point == PoolFaults.Point.MOVE_COPIED) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextInt(LONGEST_WAIT_MICROS) * 1_000L);
            }
        }));
    }

    /** Says how many were removed or imported. */
    private long scans(Pool pool, Place place, Recorder recorder, OrphanAction action) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            PoolWorkload workload = new PoolWorkload("w" + i, pool, recorder, run.random(10 + i), TERM, () -> {},
                    what -> run.check(false, () -> "while orphans were looked for: " + what), bug, Set.of());
            others.add(untilEnough(enough, workload::step));
        }
        Sender sender = new Sender("s", place, recorder, run.random(20));
        others.add(untilEnough(enough, sender::send));
        Caretaker caretaker = new Caretaker(pool, run.random(21), () -> {},
                what -> run.check(false, () -> "while orphans were looked for: " + what));
        others.add(untilEnough(enough, _ -> caretaker.drain()));
        long found = 0;
        try {
            for (int scan = run.shortForm() ? SCANS_IF_SHORT : SCANS; scan > 0; scan--) {
                for (int i = 0; i < PLANTED; i++) {
                    plant(pool, place, recorder, action);
                }
                found += scan(pool, place, action);
            }
        } finally {
            enough.set(true);
            for (Thread other : others) {
                other.join();
            }
        }
        return found;
    }

    private Thread untilEnough(AtomicBoolean enough, Step step) {
        return Thread.ofPlatform().start(() -> {
            try {
                for (int number = 0; !enough.get() && number < MOST_STEPS; number++) {
                    step.make(number);
                    LockSupport.parkNanos(PAUSE.toNanos());
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                run.check(false, () -> "while orphans were looked for: " + e);
            }
        });
    }

    private long scan(Pool pool, Place place, OrphanAction action) throws IOException, InterruptedException {
        if (bug == Bug.SCANS_IGNORE_WRITES) {
            return careless(pool, place);
        }
        CleanupReport report = pool.cleanup().orphans(action, Duration.ZERO, false).await();
        return action == OrphanAction.DELETE
                ? report.counts().orphanedFilesRemoved()
                : report.counts().orphanedFilesImported();
    }

    /** What a scan does that knows of no writers. */
    private static long careless(Pool pool, Place place) throws IOException {
        long found = 0;
        for (Path path : Tree.all(place.volume("v1").toRealPath())) {
            String name = path.getFileName() == null ? "" : path.getFileName().toString();
            if (name.length() >= 32 && FileKey.isValid(name.substring(0, 32))
                    && Token.TENANTS.stream().noneMatch(tenant -> pool.files()
                            .find(tenant, FileKey.parse(name.substring(0, 32))).isPresent())
                    && Files.deleteIfExists(path)) {
                found++;
            }
        }
        return found;
    }

    /** A file that nobody knows, with all that it carries: made by the pool, and put back under another name when it is gone. */
    private void plant(Pool pool, Place place, Recorder recorder, OrphanAction action)
            throws IOException, InterruptedException {
        Token token = new Token("orphan", planted.size(), 100);
        StoredFile stored = pool.files().write(token.tenant(), token.file().availableAt(NEVER), token.content());
        Path copy = place.desk().resolve(token.word());
        Optional<Path> blob = Optional.empty();
        while (blob.isEmpty()) {
            blob = copied(pool.files().get(token.tenant(), stored.key()).path().orElseThrow(), copy);
        }
        pool.files().delete(token.tenant(), stored.key(), "to be an orphan");
        if (action == OrphanAction.IMPORT) {
            long call = recorder.began("planter", new Call.Put(token.word(), Optional.empty()));
            recorder.ended(call, new Answer.Stored("orphan-" + token.word()));
        }
        planted.add(token);
        BlobPath path = new BlobPath(token.tenant(), new FileKey(FAR - planted.size(), random.nextLong()),
                BlobPath.extensionOf(token.name()), 0);
        while (!isPlaced(copy, place.volume("v1").toRealPath(), path)) {
            Thread.onSpinWait();
        }
    }

    /** Not if somebody has removed the directory, as it was empty. */
    private static boolean isPlaced(Path copy, Path volume, BlobPath path) throws IOException {
        try {
            Files.createDirectories(volume.resolve(path.directory()));
            Files.move(copy, volume.resolve(path.toString()), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Nothing if it was moved meanwhile. */
    private static Optional<Path> copied(Path blob, Path copy) throws IOException {
        try {
            return Optional.of(Files.copy(blob, copy, StandardCopyOption.COPY_ATTRIBUTES,
                    StandardCopyOption.REPLACE_EXISTING));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}

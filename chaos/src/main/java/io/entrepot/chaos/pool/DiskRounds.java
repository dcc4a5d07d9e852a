package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.chaos.history.History;
import io.entrepot.lab.DiskOptions;
import io.entrepot.lab.FailingDisk;
import io.entrepot.lab.FullDisk;
import io.entrepot.lab.HookedCalls;
import io.entrepot.lab.LabDisk;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.StorageVolumeUnavailableException;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.posix.Errno;
import io.entrepot.posix.PosixException;
import io.entrepot.store.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Disks that break under a pool that is written to and read, imports, and moves files from and to them: full, read-only, gone and
 * back, failing to read, failing to sync. Every call is answered with a clear error or with the truth; the pool goes on when the disk does; and what was acknowledged is there afterwards,
 * also when nothing but the disk itself is asked. The books are on a disk of their own, which is sound; or that is what is full, and then
 * what is there can still be finished.
 */
final class DiskRounds {
    private static final Duration OFTEN = Duration.ofMillis(1);
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Duration A_MOMENT = Duration.ofMillis(100);
    private static final int SENT = 12;
    private static final int STEPS = 40;
    private static final int MOST_STEPS = 150;
    private static final int ENOUGH_TROUBLES = 4;
    private static final Set<String> UNAVAILABLE = Set.of("pool.volume-unavailable",
            "pool.insufficient-storage");

    private final ChaosRun run;

    DiskRounds(ChaosRun run) {
        this.run = run;
    }

    /** Something that makes a disk fail, or heals it. */
    private interface Change {
        void make() throws IOException, InterruptedException;
    }

    /**
     * @param end     the disk works again, and so does the pool
     * @param restart nothing but what is on the disk is left; the pool is closed meanwhile
     */
    private record Trouble(String name, Change begin, Optional<Change> end, Change restart) {}

    void run() throws Exception {
        Optional<String> obstacle = LabDisk.obstacle();
        if (obstacle.isPresent()) {
            run.note("no broken disks: " + obstacle.get());
            return;
        }
        run.progress().say("disks that are full, read-only, gone, and fail");
        for (int round = run.shortForm() ? 1 : 20; round > 0; round--) {
            for (boolean alone : new boolean[]{true, false}) {
                full(alone);
                fullBooks(alone);
                readOnly(alone);
                gone(alone, round);
                failing(alone, FailingDisk.Failure.DATA);
                failing(alone, FailingDisk.Failure.JOURNAL);
                unreadable(alone);
            }
        }
    }

    private void full(boolean alone) throws Exception {
        try (FullDisk disk = FullDisk.create(64L << 20)) {
            round(disk.root(), alone, new Trouble("a full disk", () -> disk.fill(0), Optional.of(disk::free), () -> {}),
                    config -> config);
        }
    }

    /** @param completely or so that only the headroom is short */
    private void fullBooks(boolean completely) throws Exception {
        Place place = Place.create();
        History history = new History();
        String name = completely ? "a full disk of the books" : "a disk of the books that is short of room";
        try (FullDisk disk = FullDisk.create(64L << 20); LabDisk good = LabDisk.create(DiskOptions.forCuts())) {
            place.lieOn(disk.root(), good.root(), good.root(), good.root());
            try (Pool pool = Pool.open(place.config(OFTEN))) {
                pool.tenants().createWithShard(Token.SHARDED, io.entrepot.pool.TenantLimits.NONE);
                send(place, history, "before");
                work(pool, history, "before", name, Set.of(), STEPS);
                disk.fill(completely ? 0 : Place.HEADROOM / 2);
                awaitRoom(pool, Room.Level.SHORT, name);
                send(place, history, "during");
                look(pool);
                int troubles = work(pool, history, "during", name, Set.of("pool.unavailable.disk-full"), MOST_STEPS);
                run.check(troubles > 0, () -> "nobody was told of " + name);
                finish(pool, history);
                disk.free();
                awaitRoom(pool, Room.Level.ENOUGH, name);
                Place.FOLDERS.forEach(pool.watchers()::retryAll);
                send(place, history, "after");
                work(pool, history, "after", name, Set.of(), STEPS);
                new Inspection(run, history, name, true, true).of(pool, place);
            }
            new Inspection(run, history, name + " and a restart", true, true).of(place);
        } finally {
            place.forget();
        }
        run.round();
    }

    /** Whatever can be handed out is worked on, without a complaint: that is how room is made. */
    private void finish(Pool pool, History history) throws InterruptedException {
        PoolWorkload workload = new PoolWorkload("finishing", pool, history.recorder("finishing"), run.random(11), TERM,
                () -> {}, bad -> run.check(false, () -> "finishing without room: " + bad), Bug.NONE, Set.of());
        for (int i = 0; i < STEPS; i++) {
            workload.work();
        }
    }

    private void awaitRoom(Pool pool, Room.Level level, String name) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (pool.room().orElseThrow().level() != level && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        run.check(pool.room().orElseThrow().level() == level, () -> name + ": the room is " + pool.room());
    }

    private void readOnly(boolean alone) throws Exception {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
            // What was just closed may be closed in a moment only.
            round(disk.root(), alone, new Trouble("a read-only disk", () -> insist(() -> disk.setReadOnly(true)),
                    Optional.of(() -> disk.setReadOnly(false)), () -> {}), config -> config);
        }
    }

    /** Its mount point is empty; then it is there again, as it was or as another device. */
    private void gone(boolean alone, int round) throws Exception {
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
            Path away = disk.root().resolve("away");
            List<String> volumes = alone ? Place.VOLUMES : Place.VOLUMES.subList(1, Place.VOLUMES.size());
            round(disk.root(), alone, new Trouble("a disk that is gone", () -> {
                Files.createDirectory(away);
                for (String volume : volumes) {
                    Files.move(disk.root().resolve(volume), away.resolve(volume));
                    Files.createDirectory(disk.root().resolve(volume));
                }
            }, Optional.of(() -> {
                for (String volume : volumes) {
                    Files.delete(disk.root().resolve(volume));
                    if (round % 2 == 0) {
                        Files.move(away.resolve(volume), disk.root().resolve(volume));
                    } else {
                        Tree.copy(away.resolve(volume), disk.root().resolve(volume));
                    }
                }
            }), () -> {}), config -> config);
        }
    }

    private void failing(boolean alone, FailingDisk.Failure failure) throws Exception {
        try (FailingDisk disk = FailingDisk.create(failure)) {
            boolean heals = failure == FailingDisk.Failure.DATA;
            round(disk.root(), alone, new Trouble("failed syncs of " + failure, disk::startFailing,
                    heals ? Optional.of(disk::stopFailing) : Optional.empty(), () -> {
                        disk.stopFailing();
                        disk.remount();
                    }), config -> config);
        }
    }

    private void unreadable(boolean alone) throws Exception {
        AtomicBoolean failing = new AtomicBoolean();
        HookedCalls calls = new HookedCalls((call, directory) -> {
            if (failing.get() && Set.of("openFile", "create", "sync", "syncFileSystem").contains(call)
                    && directory.toString().matches(".*/(v[12]|in)(/.*)?")) {
                throw new PosixException(call, directory.toString(), Errno.EIO);
            }
            return true;
        });
        try (LabDisk disk = LabDisk.create(DiskOptions.forCuts())) {
            round(disk.root(), alone, new Trouble("I/O errors", () -> failing.set(true),
                    Optional.of(() -> failing.set(false)), () -> {}),
                    config -> config.withPlatform(config.platform().withCalls(calls)));
        }
    }

    private interface Setup {
        PoolConfig of(PoolConfig config);
    }

    /** @param alone whether all volumes are on the bad disk, and not the watched folders; otherwise some, and the folders */
    private void round(Path bad, boolean alone, Trouble trouble, Setup setup) throws Exception {
        Place place = Place.create();
        History history = new History();
        String name = trouble.name + (alone ? "" : " beside a good one");
        try (LabDisk good = LabDisk.create(DiskOptions.forCuts())) {
            place.lieOn(good.root(), alone ? bad : good.root(), bad, alone ? good.root() : bad);
            try (Pool pool = Pool.open(setup.of(place.config(OFTEN)))) {
                pool.tenants().createWithShard(Token.SHARDED, io.entrepot.pool.TenantLimits.NONE);
                send(place, history, "before");
                work(pool, history, "before", name, Set.of(), STEPS);
                trouble.begin.make();
                send(place, history, "during");
                pool.volumes().drain(alone ? "v0" : "v1");
                look(pool);
                pool.volumes().probe();
                int troubles = work(pool, history, "during", name, UNAVAILABLE, alone ? MOST_STEPS : STEPS);
                run.check(troubles > 0 || !alone, () -> "nobody was told of " + name);
                if (!alone) { // from the good one to the bad ones
                    pool.volumes().activate("v1");
                    pool.volumes().drain("v0").await(A_MOMENT);
                    pool.volumes().activate("v0");
                }
                look(pool);
                if (trouble.end.isPresent() && heals(trouble.end.get(), bad)) {
                    awaitHealth(pool, name);
                    work(pool, history, "settling", name, UNAVAILABLE, STEPS);
                    awaitHealth(pool, name);
                    Place.FOLDERS.forEach(pool.watchers()::retryAll);
                    send(place, history, "after");
                    pool.volumes().drain("v2").await(A_MOMENT);
                    pool.volumes().activate("v2");
                    work(pool, history, "after", name, Set.of(), STEPS);
                    new Inspection(run, history, name, true, true).of(pool, place);
                }
            }
            trouble.restart.make();
            new Inspection(run, history, name + " and a restart", true, true).of(place);
        } finally {
            place.forget();
        }
        run.round();
    }

    /** Senders see bad disks too, and say so themselves. */
    private void send(Place place, History history, String when) {
        Sender sender = new Sender(when, place, history.recorder("sender " + when), run.random(when.length()));
        for (int number = 0; number < SENT; number++) {
            try {
                sender.send(number);
            } catch (IOException e) {
                run.check(when.equals("during"), () -> "cannot be sent " + when + " a trouble: " + e);
            }
        }
    }

    /** So that imports meet the trouble. */
    private static void look(Pool pool) throws InterruptedException {
        for (WatcherId folder : Place.FOLDERS) {
            try {
                pool.watchers().scanNow(folder);
                pool.watchers().scanNow(folder);
            } catch (ScanFailedException e) {
                // The folder is on the bad disk.
            }
        }
    }

    private int work(Pool pool, History history, String when, String what, Set<String> expected, int most)
            throws InterruptedException {
        Random random = run.random(when.hashCode());
        PoolWorkload workload = new PoolWorkload(when, pool, history.recorder(when), random, TERM, () -> {},
                bad -> run.check(false, () -> when + " " + what + ": " + bad), Bug.NONE, expected);
        for (int number = 0; number < most && workload.troubles() < ENOUGH_TROUBLES; number++) {
            workload.step(number);
        }
        return workload.troubles();
    }

    /** A file system that has failed to write of itself gives up, and then only a restart helps. */
    private static boolean heals(Change end, Path disk) throws IOException, InterruptedException {
        end.make();
        try {
            Files.deleteIfExists(Files.createFile(disk.resolve("healthy")));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Volumes are tried again and again, as they are by themselves, only more often. A write of the bad time that fails at last
     * is told by a sync when all is well again, so one has to succeed; and each volume hears of it by itself, which may be only when it
     * has something to sync.
     */
    private void awaitHealth(Pool pool, String name) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean healthy;
        do {
            pool.volumes().probe();
            healthy = syncs(pool) && pool.volumes().probe().stream()
                    .allMatch(volume -> volume.health() == VolumeHealth.HEALTHY);
        } while (!healthy && System.nanoTime() < deadline);
        run.check(healthy, () -> "the pool does not go on after " + name + ": " + pool.volumes().list());
    }

    private static boolean syncs(Pool pool) throws InterruptedException {
        try {
            pool.volumes().sync();
            return true;
        } catch (StorageVolumeUnavailableException e) {
            return false;
        }
    }

    private static void insist(Change change) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                change.make();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }
}

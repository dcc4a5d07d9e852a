package io.entrepot.chaos.pool;

import io.entrepot.chaos.ChaosRun;
import io.entrepot.lab.DiskOptions;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileQuery;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.VolumeSpec;
import io.entrepot.pool.watch.WatcherSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Files that are copied slowly into a watched folder, in pieces with pauses that are shorter than a file must have been unchanged:
 * growing, growing with the times of an old file put back after every piece, or of full size from the beginning and then filled.
 * The pool is closed and opened meanwhile. Each is imported once, and whole. A copy that the machine held up for too long between
 * two pieces is not judged.
 */
final class SlowRounds {
    static final Duration AGE = Duration.ofMillis(600);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("1999-12-31T23:59:59Z"));
    private static final int COPIES = 4;
    private static final int PIECES = 10;
    private static final int LONGEST_PAUSE_MILLIS = 120;
    private static final int REOPENINGS = 2;

    private final ChaosRun run;
    private final Duration age;
    private int heldUp;

    /** How a file becomes complete. */
    private enum Way {
        GROWS, GROWS_WITH_OLD_TIMES, IS_FILLED_WITH_OLD_TIMES
    }

    /** @param age what the watcher takes for complete; other than {@link #AGE} it is a bug */
    SlowRounds(ChaosRun run, Duration age) {
        this.run = run;
        this.age = age;
    }

    void run() throws Exception {
        run.progress().say("slow copies into a watched folder");
        for (int round = run.shortForm() ? 1 : 20; round > 0; round--) {
            round(run.random(30L + round));
        }
        if (heldUp > 0) {
            run.note(heldUp + " slow copies were held up by the machine, and not judged");
        }
    }

    private void round(Random random) throws Exception {
        Path directory = Files.createTempDirectory(DiskOptions.memory(), "entrepot-slow");
        try {
            Path folder = Files.createDirectory(directory.resolve("in"));
            WatcherSpec watcher = WatcherSpec.ofTenant("slow", TenantId.DEFAULT, folder)
                    .withPollingInterval(LOOK_EVERY).withMinFileAge(age);
            PoolConfig config = PoolConfig.in(directory.resolve("db")).withTenants(List.of(TenantId.DEFAULT))
                    .withVolume(VolumeSpec.of("v0", directory.resolve("v0")).withHeadroom(0)).withWatcher(watcher);
            List<Copy> copies = new ArrayList<>();
            for (int i = 0; i < REOPENINGS; i++) {
                try (Pool pool = Pool.open(config)) {
                    pool.watchers().scanNow(watcher.id());
                    if (copies.isEmpty()) {
                        copies.addAll(begin(folder, random));
                    }
                    LockSupport.parkNanos(LONGEST_PAUSE_MILLIS * 1_000_000L);
                }
            }
            try (Pool pool = Pool.open(config)) {
                for (Copy copy : copies) {
                    copy.thread.join();
                }
                await(folder);
                for (Copy copy : copies) {
                    judge(pool, copy);
                }
            }
        } finally {
            Tree.delete(directory);
        }
        run.round();
    }

    private static List<Copy> begin(Path folder, Random random) {
        List<Copy> copies = new ArrayList<>();
        for (Way way : Way.values()) {
            for (int i = 0; i < COPIES; i++) {
                copies.add(new Copy(folder.resolve(way + "-" + i), way, new Random(random.nextLong())));
            }
        }
        copies.forEach(copy -> copy.thread.start());
        return copies;
    }

    private static void await(Path folder) throws IOException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (Tree.all(folder).size() > 1 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }

    private void judge(Pool pool, Copy copy) throws IOException, InterruptedException {
        if (copy.longestGap >= AGE.toNanos()) {
            heldUp++;
            return;
        }
        run.check(copy.failure.isEmpty() && !Files.exists(copy.path), () -> "a slow copy was not imported: " + copy);
        List<FileInfo> found = pool.files().list(FileQuery.of(TenantId.DEFAULT).withLimit(FileQuery.MOST)).files()
                .stream().filter(file -> file.name().equals(Optional.of(copy.name()))).toList();
        run.check(found.size() == 1, () -> "a slow copy was imported " + found.size() + " times: " + copy);
        for (FileInfo file : found) {
            try (FileContent content = pool.files().open(file.tenant(), file.key())) {
                byte[] bytes = content.verifiedStream().readAllBytes();
                run.check(Arrays.equals(bytes, copy.content), () -> "a slow copy of " + copy.content.length
                        + " bytes was imported as other " + bytes.length + ": " + copy);
            }
        }
    }

    /** One of them. What it has come to is for whoever has joined its thread. */
    private static final class Copy {
        private final Path path;
        private final Way way;
        private final Random random;
        private final byte[] content;
        private final Thread thread;
        private long last = Long.MAX_VALUE;
        private long longestGap;
        private Optional<IOException> failure = Optional.empty();

        Copy(Path path, Way way, Random random) {
            this.path = path;
            this.way = way;
            this.random = random;
            this.content = new byte[PIECES * (1 + random.nextInt(12_000))];
            random.nextBytes(content);
            this.thread = Thread.ofPlatform().unstarted(this::copy);
        }

        String name() {
            return String.valueOf(path.getFileName());
        }

        private void copy() {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)) {
                if (way == Way.IS_FILLED_WITH_OLD_TIMES) {
                    channel.write(ByteBuffer.allocate(content.length));
                    put(channel, 0);
                }
                for (int piece = 0; piece < PIECES; piece++) {
                    put(channel, piece);
                    LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_MILLIS) * 1_000_000L);
                }
            } catch (IOException e) {
                failure = Optional.of(e);
            }
        }

        private void put(FileChannel channel, int piece) throws IOException {
            long begin = System.nanoTime();
            int size = content.length / PIECES;
            channel.write(ByteBuffer.wrap(content, piece * size, size), (long) piece * size);
            if (way != Way.GROWS) {
                Files.setLastModifiedTime(path, LONG_AGO);
            }
            longestGap = Math.max(longestGap, last == Long.MAX_VALUE ? 0 : System.nanoTime() - last);
            last = begin;
        }

        @Override
        public String toString() {
            return path + ", longest gap " + Duration.ofNanos(longestGap) + failure.map(e -> ", " + e).orElse("");
        }
    }
}

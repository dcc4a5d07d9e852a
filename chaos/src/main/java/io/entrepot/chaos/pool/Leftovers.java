package io.entrepot.chaos.pool;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Operation;
import io.entrepot.pool.CleanupReport;
import io.entrepot.pool.CleanupRun;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.OrphanAction;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What is on the volumes and belongs to no file. The keepers take away what they know to be doomed; after that only writes,
 * imports and moves that were cut short, refused, or found to be repetitions may have left something. That is the business of
 * the pool's cleanup, which is asked to do it here: after it each file is there once, and nothing else.
 */
record Leftovers(Inspection inspection, Place place, Pool pool) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String INCOMING = ".entrepot/incoming";
    /** Users, and keepers that write again, of a process or two. */
    private static final int MOST_UNDER_WAY = 16;

    int settle(List<FileInfo> files) throws IOException, InterruptedException {
        Set<Path> owned = new HashSet<>();
        for (FileInfo file : files) {
            owned.add(file.path().orElseThrow());
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<Path> orphans = orphans(owned);
        Set<ByteBuffer> excused = orphans.isEmpty() ? Set.of() : excused();
        List<Path> unexplained = unexplained(orphans, excused);
        while (!unexplained.isEmpty() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
            orphans = orphans(owned);
            unexplained = unexplained(orphans, excused);
        }
        inspection.check(unexplained.isEmpty(), "bytes that belong to no file stay: " + unexplained);
        int begun = begun();
        inspection.check(inspection.cut() || begun <= MOST_UNDER_WAY, begun + " files are begun and not ended");
        clean(pool.cleanup().temporaryFiles(Duration.ZERO, false));
        clean(pool.cleanup().orphans(OrphanAction.DELETE, Duration.ZERO, false));
        sync();
        List<Path> stay = orphans(owned);
        inspection.check(stay.isEmpty() && begun() == 0, "after cleaning " + begun() + " begun files stay and " + stay);
        return orphans.size() + begun;
    }

    /** A disk may tell late of what it lost before; then the volume is opened anew and everything done again. */
    private void sync() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                pool.volumes().sync();
                return;
            } catch (PoolException e) {
                if (System.nanoTime() > deadline) {
                    inspection.check(false, "volumes cannot be synced: " + e);
                    return;
                }
                pool.volumes().probe();
            }
        }
    }

    private void clean(CleanupRun<CleanupReport> run) throws InterruptedException {
        CleanupReport report = run.await();
        inspection.check(report.problems().isEmpty(), "cleaning has " + report.problems());
    }

    private List<Path> orphans(Set<Path> owned) throws IOException {
        List<Path> orphans = new ArrayList<>();
        for (String volume : Place.VOLUMES) {
            if (!Files.exists(place.volume(volume))) {
                continue;
            }
            Path root = place.volume(volume).toRealPath();
            try (Stream<Path> walk = Files.walk(root)) {
                walk.filter(path -> !path.startsWith(root.resolve(".entrepot")) && Files.isRegularFile(path)
                        && !owned.contains(path)).forEach(orphans::add);
            } catch (UncheckedIOException e) {
                return orphans(owned); // the keeper removes directories meanwhile
            }
        }
        return orphans;
    }

    private List<Path> unexplained(List<Path> orphans, Set<ByteBuffer> excused) throws IOException {
        List<Path> unexplained = new ArrayList<>();
        for (Path orphan : orphans) {
            try {
                ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(orphan));
                // After a cut a name may be there and its bytes may not.
                if (!excused.contains(content) && !(inspection.cut() && excused.stream()
                        .anyMatch(whole -> whole.remaining() >= content.remaining()))) {
                    unexplained.add(orphan);
                }
            } catch (NoSuchFileException e) {
                // The keeper was quicker.
            }
        }
        return unexplained;
    }

    /** The contents of all files of which a copy may lie about: of any if files were moved, else of writes and imports. */
    private Set<ByteBuffer> excused() {
        Map<String, Integer> acknowledged = new HashMap<>();
        Set<String> words = new HashSet<>();
        for (Operation operation : inspection.operations()) {
            if (operation.call() instanceof Call.Put put) {
                boolean stored = operation.answer() instanceof Answer.Stored
                        && !Token.parse(put.item()).orElseThrow().isSource();
                if (!stored || inspection.moved() || acknowledged.merge(put.item(), 1, Integer::sum) > 1) {
                    words.add(put.item());
                }
            }
        }
        Set<ByteBuffer> contents = new HashSet<>();
        words.forEach(word -> Token.parse(word).ifPresent(token -> contents.add(ByteBuffer.wrap(token.content()))));
        return contents;
    }

    private int begun() throws IOException {
        int begun = 0;
        for (String volume : Place.VOLUMES) {
            Path incoming = place.volume(volume).resolve(INCOMING);
            if (Files.exists(incoming)) {
                try (Stream<Path> files = Files.list(incoming)) {
                    begun += (int) files.count();
                }
            }
        }
        return begun;
    }
}

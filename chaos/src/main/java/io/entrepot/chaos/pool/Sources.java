package io.entrepot.chaos.pool;

import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Operation;
import io.entrepot.pool.Pool;
import io.entrepot.pool.ScanFailedException;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * What is in the watched folders. When nothing comes any more everything that was sent is imported within some looks, once: its
 * source is gone then, or stays as it was if it is to. How it is in the pool is compared with the history like every other file.
 */
record Sources(Inspection inspection, Place place) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<SkipReason> SETTLED = EnumSet.of(SkipReason.NOT_WANTED, SkipReason.KEPT);

    void settle(Pool pool) throws IOException, InterruptedException {
        for (WatcherId folder : Place.FOLDERS) {
            settle(pool, folder);
        }
        int sent = 0;
        int perhaps = 0;
        for (Operation operation : inspection.operations()) {
            if (operation.call() instanceof Call.Put put && Token.parse(put.item()).orElseThrow().isSource()) {
                boolean stored = operation.answer() instanceof Answer.Stored;
                sent += stored ? 1 : 0;
                perhaps += operation.answer() instanceof Answer.Unknown ? 1 : 0;
                if (stored) {
                    stays(Token.parse(put.item()).orElseThrow());
                }
            }
        }
        long imported = Place.FOLDERS.stream().mapToLong(id -> pool.watchers().status(id).importedFiles()).sum();
        inspection.check(sent <= imported && imported <= sent + perhaps, sent + " to " + (sent + perhaps)
                + " sources were sent, and " + imported + " imported");
    }

    private void settle(Pool pool, WatcherId folder) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        WatcherStatus status;
        List<Path> left;
        do {
            look(pool, folder);
            status = pool.watchers().status(folder);
            left = left(folder);
        } while ((!left.isEmpty() || !isSettled(status)) && System.nanoTime() < deadline);
        inspection.check(left.isEmpty() && isSettled(status), "sources stay in " + folder + ": " + left + ", "
                + status);
    }

    /** A look that fails is told by the status, and the next one may succeed. */
    private static void look(Pool pool, WatcherId folder) throws InterruptedException {
        try {
            pool.watchers().scanNow(folder);
        } catch (ScanFailedException e) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static boolean isSettled(WatcherStatus status) {
        Set<SkipReason> skipped = new HashSet<>(status.skipped().keySet());
        skipped.removeAll(SETTLED);
        return skipped.isEmpty() && status.failed() == 0 && status.parked() == 0 && status.lastError().isEmpty();
    }

    /** What is to be imported and go. Drafts are not, nor is what a watcher has made that died while it opened. */
    private List<Path> left(WatcherId folder) throws IOException {
        if (!folder.equals(Place.IN)) {
            return List.of();
        }
        return Tree.all(place.folder(folder).toRealPath()).stream()
                .filter(path -> Files.isRegularFile(path) && !path.toString().endsWith(".part")
                        && !path.toString().contains("/.entrepot-probe-"))
                .toList();
    }

    private void stays(Token token) throws IOException {
        if (token.stays()) {
            try {
                byte[] found = Files
                        .readAllBytes(place.folder(Place.KEPT).resolve(token.folder()).resolve(token.name()));
                inspection.check(Arrays.equals(found, token.content()), "a source was changed: " + token);
            } catch (NoSuchFileException e) {
                inspection.check(false, "a source was to stay and is gone: " + token);
            }
        }
    }
}

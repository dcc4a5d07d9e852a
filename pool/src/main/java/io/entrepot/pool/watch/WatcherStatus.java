package io.entrepot.pool.watch;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A watcher, as it was when somebody looked.
 *
 * @param scanning      whether it looks or imports now
 * @param lastScan      when the last look at everything ended
 * @param nextScan      when it looks next by itself
 * @param importedFiles since it was added, also before a restart
 * @param skipped       of the last look at everything
 * @param failed        how many wait to be tried again
 * @param parked        how many have failed too often
 * @param problems      the last of them, oldest first
 * @param notification  whether changes are notified, and if not why
 * @param lastError     why the last look at everything could not be finished, if it could not
 */
public record WatcherStatus(WatcherSpec spec, boolean scanning, Optional<Instant> lastScan, Optional<Instant> nextScan,
        long importedFiles, long importedBytes, Map<SkipReason, Long> skipped, long failed, long parked,
        List<ImportProblem> problems, String notification, Optional<String> lastError) {

    public WatcherStatus {
        skipped = Map.copyOf(skipped);
        problems = List.copyOf(problems);
    }
}

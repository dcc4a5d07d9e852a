package io.entrepot.pool.process;

import io.entrepot.pool.FileOutcome;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** What has become of files so far, and what went wrong last. Safe for use by many threads: guarded by itself. */
final class Tally {
    private final String worker;
    private final InstantSource wall;
    private final Processing.Log log;
    private long completed;
    private long failed;
    private long released;
    private long lost;
    private Optional<String> lastError = Optional.empty();
    private Optional<Instant> lastErrorAt = Optional.empty();

    Tally(String worker, InstantSource wall, Processing.Log log) {
        this.worker = worker;
        this.wall = wall;
        this.log = log;
    }

    synchronized void ended(FileOutcome.Kind kind) {
        switch (kind) {
            case COMPLETED, KEPT -> completed++;
            case RETRYING, PERMANENTLY_FAILED -> failed++;
            case RELEASED, PUT_OFF -> released++;
        }
    }

    synchronized void lost() {
        lost++;
    }

    synchronized void wrong(String error) {
        log.warn(worker + ": " + error);
        lastError = Optional.of(error);
        lastErrorAt = Optional.of(wall.instant());
    }

    synchronized ProcessingStatus status(ProcessingStatus.State state, List<RunningFile> running, int ahead) {
        return new ProcessingStatus(state, running, ahead, completed, failed, released, lost, lastError, lastErrorAt);
    }
}

package io.entrepot.pool.process;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A processing, as it was when somebody looked.
 *
 * @param running   files that handlers have
 * @param ahead     files that were claimed and that no handler has yet
 * @param completed results that counted, since it was started
 * @param failed    files that were failed, to be tried again or for good
 * @param released  files that were given back: not begun when it was closed, broken off by that, or put off as their volume
 *                  could not be read
 * @param lost      files whose results were, or would have been, refused
 * @param lastError of a file, a claim or a renewal, however much went well after it
 */
public record ProcessingStatus(State state, List<RunningFile> running, int ahead, long completed, long failed,
        long released, long lost, Optional<String> lastError, Optional<Instant> lastErrorAt) {

    /** What it does. */
    public enum State {
        /** Claims and handles files, or waits for some. */
        RUNNING,
        /** The last claim failed, or none of its tenants may be handed files: it tries again by itself. */
        BACKING_OFF,
        /** Claims nothing any more; handlers may still run. */
        CLOSING,
        CLOSED
    }

    public ProcessingStatus {
        running = List.copyOf(running);
    }
}

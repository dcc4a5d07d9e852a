package io.entrepot.pool;

import java.time.Instant;

/**
 * How a lease ended. The first outcome counts: a later call with the same lease changes nothing and gets it back, with
 * {@code repeated} set.
 */
public record FileOutcome(Kind kind, Instant at, boolean repeated) {

    /** What became of the file. */
    public enum Kind {
        /** Done, and gone. */
        COMPLETED,
        /** Done, and kept. */
        KEPT,
        /** Failed, to be tried again. */
        RETRYING,
        /** Failed for good. */
        PERMANENTLY_FAILED,
        /** Given back unprocessed. */
        RELEASED,
        /** Not now: to be processed later, and nothing is counted. */
        PUT_OFF
    }
}

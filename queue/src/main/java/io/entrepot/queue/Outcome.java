package io.entrepot.queue;

import java.time.Instant;

/**
 * How a lease ended. The first outcome counts: a later call with the same lease, whatever it asks for, changes nothing
 * and gets this one back with {@code repeated} set. A caller that adds rows of its own must look at that.
 */
public record Outcome(Kind kind, Instant at, boolean repeated) {

    public enum Kind {
        /** Done, and the item is gone. */
        FINISHED,
        /** Done, and the item is kept. */
        KEPT,
        /** Failed, to be tried again. */
        RETRYING,
        /** Failed for good. */
        DEAD,
        /** Given back unworked. */
        RELEASED,
        /** Not now: to be handed out again later, and nothing is counted. */
        PUT_OFF,
        /** The lease ran out. */
        EXPIRED,
        /** An operator took the item away from its holder. */
        TAKEN_BACK;

        /** Whether the holder itself ended the lease, so that repeating the call is answered and not refused. */
        public boolean byHolder() {
            return this != EXPIRED && this != TAKEN_BACK;
        }
    }
}

package io.entrepot.posix;

import java.io.IOException;
import java.time.Duration;

/**
 * A call on a mount was not answered in time, or was refused because all threads of that mount hang. What the call was meant
 * to do may still happen, unless it was never begun.
 */
public final class MountHangsException extends IOException {
    private final String mount;
    private final boolean begun;
    private final int hanging;
    private final Duration longest;

    MountHangsException(BytePath mount, boolean begun, MountPool.Load load) {
        super(mount + (begun ? " does not answer" : " takes no more calls") + ": " + load.hanging() + " of "
                + load.threads() + " threads hang, " + load.running() + " are busy, the longest for "
                + load.longest().toMillis() + " ms; look at the storage behind it");
        this.mount = mount.toString();
        this.begun = begun;
        this.hanging = load.hanging();
        this.longest = load.longest();
    }

    /** Escaped: see {@link BytePath#parse}. */
    public String mount() {
        return mount;
    }

    /** Whether the call was begun, so that its effect may still come. */
    public boolean begun() {
        return begun;
    }

    /** How many threads of the mount hang. */
    public int hanging() {
        return hanging;
    }

    /** For how long the oldest call has been running. */
    public Duration longest() {
        return longest;
    }
}

package io.entrepot.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The outbox, as its readers see it: every committed event once, in commit order, without gaps. A reader keeps the
 * number of the last event it has dealt with and asks for what came after; so delivery is at least once and survives
 * restarts of either side. Safe for use by many threads.
 */
public interface Events {

    /** Up to {@code max} events after the cursor. Empty if there are none. */
    List<Event> after(long cursor, int max);

    /** As {@link #after}, but waits for something to arrive. Empty if the wait is over. */
    List<Event> await(long cursor, int max, Duration wait) throws InterruptedException;

    /** The number of the newest event, 0 if there never was one. */
    long last();

    /** The number of the oldest event still kept; one more than {@link #last} if there is none. */
    long oldest();

    /** How many {@link #forgetBefore} would forget now. */
    long countBefore(Instant time);

    /** Forgets events from before that time, and returns how many. The newest ones keep their numbers. */
    long forgetBefore(Instant time);
}

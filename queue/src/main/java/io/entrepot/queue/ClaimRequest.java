package io.entrepot.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A worker's wish for something to do.
 *
 * @param queues from which; an even share of each, beginning with any, so that a full one does not hide the others
 * @param holder the worker's name, for people
 * @param max how many items at most
 * @param term how long the lease lasts without renewal. Too short: work is handed out twice while the first worker is
 * still busy (its result is then refused); too long: work of a dead worker waits that long
 * @param patience how long to wait for something to arrive; zero answers at once
 * @param key makes it one claim, however often it is asked for: a repeated one gets the same leases, as far as they run, and
 * nothing else. Known as long as one of them runs, and for about an hour after the claim. Of each queue; only patience may
 * differ from call to call
 */
public record ClaimRequest(List<QueueName> queues, String holder, int max, Duration term, Duration patience,
        Optional<String> key) {
    public static final int MOST = 1000;
    private static final int LONGEST_HOLDER = 200;
    private static final int LONGEST_KEY = 300;
    private static final Duration LONGEST_TERM = Duration.ofDays(30);

    public ClaimRequest {
        queues = List.copyOf(queues);
        if (queues.isEmpty() || queues.size() > MOST) {
            throw new IllegalArgumentException("a claim names 1 to " + MOST + " queues: " + queues.size());
        }
        if (max < 1 || max > MOST) {
            throw new IllegalArgumentException("a claim is for 1 to " + MOST + " items: " + max);
        }
        requireHolder(holder, term);
        if (patience.isNegative()) {
            throw new IllegalArgumentException("waiting is not negative: " + patience);
        }
        requireKey(key);
    }

    public ClaimRequest(List<QueueName> queues, String holder, int max, Duration term, Duration patience) {
        this(queues, holder, max, term, patience, Optional.empty());
    }

    static void requireKey(Optional<String> key) {
        if (key.isPresent() && !OneLine.is(key.get(), LONGEST_KEY)) {
            throw new IllegalArgumentException("a claim's idempotency key has 1 to " + LONGEST_KEY
                    + " characters without control characters");
        }
    }

    /** Who may be a holder, and for how long. */
    static void requireHolder(String holder, Duration term) {
        if (!OneLine.is(holder, LONGEST_HOLDER)) {
            throw new IllegalArgumentException("a holder has a name of 1 to " + LONGEST_HOLDER
                    + " characters without control characters");
        }
        if (term.compareTo(Duration.ofMillis(1)) < 0 || term.compareTo(LONGEST_TERM) > 0) {
            throw new IllegalArgumentException("a term is from 1 ms to " + LONGEST_TERM.toDays() + " days: " + term);
        }
    }

    /** One item, at once or not at all. */
    public static ClaimRequest of(QueueName queue, String holder, Duration term) {
        return new ClaimRequest(List.of(queue), holder, 1, term, Duration.ZERO);
    }

    public ClaimRequest withMax(int value) {
        return new ClaimRequest(queues, holder, value, term, patience, key);
    }

    public ClaimRequest waiting(Duration value) {
        return new ClaimRequest(queues, holder, max, term, value, key);
    }

    public ClaimRequest withKey(String value) {
        return new ClaimRequest(queues, holder, max, term, patience, Optional.of(value));
    }
}

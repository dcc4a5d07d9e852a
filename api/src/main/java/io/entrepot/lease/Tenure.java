package io.entrepot.lease;

import java.time.Duration;

/**
 * The holder's side of a lease: may I still act? It errs on the safe side twice.
 *
 * <p>It counts from the moment the request or renewal was <em>sent</em>. The grantor counts from the moment it granted,
 * which is later, however long the messages took; so the holder's term ends first.
 *
 * <p>And it stops a margin before the term's end, because the two clocks may run at different speeds and because an act
 * takes time between the check and its effect. With a margin of 1/8 the holder's clock may run slower than the grantor's
 * by 1/8 before the two could overlap. Real clocks differ by far less than a thousandth; the rest of the margin is for the
 * act itself. Too small, and a pause of the process between check and effect lets an act happen after somebody else was
 * granted the lease. Too large, and the holder stands idle in what is left of the term, and has less time to renew when the
 * network stutters. An act that takes long asks {@link #remaining} first.
 *
 * <p>For an unfenced lease this is what keeps two holders apart; for a fenced one it only saves work that would be refused.
 *
 * <p>Safe for use by many threads: the reading that counts only grows and {@link #stop} is final, so a stale read of either
 * errs on the safe side or belongs to a moment before the change.
 */
public final class Tenure {
    private static final Duration LEAST_MARGIN = Duration.ofMillis(10);

    private final Lease lease;
    private final Ticker ticker;
    private final long usable;
    private final long renewAfter;
    private volatile long countedFrom;
    private volatile boolean stopped;

    /** With a margin of 1/8 of the term, at least 10 ms. */
    public Tenure(Lease lease, Ticker ticker, long sentAt) {
        this(lease, ticker, sentAt, defaultMargin(lease.term()));
    }

    /** {@code sentAt} is the ticker's reading from just before the request was sent. */
    public Tenure(Lease lease, Ticker ticker, long sentAt, Duration margin) {
        if (margin.isNegative() || margin.compareTo(lease.term()) >= 0) {
            throw new IllegalArgumentException("With a margin of " + margin + " nothing is left of " + lease);
        }
        this.lease = lease;
        this.ticker = ticker;
        this.usable = lease.term().minus(margin).toNanos();
        this.renewAfter = lease.term().dividedBy(3).toNanos();
        this.countedFrom = checkedPast(sentAt);
    }

    static Duration defaultMargin(Duration term) {
        Duration eighth = term.dividedBy(8);
        return eighth.compareTo(LEAST_MARGIN) < 0 ? LEAST_MARGIN : eighth;
    }

    public Lease lease() {
        return lease;
    }

    /** The grantor has renewed the lease in answer to what was sent at that reading. Answers may come late or out of order. */
    public synchronized void renewed(Lease renewed, long sentAt) {
        if (!renewed.fence().equals(lease.fence())) {
            throw new IllegalArgumentException("A renewal of " + renewed + " is none of " + lease);
        }
        if (checkedPast(sentAt) - countedFrom > 0) {
            countedFrom = sentAt;
        }
    }

    /** Whether the holder may act now. Ask before each act: the answer is good for the margin, no longer. */
    public boolean mayAct() {
        return leftNanos() > 0;
    }

    /** How long {@link #mayAct} will be true if no renewal succeeds; zero when it is false. */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, leftNanos()));
    }

    /** True from a third of the term on, which leaves time for several attempts. */
    public boolean shouldRenew() {
        return !stopped && untilRenewal().isZero();
    }

    Duration untilRenewal() {
        return Duration.ofNanos(Math.max(0, renewAfter - (ticker.nanos() - countedFrom)));
    }

    /** The lease was lost, or is about to be released. Final: no late renewal brings this tenure back. */
    public void stop() {
        stopped = true;
    }

    private long leftNanos() {
        return stopped ? 0 : usable - (ticker.nanos() - countedFrom);
    }

    private long checkedPast(long sentAt) {
        if (sentAt - ticker.nanos() > 0) {
            throw new IllegalArgumentException("Sent in the future, so read from another ticker: " + sentAt);
        }
        return sentAt;
    }
}

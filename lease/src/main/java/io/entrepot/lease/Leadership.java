package io.entrepot.lease;

import io.entrepot.lease.Step.Ask;
import io.entrepot.lease.Step.Done;
import io.entrepot.lease.Step.Lead;
import io.entrepot.lease.Step.Question;
import io.entrepot.lease.Step.Release;
import io.entrepot.lease.Step.Renew;
import io.entrepot.lease.Step.StepDown;
import io.entrepot.lease.Step.Wait;
import io.entrepot.lease.Step.Why;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.random.RandomGenerator;

/**
 * The candidate's side of leadership: PRIMARY of a group, leader of a view, server that hosts a view. First come, first
 * served; a leader is never pushed out; after a loss the first follower whose request arrives gets the lease.
 *
 * <pre>
 *   Following --Ask--> Asking --granted--> Leading --lost, or out of time--> Following
 *       ^----refused, unreachable---'          '---withdraw---> Withdrawn (from every state)
 * </pre>
 *
 * It sends nothing itself. The caller takes {@link #next} and does what it says, in order, and reports the answers as they
 * come, however late, repeated or out of order: each {@link Question} carries its own sending time, so a late answer is
 * worth what is left of it. A question without an answer is put again; one lost answer costs a retry, not the lease.
 *
 * <p>INVARIANT: a grant is led at most once. Otherwise an answer that is delivered twice could bring a lease back to life
 * that was lost in between. Hence the number in {@link Ask}; epochs cannot serve, a restored grantor repeats them.
 *
 * <p>Safe for use by many threads: one lock.
 */
public final class Leadership {

    private sealed interface State {}

    private record Following(long askAt) implements State {}

    private record Asking(Ask ask, long againAt) implements State {}

    private record Leading(Tenure tenure, long tryAt) implements State {}

    private record Withdrawn(long doneAt) implements State {}

    private final Ticker ticker;
    private final long retry;
    private final RandomGenerator jitter;
    private final Queue<Step> due = new ArrayDeque<>();
    private State state;
    private long asked;
    private long led;

    /**
     * @param retry how long to wait for an answer before the question is put again, and the pause after a failure. Too
     *     small, and many candidates hammer a grantor in trouble; too large, and a leader has few attempts to renew before it
     *     must stop, and a group is without one for longer. A twelfth of the term is a good value.
     * @param jitter lengthens each pause of a follower by up to {@code retry}, so that not all ask at once
     */
    public Leadership(Ticker ticker, Duration retry, RandomGenerator jitter) {
        if (!retry.isPositive()) {
            throw new IllegalArgumentException("The retry pause is positive: " + retry);
        }
        this.ticker = ticker;
        this.retry = retry.toNanos();
        this.jitter = jitter;
        this.state = new Following(ticker.nanos());
    }

    /** What to do now. Call it again when that is done, when a wait is over, and after every answer. */
    public synchronized Step next() {
        if (due.isEmpty()) {
            decide(ticker.nanos());
        }
        return due.remove();
    }

    private void decide(long now) {
        switch (state) {
            case Following(long askAt) -> askOrWait(askAt, now);
            case Asking(_, long againAt) -> askOrWait(againAt, now);
            case Leading(Tenure tenure, _) when !tenure.mayAct() -> {
                stepDown(tenure, Why.OUT_OF_TIME);
                due.add(new Release(tenure.lease()));
                state = new Following(now + pause());
            }
            case Leading(Tenure tenure, long tryAt) when tenure.shouldRenew() && now - tryAt >= 0 -> {
                due.add(new Renew(tenure.lease(), now));
                state = new Leading(tenure, now + retry);
            }
            case Leading(Tenure tenure, long tryAt) -> {
                long untilTry = Math.max(tryAt - now, tenure.untilRenewal().toNanos());
                due.add(new Wait(Duration.ofNanos(Math.min(untilTry, tenure.remaining().toNanos()))));
            }
            case Withdrawn(long doneAt) ->
                due.add(now - doneAt >= 0 ? new Done() : new Wait(Duration.ofNanos(doneAt - now)));
        }
    }

    private void askOrWait(long askAt, long now) {
        if (now - askAt < 0) {
            due.add(new Wait(Duration.ofNanos(askAt - now)));
            return;
        }
        asked++;
        Ask ask = new Ask(asked, now);
        due.add(ask);
        state = new Asking(ask, now + pause());
    }

    /** The lease was granted. Takes it if it is of any use, and gives it back otherwise. */
    public synchronized void granted(Ask ask, Lease lease) {
        if (state instanceof Leading(Tenure tenure, _) && tenure.lease().fence().equals(lease.fence())) {
            return;
        }
        Tenure tenure = new Tenure(lease, ticker, ask.sentAt());
        if (ask.number() <= led || !tenure.mayAct() || !isWanted(lease.fence().epoch())) {
            due.add(new Release(lease));
            return;
        }
        if (state instanceof Leading(Tenure former, _)) {
            stepDown(former, Why.LOST);
        }
        led = ask.number();
        state = new Leading(tenure, ticker.nanos());
        due.add(new Lead(tenure));
    }

    private boolean isWanted(Epoch epoch) {
        return switch (state) {
            case Following _ -> true;
            case Asking _ -> true;
            case Leading(Tenure tenure, _) -> epoch.isAfter(tenure.lease().fence().epoch());
            case Withdrawn _ -> false;
        };
    }

    /** Somebody else has it. */
    public synchronized void refused(Ask ask, Duration retryAfter) {
        if (isAwaited(ask)) {
            state = new Following(ticker.nanos() + retryAfter.toNanos() + jitter.nextLong(retry));
        }
    }

    public synchronized void renewed(Renew question, Lease lease) {
        if (state instanceof Leading(Tenure tenure, _) && tenure.lease().fence().equals(lease.fence())) {
            tenure.renewed(lease, question.sentAt());
            state = new Leading(tenure, ticker.nanos());
        }
    }

    /** The lease is not ours any more: the answer to a renewal, or pushed by the grantor. */
    public synchronized void lost(Fence fence) {
        if (state instanceof Leading(Tenure tenure, _) && tenure.lease().fence().equals(fence)) {
            stepDown(tenure, Why.LOST);
            state = new Following(ticker.nanos());
        }
    }

    /** The question did not arrive, or no answer will. A leader goes on until its tenure ends, and tries to renew. */
    public synchronized void unreachable(Question question) {
        if (question instanceof Ask ask && isAwaited(ask)) {
            state = new Following(ticker.nanos() + pause());
        }
    }

    /** The grantor says that nobody has the lease: a follower asks at once. */
    public synchronized void vacant() {
        if (state instanceof Following) {
            state = new Following(ticker.nanos());
        }
    }

    /** Steps down, if leading, and never asks again. A grant that is still on its way is given back when it comes. */
    public synchronized void withdraw() {
        long now = ticker.nanos();
        state = switch (state) {
            case Following _ -> new Withdrawn(now);
            case Asking(_, long againAt) -> new Withdrawn(againAt);
            case Leading(Tenure tenure, _) -> {
                stepDown(tenure, Why.WITHDRAWN);
                due.add(new Release(tenure.lease()));
                yield new Withdrawn(now);
            }
            case Withdrawn already -> already;
        };
    }

    /** Whether this candidate may act as the leader now. */
    public synchronized boolean leads() {
        return state instanceof Leading(Tenure tenure, _) && tenure.mayAct();
    }

    private void stepDown(Tenure tenure, Why why) {
        tenure.stop();
        due.add(new StepDown(tenure.lease(), why));
    }

    private boolean isAwaited(Ask ask) {
        return state instanceof Asking(Ask awaited, _) && awaited.equals(ask);
    }

    private long pause() {
        return retry + jitter.nextLong(retry);
    }
}

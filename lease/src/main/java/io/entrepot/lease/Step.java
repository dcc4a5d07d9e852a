package io.entrepot.lease;

import java.time.Duration;

/** What a candidate has to do next, as {@link Leadership#next} says. Immutable. */
public sealed interface Step {

    /**
     * Something to send to the grantor. Keep it until the answer comes and hand it back with the answer: it knows when it
     * was sent, which is what the term counts from.
     */
    sealed interface Question extends Step {}

    /** Request the lease. */
    record Ask(long number, long sentAt) implements Question {}

    /** Renew the lease. */
    record Renew(Lease lease, long sentAt) implements Question {}

    /** You are the leader: begin, and ask the tenure before each act that no fence protects. */
    record Lead(Tenure tenure) implements Step {}

    /** You are not the leader any more: stop all that was begun, and take the next step only when it has stopped. */
    record StepDown(Lease lease, Why why) implements Step {}

    enum Why {
        /** The grantor says the lease is not ours any more. */
        LOST,
        /** No renewal succeeded in time. */
        OUT_OF_TIME,
        /** The candidate withdrew. */
        WITHDRAWN
    }

    /** Release the lease, so that the next leader need not wait for its end. No answer is awaited. */
    record Release(Lease lease) implements Step {}

    /** Nothing to do for so long, unless an answer arrives before. */
    record Wait(Duration time) implements Step {
        public Wait {
            if (time.isNegative()) {
                throw new IllegalArgumentException("Nobody can wait " + time);
            }
        }
    }

    /** The candidate has withdrawn, and nothing is left to do. */
    record Done() implements Step {}
}

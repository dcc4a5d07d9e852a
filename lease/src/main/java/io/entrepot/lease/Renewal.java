package io.entrepot.lease;

/** The answer to a renewal. Immutable. */
public sealed interface Renewal {

    /** The whole term counts anew: for the grantor from now, for the holder from when it sent the renewal. */
    record Renewed(Lease lease) implements Renewal {}

    /** The lease will never be the holder's again under this fence: stop, and request a new one if it is still wanted. */
    record Lost(Reason reason) implements Renewal {}

    enum Reason {
        /** It was granted anew since; somebody else may hold it now. */
        TAKEN,
        /** It was released, or it ran out and was expired; nobody holds it now. */
        ENDED,
        /** This grantor has never granted it: the fence is made up, or the grantor's memory is a restored backup. */
        UNKNOWN
    }
}

package io.entrepot.pool.job;

/** How a job is now, or how its last run ended. When it runs next is told apart from that. */
public enum JobState {
    /** Has not run, and will not by itself. */
    IDLE,
    /** Has not run yet; it will when it is due. */
    WAITING,
    /** Runs now. */
    RUNNING,
    /** The last run was stopped. */
    CANCELLED,
    /** The last run threw something. */
    FAILED,
    /** The last run came to its end. */
    DONE
}

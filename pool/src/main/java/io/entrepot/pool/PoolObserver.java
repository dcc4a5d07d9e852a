package io.entrepot.pool;

/**
 * Is told what this process does with files, as it does it: for metrics. What all processes have done is in the events. Told by
 * the threads that do it, so it must be quick and safe for use by many; what it throws is logged.
 */
public interface PoolObserver {

    /** Closed, it is told nothing any more. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** Calls whose time counts. */
    enum Step {
        WRITE, CLAIM, COMPLETE, FAIL
    }

    /** What becomes of files. */
    enum Fate {
        WRITTEN, CLAIMED, COMPLETED,
        /** To be tried again. */
        FAILED,
        /** For good: failed too often, or too many leases ran out. */
        GIVEN_UP,
        /** Given back unprocessed, or put off. */
        RELEASED,
        /** A lease ran out. */
        EXPIRED
    }

    /** What comes of a source that a watcher finds complete. */
    enum Import {
        IMPORTED,
        /** To be tried again. */
        FAILED,
        /** Too often: it waits for somebody. */
        PARKED
    }

    /**
     * A call has ended.
     *
     * @param error its code, empty if it succeeded
     */
    default void took(Step step, long nanos, String error) {}

    /** @param bytes of these files, 0 where nobody knows */
    default void files(Fate fate, TenantId tenant, long files, long bytes) {}

    /** @param bytes of those that were imported, else 0 */
    default void imports(Import what, String watcher, long files, long bytes) {}

    /** A file was one too many to say nothing: the event {@code quota.warning} was published. */
    default void quotaWarned(TenantId tenant) {}
}

package io.entrepot.server.trace;

/** The span of one request. For the thread that it was begun on. */
public interface RequestSpan {
    /** Of a request that is not traced. */
    RequestSpan NONE = new RequestSpan() {
    };

    /** What the trace is called by all who take part in it; empty if there is none. */
    default String trace() {
        return "";
    }

    /**
     * It was answered.
     *
     * @param outcome {@code ok}, or the code of a problem
     * @param tenant  whose files it was about; empty if it was about no tenant
     */
    default void end(int status, String outcome, String tenant) {}
}

package io.entrepot.server.trace;

import io.entrepot.pool.Pool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Begins spans. Off, this is all there is: no other class of this package is loaded for it. Safe for use by many threads.
 */
public interface Tracing extends AutoCloseable {
    /** Nothing is traced. */
    Tracing OFF = new Tracing() {
    };

    /** What is asked for by the configuration: off, most often. */
    static Tracing open(TracingConfig config, Pool pool) {
        return config.isOn() ? new OtlpTracing(config, pool) : OFF;
    }

    /**
     * A request has come, and is answered on this thread. A trace that its sender has begun goes on.
     *
     * @param method    as GET
     * @param template  the path of the route, as {@code /v1/tenants/{tenant}}
     * @param operation what the route is called
     * @param request   the id of the request
     * @param header    what was sent
     */
    default RequestSpan begin(String method, String template, String operation, String request,
            Function<String, @Nullable String> header) {
        return RequestSpan.NONE;
    }

    @Override
    default void close() {}
}

package io.entrepot.server.route;

import io.entrepot.server.access.Identity;
import io.javalin.http.Context;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests in the figures and, if that is wanted, in the log. Safe for use by many threads. */
public final class RequestLog {
    private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

    private static final String NO_OPERATION = "none";

    private final MeterRegistry registry;
    private final BooleanSupplier each;
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

    private record Series(String operation, int status) {}

    /** @param each a line for each request */
    public RequestLog(MeterRegistry registry, BooleanSupplier each) {
        this.registry = registry;
        this.each = each;
    }

    void ended(Context context, Route route, Identity who, String outcome, Duration took) {
        ended(context, route.id(), who, outcome, took);
    }

    /** A request for nothing that there is. */
    void refused(Context context, String outcome) {
        ended(context, NO_OPERATION, Identity.NOBODY, outcome, Duration.ZERO);
    }

    private void ended(Context context, String operation, Identity who, String outcome, Duration took) {
        int status = context.statusCode();
        timers.computeIfAbsent(new Series(operation, status), series -> Timer.builder("entrepot.http.requests")
                .description("Requests, by operation and status").tag("operation", series.operation)
                .tag("status", Integer.toString(series.status)).register(registry)).record(took);
        if (each.getAsBoolean()) {
            LOG.info("{} {} {} {} {} ms, key {}, from {}", context.method(), context.path(), status, outcome,
                    took.toMillis(), who.id().isEmpty() ? "-" : who.id(), context.req().getRemoteAddr());
        }
    }
}

package io.entrepot.server.trace;

import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolObserver;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A span for each request, and below it one for what the pool does for it, told in the words of OpenTelemetry. In a span is what
 * the log has: the route's template and not the path, the tenant, the request's id, the outcome; no names, no keys.
 *
 * <p>Safe for use by many threads: a span belongs to the thread of its request, and the outbox is for all.
 */
final class OtlpTracing implements Tracing, PoolObserver {
    private static final String OK = "ok";
    /** What the thread answers now. */
    private static final ThreadLocal<@Nullable Open> CURRENT = new ThreadLocal<>();
    private static final long NANOS = 1_000_000_000L;

    private final TracingConfig config;
    private final Outbox outbox;
    private final Clock clock = Clock.systemUTC();
    private final Registration registration;

    OtlpTracing(TracingConfig config, Pool pool) {
        this.config = config;
        this.outbox = new Outbox(config);
        this.registration = pool.observe(this);
    }

    @Override
    public RequestSpan begin(String method, String template, String operation, String request,
            Function<String, @Nullable String> header) {
        Optional<TraceContext> from = TraceContext.read(header.apply(TraceContext.PARENT),
                header.apply(TraceContext.STATE));
        String trace = from.map(TraceContext::trace).orElseGet(TraceContext::newTrace);
        boolean sampled = (config.followCaller() && from.isPresent())
                ? from.get().sampled()
                : TraceContext.isAmong(config.sample(), trace);
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("http.request.method", method);
        attributes.put("http.route", template);
        attributes.put("entrepot.operation", operation);
        attributes.put("entrepot.request_id", request);
        Open span = new Open(new TraceContext(trace, TraceContext.newSpan(), sampled, from.map(TraceContext::state)
                .orElse("")), from.map(TraceContext::span), method + " " + template, now(), System.nanoTime(),
                attributes);
        CURRENT.set(span);
        return span;
    }

    private long now() {
        Instant now = clock.instant();
        return now.getEpochSecond() * NANOS + now.getNano();
    }

    /** What the pool did for the request of this thread. Told when it is over, so it began that much earlier. */
    @Override
    public void took(Step step, long nanos, String error) {
        Open parent = CURRENT.get();
        if (parent != null && parent.context.sampled()) {
            long end = parent.ending();
            outbox.add(new FinishedSpan(parent.below(), Optional.of(parent.context.span()), "pool "
                    + step.name().toLowerCase(Locale.ROOT), false, Math.max(parent.begun, end - nanos), end,
                    error.isEmpty() ? Map.of() : Map.of("error.type", error), false));
        }
    }

    @Override
    public void close() {
        registration.close();
        outbox.close();
    }

    /** One that is under way. Its end is counted by a clock that nobody sets, so that it is never before its beginning. */
    private final class Open implements RequestSpan {
        private final TraceContext context;
        private final Optional<String> parent;
        private final String name;
        private final long begun;
        private final long ticks;
        private final Map<String, Object> attributes;

        Open(TraceContext context, Optional<String> parent, String name, long begun, long ticks,
                Map<String, Object> attributes) {
            this.context = context;
            this.parent = parent;
            this.name = name;
            this.begun = begun;
            this.ticks = ticks;
            this.attributes = attributes;
        }

        long ending() {
            return begun + System.nanoTime() - ticks;
        }

        TraceContext below() {
            return new TraceContext(context.trace(), TraceContext.newSpan(), true, context.state());
        }

        @Override
        public String trace() {
            return context.trace();
        }

        @Override
        public void end(int status, String outcome, String tenant) {
            CURRENT.remove();
            if (!context.sampled()) {
                return;
            }
            attributes.put("http.response.status_code", (long) status);
            attributes.put("entrepot.outcome", outcome);
            if (!tenant.isEmpty()) {
                attributes.put("entrepot.tenant", tenant);
            }
            if (!outcome.equals(OK)) {
                attributes.put("error.type", outcome);
            }
            outbox.add(new FinishedSpan(context, parent, name, true, begun, ending(), attributes, status >= 500));
        }
    }
}

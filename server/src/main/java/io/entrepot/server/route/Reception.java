package io.entrepot.server.route;

import io.entrepot.pool.TenantId;
import io.entrepot.server.access.Access;
import io.entrepot.server.access.Audit;
import io.entrepot.server.access.Identity;
import io.entrepot.server.access.Keys;
import io.entrepot.server.access.RateLimit;
import io.entrepot.server.http.Pace;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Json;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.Problem;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.problem.Problems;
import io.entrepot.server.trace.RequestSpan;
import io.entrepot.server.trace.Tracing;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What every request passes, in this order: it gets an id; a server that shuts down refuses it; the key is looked at, its rate, its
 * scopes; what is administrative is written down; the handler does it; and whatever goes wrong on the way is told as a problem.
 * Safe for use by many threads.
 */
public final class Reception {
    private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
    private static final String BEARER = "bearer ";

    private final Keys keys;
    private final Audit audit;
    private final RateLimit rates;
    private final RateLimit failures;
    private final Closing closing;
    private final Supplier<Headers> headers;
    private final RequestLog log;
    private final Supplier<Pace> pace;
    private final Supplier<Tracing> tracing;

    public Reception(Keys keys, Audit audit, RateLimit rates, RateLimit failures, Closing closing,
            Supplier<Headers> headers, RequestLog log, Supplier<Pace> pace,
            Supplier<Tracing> tracing) {
        this.keys = keys;
        this.audit = audit;
        this.rates = rates;
        this.failures = failures;
        this.closing = closing;
        this.headers = headers;
        this.log = log;
        this.pace = pace;
        this.tracing = tracing;
    }

    /** A request for a route. */
    public void receive(Context context, Route route) {
        long began = System.nanoTime();
        String request = RequestId.of(context.header(RequestId.HEADER));
        MDC.put("request", request);
        RequestSpan span = tracing.get().begin(route.method().name(), route.path(), route.id(), request,
                context::header);
        if (!span.trace().isEmpty()) {
            MDC.put("trace", span.trace());
        }
        String outcome = "ok";
        Identity who = Identity.NOBODY;
        try {
            headers.get().addTo(context, request);
            closing.enter();
            // Until the answer is out it counts as under way: a stop waits for it.
            try {
                who = identify(context, route);
                requireRate(who);
                answer(context, handle(new Call(context, route, who, request, pace.get())));
            } catch (Throwable e) { // whatever it is, it is told as a problem and no trace gets out
                outcome = tell(context, e, request, who).code();
            } finally {
                closing.leave();
            }
        } catch (ProblemException e) {
            outcome = tell(context, e, request, who).code();
        } finally {
            log.ended(context, route, who, outcome, Duration.ofNanos(System.nanoTime() - began));
            span.end(context.statusCode(), outcome, tenant(context, route));
            MDC.remove("request");
            MDC.remove("trace");
        }
    }

    private static String tenant(Context context, Route route) {
        String name = route.path().contains("{tenant}") ? context.pathParam("tenant") : "";
        return TenantId.isValid(name) ? name : "";
    }

    /** A request for nothing that there is. */
    public void refuse(Context context, Problem problem) {
        String request = RequestId.of(context.header(RequestId.HEADER));
        MDC.put("request", request);
        try {
            headers.get().addTo(context, request);
            write(context, problem, request);
        } finally {
            log.refused(context, problem.code());
            MDC.remove("request");
        }
    }

    private Identity identify(Context context, Route route) {
        if (route.access() == Access.PUBLIC) {
            return Identity.NOBODY;
        }
        String header = context.header("Authorization");
        if (header == null) {
            throw failed(context, Code.NO_KEY, "send a key as \"Authorization: Bearer ek_…\"");
        }
        if (!header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            throw failed(context, Code.INVALID_KEY, "the key is sent as \"Authorization: Bearer ek_…\"");
        }
        return keys.identify(header.substring(BEARER.length()).strip()).orElseThrow(() -> failed(context,
                Code.INVALID_KEY, "there is no such key (any more): it is wrong, revoked or expired"));
    }

    private ProblemException failed(Context context, Code code, String detail) {
        Optional<Duration> wait = failures.take(context.req().getRemoteAddr());
        return wait.isPresent()
                ? new ProblemException(Problem.of(Code.TOO_MANY_FAILURES, "too many requests without a valid key came"
                        + " from this address; wait").after(wait.get()))
                : new ProblemException(code, detail);
    }

    private void requireRate(Identity who) {
        if (!who.id().isEmpty()) {
            rates.take(who.id()).ifPresent(wait -> {
                throw new ProblemException(Problem.of(Code.RATE_LIMITED, "the key " + who.id()
                        + " makes more requests than it may; wait").after(wait));
            });
        }
    }

    private Reply handle(Call call) throws Exception {
        Route route = call.route();
        if (!route.audited()) {
            requireAccess(call);
            return route.handler().handle(call);
        }
        long number = audit.begun(call.who(), call.address(), route.id(), call.http().path(), call.request());
        String outcome = "";
        try {
            requireAccess(call);
            Reply reply = route.handler().handle(call);
            outcome = "ok";
            return reply;
        } catch (Throwable e) {
            outcome = Problems.of(e).code();
            throw e;
        } finally {
            audit.ended(number, outcome);
        }
    }

    private static void requireAccess(Call call) {
        Route route = call.route();
        Optional<TenantId> tenant = route.path().contains("{tenant}")
                ? Optional.of(call.tenant())
                : Optional.empty();
        call.who().require(route.access(), tenant);
        call.http().queryParamMap().forEach((name, values) -> {
            Input<?> input = route.query().stream().filter(each -> each.name().equals(name)).findFirst()
                    .orElseThrow(() -> Ask.unknown(Code.UNKNOWN_PARAMETER, name, route.query()));
            if (values.size() > 1 && !(input.field().type() instanceof Type.ListOf)) {
                throw new ProblemException(Code.INVALID_VALUE, "\"" + name + "\" is there " + values.size()
                        + " times, and can be there once");
            }
        });
    }

    private static void answer(Context context, Reply reply) throws IOException {
        switch (reply) {
            case Reply.Body body -> {
                body.headers().forEach(context::header);
                context.status(body.status());
                send(context, "application/json", Json.write(body.json()));
            }
            case Reply.Page(String mediaType, byte[] bytes) -> send(context, mediaType, bytes);
            case Reply.Empty() -> {
                context.status(204);
                context.res().flushBuffer();
            }
            case Reply.Written() -> context.res().getOutputStream().close();
        }
    }

    private static void send(Context context, String mediaType, byte[] body) throws IOException {
        context.contentType(mediaType);
        context.res().setContentLength(body.length); // another may have been promised
        try (OutputStream out = context.res().getOutputStream()) {
            out.write(body);
        }
    }

    private static Problem tell(Context context, Throwable e, String request, Identity who) {
        Problem problem = Problems.of(e);
        if (problem.code().equals(Code.INTERNAL.text())) {
            LOG.error("request {} failed: {}", request, e.toString(), e);
        } else if (problem.status() >= 500 && !problem.code().equals(Code.SHUTTING_DOWN.text())) {
            LOG.warn("request {} failed: {}", request, problem);
        }
        if (context.res().isCommitted() && e instanceof IOException) {
            LOG.debug("request {}: whoever asked has gone: {}", request, e.toString());
        } else if (context.res().isCommitted()) {
            // What was promised is not sent to its end: the connection is cut, and the other side sees that.
            LOG.warn("request {} is cut off in the middle of its answer: {}", request, problem);
        } else {
            write(context, who.isAdmin() ? problem : problem.withoutPlaces(), request);
        }
        return problem;
    }

    /**
     * What was not read of a body stands before the next request, so Jetty closes the connection. Whoever asked is told, and does not
     * send the next request into a connection that is about to go.
     */
    private static void tellOfClose(Context context) {
        if (!ServletContextRequest.getServletContextRequest(context.req()).consumeAvailable()) {
            context.header("Connection", "close");
        }
    }

    private static void write(Context context, Problem problem, String request) {
        if (problem.status() == 401) {
            context.header("WWW-Authenticate", "Bearer realm=\"entrepot\"");
        }
        problem.retryAfter().ifPresent(wait -> context.header("Retry-After",
                Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()))));
        List.of("ETag", "Content-Disposition", "Repr-Digest", "Accept-Ranges").forEach(context::removeHeader);
        context.status(problem.status());
        tellOfClose(context);
        try {
            send(context, Problem.MEDIA_TYPE, Json.write(problem.json(request)));
        } catch (IOException e) {
            LOG.debug("request {}: whoever asked has gone: {}", request, e.toString());
        }
    }
}

package io.entrepot.server.route;

import io.javalin.http.Context;
import java.util.List;

/**
 * What every answer has in its head: that it is not to be guessed at, framed or kept, and which pages may read it. Immutable.
 *
 * @param origins pages of these may call from a browser
 * @param secure  it is HTTPS
 */
public record Headers(List<String> origins, boolean secure) {
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
    private static final String ALLOWED = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
            + " If-Range, Last-Event-ID, Range, X-Request-Id, X-Requested-With, X-HTTP-Method-Override, traceparent, tracestate,"
            + " Tus-Resumable,"
            + " Upload-Checksum, Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset";
    private static final String EXPOSED = "Content-Disposition, Content-Range, ETag, Location, Retry-After, X-Request-Id,"
            + " Entrepot-File-Key, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version,"
            + " Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset";

    public Headers {
        origins = List.copyOf(origins);
    }

    void addTo(Context context, String request) {
        context.header(RequestId.HEADER, request).header("X-Content-Type-Options", "nosniff")
                .header("X-Frame-Options", "DENY").header("Referrer-Policy", "no-referrer")
                .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
                .header("Cache-Control", "no-store");
        if (context.header("Tus-Resumable") != null) {
            context.header("Tus-Resumable", "1.0.0"); // whoever speaks tus is told the version with every answer
        }
        if (secure) {
            context.header("Strict-Transport-Security", "max-age=31536000");
        }
        allow(context);
    }

    private boolean allow(Context context) {
        String origin = context.header("Origin");
        if (origin == null || !origins.contains(origin)) {
            return false;
        }
        context.header("Access-Control-Allow-Origin", origin).header("Vary", "Origin")
                .header("Access-Control-Expose-Headers", EXPOSED);
        return true;
    }

    /** A browser asks first whether it may. Says whether this was such a question. */
    public boolean answerPreflight(Context context) {
        if (!context.method().name().equals("OPTIONS") || context.header("Access-Control-Request-Method") == null
                || !allow(context)) {
            return false;
        }
        context.header("Access-Control-Allow-Methods", METHODS).header("Access-Control-Allow-Headers", ALLOWED)
                .header("Access-Control-Max-Age", "600").status(204);
        return true;
    }
}

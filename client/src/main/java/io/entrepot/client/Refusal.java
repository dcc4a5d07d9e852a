package io.entrepot.client;

import io.entrepot.pool.PoolException;
import io.entrepot.store.Advice;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a server has refused.
 *
 * @param retryAfter how long it wants to be left alone, if it said so
 */
record Refusal(int status, String code, Advice advice, String detail, long offset, Optional<Duration> retryAfter) {
    /** Matters of the moment, of the server and not of the pool: nothing was done, and it is asked again. */
    private static final Set<String> PASSING = Set.of("http.busy", "http.shutting-down", "http.rate-limited");
    /** What a server says when bytes did not come: again with others, if there are others. */
    private static final Set<String> BROKEN = Set.of("http.broken-body", "http.timeout");

    /** From an answer's status and body, which a proxy may have written. */
    static Refusal of(int status, byte[] body, Optional<String> retryAfter) {
        Json problem = json(body);
        Optional<String> code = problem.get("code").find();
        Advice advice = problem.get("advice").find().flatMap(word -> Words.find(Advice.class, word))
                .orElse(status == 429 || status == 503
                        ? Advice.RETRY
                        : status >= 500 ? Advice.UNKNOWN : Advice.GIVE_UP);
        return new Refusal(status, code.orElse("http.status-" + status), advice,
                problem.get("detail").find().orElse("the server answered with " + status + " and no explanation"),
                problem.get("offset").whole(), retryAfter.flatMap(Refusal::duration));
    }

    private static Json json(byte[] body) {
        try {
            return Json.parse(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Json.object();
        }
    }

    private static Optional<Duration> duration(String header) {
        try {
            return Optional.of(Duration.ofSeconds(Math.min(3600, Long.parseLong(header.strip()))))
                    .filter(wait -> !wait.isNegative());
        } catch (NumberFormatException | DateTimeException e) {
            return Optional.empty(); // a date: our own pause does as well
        }
    }

    /** Nothing was done, and the same may well succeed in a moment. */
    boolean isPassing() {
        return PASSING.contains(code) || (!told() && (status == 429 || status == 503));
    }

    /** The server did not get all of the body. */
    boolean isBroken() {
        return BROKEN.contains(code);
    }

    /** Somebody between us and the server has given up: it may have been done. */
    boolean isUnclear() {
        return !told() && (status == 502 || status == 504);
    }

    private boolean told() {
        return !code.toLowerCase(Locale.ROOT).startsWith("http.status-");
    }

    /** As the library would have thrown it. */
    PoolException exception() {
        return PoolException.told(code, advice, detail, offset);
    }
}

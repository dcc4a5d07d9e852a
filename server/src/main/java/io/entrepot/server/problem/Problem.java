package io.entrepot.server.problem;

import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.json.Words;
import io.entrepot.store.Advice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What went wrong, as it is told: {@code application/problem+json} by RFC 9457.
 *
 * @param code       stable; more exact than the status
 * @param advice     whether the same request may succeed later, never will, or may have happened
 * @param retryAfter when to try again, if that can be said
 * @param more       what else is to be known, by name
 */
public record Problem(int status, String code, String title, String detail, Advice advice,
        Optional<Duration> retryAfter, Map<String, Object> more) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** A problem of one request. */
    public record Told(Problem problem, String request) {}

    public static final Answer<Told> ANSWER = Answer.<Told>named("Problem")
            .with("type", new Type.Text("uri"), "Names the code.", told -> "urn:entrepot:problem:"
                    + told.problem.code)
            .with("title", Type.TEXT, "The same for all problems of this code.", told -> told.problem.title)
            .with("status", new Type.Whole(400, 599), "The HTTP status.", told -> told.problem.status)
            .with("detail", Type.TEXT, "What happened, to what, and what to do.", told -> told.problem.detail)
            .with("code", Type.TEXT, "Stable: for programs.", told -> told.problem.code)
            .with("instance", Type.TEXT, "The id of the request, as in the log.", Told::request)
            .with("advice", Type.choice(Advice.class), "Whether the same request may succeed later, never will, or may"
                    + " have happened.", told -> told.problem.advice);

    public Problem {
        more = Map.copyOf(more);
    }

    public static Problem of(Code code, String detail) {
        Advice advice = code.status() == 503 || code.status() == 429 || code.status() == 408
                || code.status() == 423
                        ? Advice.RETRY
                        : code.status() >= 500 ? Advice.UNKNOWN : Advice.GIVE_UP;
        return new Problem(code.status(), code.text(), code.title(), detail, advice,
                code.status() == 503 ? Optional.of(Duration.ofSeconds(1)) : Optional.empty(), Map.of());
    }

    /** One of the library's: its code may be more exact than the table's. */
    static Problem of(Code code, String text, Advice advice, String detail) {
        return new Problem(code.status(), text, code.title(), detail, advice,
                code.status() == 503 && advice == Advice.RETRY ? Optional.of(Duration.ofSeconds(1)) : Optional.empty(),
                Map.of());
    }

    public Problem withAdvice(Advice value) {
        return new Problem(status, code, title, detail, value, retryAfter, more);
    }

    public Problem after(Duration value) {
        return new Problem(status, code, title, detail, advice, Optional.of(value), more);
    }

    public Problem with(Map<String, Object> value) {
        return new Problem(status, code, title, detail, advice, retryAfter, value);
    }

    /** For those who may not know where things lie on the server: what is wrong with a volume is told without its paths. */
    public Problem withoutPlaces() {
        return code.equals(Code.VOLUME_UNAVAILABLE.text())
                ? new Problem(status, code, title, "the storage that is needed does not work now; the log of the server"
                        + " says why, under this request's id", advice, retryAfter, more)
                : this;
    }

    /** As it is written. */
    public Map<String, Object> json(String request) {
        Map<String, Object> all = new LinkedHashMap<>(ANSWER.of(new Told(this, request)));
        more.forEach(all::putIfAbsent);
        return all;
    }

    @Override
    public String toString() {
        return code + " (" + Words.of(advice) + "): " + detail;
    }
}

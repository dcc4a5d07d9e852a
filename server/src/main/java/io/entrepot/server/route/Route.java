package io.entrepot.server.route;

import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Form;
import io.entrepot.server.json.Input;
import io.entrepot.server.problem.Code;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be called. Registration, the check of access, the description and the tests are all made from this; nothing
 * is said twice. Built up from {@link #get} and its like; immutable.
 *
 * @param tag     what it is about, for the description
 * @param id      the operation, as programs and the audit call it
 * @param query   what may be said in the query
 * @param headers what may be said in headers
 * @param takes   the body, if it has one
 * @param gives   the answer if it succeeds
 * @param audited it is written down who did it
 */
public record Route(Method method, String path, Access access, String tag, String id, String summary,
        List<Input<?>> query, List<Input<?>> headers, Optional<Takes> takes, List<Gives> gives, Set<Code> problems,
        boolean audited, Handler handler) {
    private static final Pattern PARAMETER = Pattern.compile("\\{([a-zA-Z]+)}");

    /** What is done. */
    @FunctionalInterface
    public interface Handler {
        Reply handle(Call call) throws Exception;
    }

    /**
     * A body.
     *
     * @param form     of JSON; empty if it is something else
     * @param required false if it may be left out
     */
    public record Takes(List<String> mediaTypes, Optional<Ask> form, boolean required, String meaning) {}

    /** An answer: of JSON, if it has a form; without a media type if it has no body. */
    public record Gives(int status, String mediaType, Optional<Form> form, String meaning) {}

    public Route {
        query = List.copyOf(query);
        headers = List.copyOf(headers);
        gives = List.copyOf(gives);
        problems = Set.copyOf(problems);
    }

    public static Route get(String path) {
        return of(Method.GET, path);
    }

    public static Route post(String path) {
        return of(Method.POST, path);
    }

    public static Route of(Method method, String path) {
        return new Route(method, path, Access.ADMIN, "", "", "", List.of(), List.of(), Optional.empty(), List.of(),
                Set.of(), false, _ -> {
                    throw new IllegalStateException(method + " " + path + " does nothing");
                });
    }

    /** @param operation what programs call it, as {@code getTenant} */
    public Route as(String operation, String about, String words) {
        return new Route(method, path, access, about, operation, words, query, headers, takes, gives, problems,
                audited, handler);
    }

    public Route needs(Access value) {
        return new Route(method, path, value, tag, id, summary, query, headers, takes, gives, problems, audited,
                handler);
    }

    public Route query(Input<?>... inputs) {
        return new Route(method, path, access, tag, id, summary, plus(query, inputs), headers, takes, gives, problems,
                audited, handler);
    }

    public Route header(Input<?>... inputs) {
        return new Route(method, path, access, tag, id, summary, query, plus(headers, inputs), takes, gives, problems,
                audited, handler);
    }

    private static List<Input<?>> plus(List<Input<?>> some, Input<?>... more) {
        List<Input<?>> all = new ArrayList<>(some);
        all.addAll(List.of(more));
        return all;
    }

    /** A JSON object. */
    public Route takes(Ask form) {
        boolean required = form.inputs().stream().anyMatch(input -> input.field().required());
        return takes(new Takes(List.of("application/json"), Optional.of(form), required, ""));
    }

    public Route takes(Takes body) {
        return new Route(method, path, access, tag, id, summary, query, headers, Optional.of(body), gives, problems,
                audited, handler);
    }

    public Route gives(int status, Answer<?> form, String meaning) {
        return gives(new Gives(status, "application/json", Optional.of(form), meaning));
    }

    /** Nothing but that it is done. */
    public Route givesNothing() {
        return gives(new Gives(204, "", Optional.empty(), "Done."));
    }

    public Route gives(Gives answer) {
        List<Gives> all = new ArrayList<>(gives);
        all.add(answer);
        return new Route(method, path, access, tag, id, summary, query, headers, takes, all, problems, audited,
                handler);
    }

    /** What can go wrong, beside what can go wrong with every call. */
    public Route problems(Code... codes) {
        Set<Code> all = EnumSet.noneOf(Code.class);
        all.addAll(problems);
        all.addAll(List.of(codes));
        return new Route(method, path, access, tag, id, summary, query, headers, takes, gives, all, audited, handler);
    }

    public Route inAudit() {
        return new Route(method, path, access, tag, id, summary, query, headers, takes, gives, problems, true,
                handler);
    }

    public Route does(Handler value) {
        return new Route(method, path, access, tag, id, summary, query, headers, takes, gives, problems, audited,
                value);
    }

    /** The names in the path. */
    public List<String> parameters() {
        return PARAMETER.matcher(path).results().map(result -> result.group(1)).toList();
    }

    /** Whether the path is one of this route's. */
    public boolean matches(String given) {
        Matcher matcher = Pattern.compile(PARAMETER.matcher(path).replaceAll("[^/]+")).matcher(given);
        return matcher.matches();
    }

    /** All that may go wrong with it. */
    public Set<Code> allProblems() {
        Set<Code> all = EnumSet.of(Code.UNKNOWN_PARAMETER, Code.INVALID_VALUE, Code.INTERNAL, Code.SHUTTING_DOWN,
                Code.UNAVAILABLE, Code.OUTCOME_UNKNOWN, Code.BUSY);
        all.addAll(problems);
        if (access != Access.PUBLIC) {
            all.addAll(Set.of(Code.NO_KEY, Code.INVALID_KEY, Code.TOO_MANY_FAILURES, Code.RATE_LIMITED));
        }
        if (access != Access.PUBLIC && access != Access.ANY_KEY) {
            all.add(Code.FORBIDDEN);
        }
        if (access.isOfTenant() || path.contains("{tenant}")) {
            all.addAll(Set.of(Code.TENANT_NOT_FOUND, Code.TENANT_DISABLED));
        }
        if (path.contains("{key}")) {
            all.add(Code.FILE_NOT_FOUND);
        }
        if (takes.isPresent()) {
            all.addAll(Set.of(Code.UNSUPPORTED_MEDIA_TYPE, Code.TOO_LARGE, Code.BROKEN_BODY, Code.TIMEOUT));
        }
        if (takes.filter(it -> it.form().isPresent()).isPresent()) {
            all.addAll(Set.of(Code.MALFORMED_JSON, Code.UNKNOWN_FIELD, Code.MISSING_VALUE));
        }
        if (inputsAreRequired()) {
            all.add(Code.MISSING_VALUE);
        }
        return all;
    }

    private boolean inputsAreRequired() {
        return query.stream().anyMatch(input -> input.field().required());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}

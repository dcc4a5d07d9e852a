package io.entrepot.server.pool;

import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.json.Words;
import io.entrepot.server.problem.Problem;
import io.entrepot.server.problem.Problems;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import io.entrepot.store.Advice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What a worker does with what it has: renew, complete, fail, release; many at a time, each with its own result. The first outcome
 * of a lease counts, and a repeated call gets it back, so whoever did not get an answer asks again.
 */
public final class LeaseRoutes {
    /** What a result may say beside how a lease ended. */
    private static final String RENEWED = "renewed";

    private record Trouble(Problem problem) {}

    private record Result(String lease, Optional<FileOutcome> outcome, Optional<Trouble> trouble) {
        String what() {
            return outcome.map(it -> Words.of(it.kind()))
                    .orElse(trouble.isPresent() ? "refused" : RENEWED);
        }
    }

    private static final Answer<Trouble> TROUBLE = Answer.<Trouble>named("LeaseProblem")
            .with("code", Type.TEXT, "Stable.", it -> it.problem.code())
            .with("detail", Type.TEXT, "What happened, and what to do.", it -> it.problem.detail())
            .with("advice", Type.choice(Advice.class), "Whether to try again.", it -> it.problem.advice());
    private static final Answer<Result> RESULT = Answer.<Result>named("LeaseResult")
            .with("lease", Type.TEXT, "Which one.", Result::lease)
            .with("result", new Type.Choice(outcomes()), "What became of the file.", Result::what)
            .maybe("at", Type.TIME, "When it ended.", it -> it.outcome.map(FileOutcome::at))
            .maybe("repeated", Type.TRUTH, "It had ended before, and this is how.",
                    it -> it.outcome.map(FileOutcome::repeated))
            .maybe("problem", TROUBLE.type(), "Why it was refused.", Result::trouble);
    private static final Answer<List<Result>> RESULTS = RESULT.listed("LeaseResults", "results");

    private static final Input<List<String>> LEASES = Input.text("leases", "As they came with the files.").listed()
            .required();
    private static final Input<Boolean> KEEP = Input.truth("keep", "Keep the files, as completed.");
    private static final Input<String> ERROR = Input.text("error", "Why it failed.").required();
    private static final Input<Boolean> RETRYABLE = Input.truth("retryable",
            "False: it is of no use to try again. True if not said.");
    private static final Input<Boolean> PUT_OFF = Input.truth("putOff",
            "It is not the file's fault: tried again later, however often.");
    private static final Input<Duration> DELAY = Inputs.duration("delay",
            "How long to put it off; a delay that grows with each time if not said.");
    private static final Ask RENEW = Ask.of("Renewal", LEASES);
    private static final Ask COMPLETE = Ask.of("Completion", LEASES, KEEP);
    private static final Ask FAIL = Ask.of("Failure", LEASES, ERROR, RETRYABLE, PUT_OFF, DELAY);
    private static final Ask RELEASE = Ask.of("Release", LEASES);
    private static final String LEASES_PATH = "/v1/tenants/{tenant}/leases/";
    private static final String TAG = "Queue";

    private final Pool pool;

    public LeaseRoutes(Pool pool) {
        this.pool = pool;
    }

    private static List<String> outcomes() {
        List<String> words = new ArrayList<>(List.of(RENEWED, "refused"));
        words.addAll(((Type.Choice) Type.choice(FileOutcome.Kind.class)).words());
        return words;
    }

    public List<Route> routes() {
        return List.of(
                route("renew", "renewLeases", "Begin the terms of leases anew", RENEW, this::renew),
                route("complete", "completeFiles", "Done: the files go, or are kept as completed", COMPLETE,
                        this::complete),
                route("fail", "failFiles", "Not done: tried again after a delay, or given up", FAIL, this::fail),
                route("release", "releaseFiles", "Not even tried: back to their place", RELEASE, this::release));
    }

    private static Route route(String step, String id, String summary, Ask ask, Route.Handler handler) {
        return Route.post(LEASES_PATH + step).needs(Access.PROCESS).as(id, TAG, summary).takes(ask)
                .gives(200, RESULTS, "A result for each lease, in their order.").does(handler);
    }

    private Reply renew(Call call) throws IOException {
        return each(call, call.body(RENEW).get(LEASES), lease -> {
            pool.work().renew(lease);
            return Optional.empty();
        });
    }

    private Reply complete(Call call) throws IOException {
        Given given = call.body(COMPLETE);
        if (given.get(KEEP, false)) {
            return each(call, given.get(LEASES), lease -> Optional.of(pool.work().completeAndKeep(lease)));
        }
        List<String> texts = given.get(LEASES);
        List<FileLease> leases = texts.stream().map(text -> lease(call.tenant(), text)).toList();
        List<Optional<FileOutcome>> outcomes = pool.work().completeAll(leases);
        return Reply.ok(RESULTS, IntStream.range(0, leases.size()).mapToObj(i -> outcomes.get(i)
                .map(outcome -> new Result(texts.get(i), Optional.of(outcome), Optional.empty()))
                .orElseGet(() -> refused(texts.get(i), new FileLeaseLostException(leases.get(i))))).toList());
    }

    private Reply fail(Call call) throws IOException {
        Given given = call.body(FAIL);
        String error = given.get(ERROR);
        return each(call, given.get(LEASES), lease -> Optional.of(given.get(PUT_OFF, false)
                ? given.find(DELAY).map(delay -> pool.work().putOff(lease, error, delay))
                        .orElseGet(() -> pool.work().putOff(lease, error))
                : given.get(RETRYABLE, true)
                        ? pool.work().fail(lease, error)
                        : pool.work().failForGood(lease, error)));
    }

    private Reply release(Call call) throws IOException {
        return each(call, call.body(RELEASE).get(LEASES), lease -> Optional.of(pool.work().release(lease)));
    }

    private static Reply each(Call call, List<String> texts, Function<FileLease, Optional<FileOutcome>> step) {
        List<FileLease> leases = texts.stream().map(text -> lease(call.tenant(), text)).toList();
        List<Result> results = new ArrayList<>();
        for (FileLease lease : leases) {
            try {
                results.add(new Result(lease.toString(), step.apply(lease), Optional.empty()));
            } catch (PoolException e) {
                if (leases.size() == 1 && !(e instanceof FileLeaseLostException)) {
                    throw e;
                }
                results.add(refused(lease.toString(), e));
            }
        }
        return Reply.ok(RESULTS, results);
    }

    private static Result refused(String lease, PoolException e) {
        return new Result(lease, Optional.empty(), Optional.of(new Trouble(Problems.of(e))));
    }

    /** One of another tenant is none. */
    private static FileLease lease(TenantId tenant, String text) {
        FileLease lease = FileLease.parse(text);
        if (!lease.tenant().equals(tenant)) {
            throw new IllegalArgumentException("\"leases\": " + text + " is not a lease of tenant " + tenant);
        }
        return lease;
    }
}

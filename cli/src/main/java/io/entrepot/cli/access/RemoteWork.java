package io.entrepot.cli.access;

import io.entrepot.client.Administration;
import io.entrepot.client.Json;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.RequestRefusedException;
import io.entrepot.pool.job.JobState;
import io.entrepot.pool.job.RunReport;
import io.entrepot.store.Advice;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * A run of a server's job. It is known by when it began, so nobody mistakes another one for it that has begun since. Safe for use
 * by many threads: what they share is volatile, and one of them waits.
 */
final class RemoteWork<R> implements LongWork<R> {
    private final Administration administration;
    private final String job;
    private final Instant started;
    private final Function<Json, R> reader;
    private final boolean goesOn;
    private volatile Json last;
    private volatile boolean left;

    private RemoteWork(Administration administration, Json begun, Function<Json, R> reader, boolean goesOn) {
        this.administration = administration;
        this.job = begun.get("job").text();
        this.started = RemoteJobs.run(begun.get("run")).started();
        this.reader = reader;
        this.goesOn = goesOn;
        this.last = begun;
    }

    /** @param begun the job, as the server told it when it was started */
    static LongWork<RunReport> of(Administration administration, Json begun) {
        return new RemoteWork<>(administration, begun, RemoteWork::ended, false);
    }

    /** @param reader of the report that the run leaves */
    static <R> LongWork<R> of(Administration administration, Json begun, Function<Json, R> reader) {
        return new RemoteWork<>(administration, begun, ended -> reported(ended, reader), false);
    }

    /** It goes on when nobody waits for it any longer. */
    static LongWork<RunReport> goingOn(Administration administration, Json begun) {
        return new RemoteWork<>(administration, begun, RemoteWork::ended, true);
    }

    private static RunReport ended(Json job) {
        return RemoteJobs.run(job.get("run"));
    }

    private static <R> R reported(Json job, Function<Json, R> reader) {
        if (job.get("report").isMissing()) {
            throw new PoolUnavailableException(ended(job).error().orElse("job " + job.get("job").text()
                    + " was stopped"));
        }
        return reader.apply(job.get("report"));
    }

    @Override
    public RunReport report() {
        return ended(last);
    }

    @Override
    public Optional<RunReport> await(Duration longest) {
        if (!left) {
            last = asked(() -> administration.awaitRun(job, started, longest));
        }
        return Optional.of(report()).filter(now -> left || now.state() != JobState.RUNNING);
    }

    @Override
    public void stop() {
        if (goesOn) {
            left = true;
        } else {
            asked(() -> administration.cancelRun(job, started));
        }
    }

    @Override
    public R result() {
        return reader.apply(last);
    }

    private interface Question {
        Json ask();
    }

    private Json asked(Question question) {
        try {
            return question.ask();
        } catch (RequestRefusedException e) {
            if (e.code().equals("http.no-such-resource") || e.code().equals("pool.no-such-job")) {
                throw PoolException.told("pool.outcome-unknown", Advice.UNKNOWN,
                        "the server was started again while job "
                                + job + " ran, and does not know what came of it; look before doing it again",
                        0);
            }
            throw e;
        }
    }
}

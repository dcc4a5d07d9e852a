package io.entrepot.pool.job;

import static java.util.stream.Collectors.joining;

import java.util.Collection;

/** Nobody knows a job of that name, or not any more. */
public final class NoSuchJobException extends JobException {

    NoSuchJobException(JobName job, Collection<JobName> known) {
        super("pool.no-such-job", "there is no job " + job + (known.isEmpty()
                ? ", nor any other"
                : "; there are " + known.stream().map(JobName::toString).collect(joining(", "))));
    }
}

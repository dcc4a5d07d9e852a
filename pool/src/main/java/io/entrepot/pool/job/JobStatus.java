package io.entrepot.pool.job;

import java.time.Instant;
import java.util.Optional;

/**
 * A job, as it was when somebody looked.
 *
 * @param paused     it does not run by its schedule until it is resumed
 * @param run        the run of now, or the last one
 * @param outcome    of the last run that has ended and was no dry one
 * @param lastResult of the last run that came to its end
 * @param lastError  of the last run that failed, however many went well after it
 * @param runs       how many have begun
 * @param next       when it runs by itself, as far as known now
 */
public record JobStatus(JobName name, JobState state, Schedule schedule, boolean paused, Optional<RunReport> run,
        Optional<JobState> outcome, Optional<String> lastResult, Optional<String> lastError, long runs, long failures,
        Optional<Instant> next) {}

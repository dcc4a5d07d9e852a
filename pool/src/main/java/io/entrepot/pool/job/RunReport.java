package io.entrepot.pool.job;

import java.time.Instant;
import java.util.Optional;

/**
 * One run, as it was when somebody looked.
 *
 * @param state     {@code RUNNING}, {@code CANCELLED}, {@code FAILED} or {@code DONE}
 * @param cancelled it was asked to stop, whether it has or not
 */
public record RunReport(JobState state, JobRequest request, Instant started, Optional<Instant> ended,
        Progress progress, boolean cancelled, Optional<String> result, Optional<String> error) {}

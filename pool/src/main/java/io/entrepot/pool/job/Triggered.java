package io.entrepot.pool.job;

/**
 * What came of asking for a run.
 *
 * @param started false if the job was running already: then nothing was started, and {@code handle} is that run's
 */
public record Triggered(boolean started, JobHandle handle) {}

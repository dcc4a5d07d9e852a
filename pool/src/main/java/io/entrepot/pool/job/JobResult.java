package io.entrepot.pool.job;

/** What came of a run, for people: {@code "removed 12 directories"}. */
public record JobResult(String text) {}

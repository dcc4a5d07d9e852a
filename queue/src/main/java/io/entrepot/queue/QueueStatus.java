package io.entrepot.queue;

/** A queue, for people. */
public record QueueStatus(QueueName name, boolean paused, QueueCounts counts) {}

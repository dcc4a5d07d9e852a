package io.entrepot.queue;

import java.time.Duration;

/**
 * How the queues behave.
 *
 * @param priorityStep how much older an item of one lower priority must be to go first. Too large: low priorities wait
 * very long behind a steady stream of higher ones; too small: priorities hardly matter. They never starve
 * @param maxDeliveries leases that may run out before an item is dead: a file that kills its workers does not loop
 * @param memory how long outcomes, histories and idempotency keys outlive their item
 * @param background whether expiry, retries and forgetting run by themselves. If not, {@link Queues#tick} does them
 */
public record QueueConfig(Duration priorityStep, int maxDeliveries, Duration memory, boolean background) {
    public static final QueueConfig DEFAULT = new QueueConfig(Duration.ofMinutes(1), 5, Duration.ofDays(7), true);

    public QueueConfig {
        if (priorityStep.isNegative() || priorityStep.compareTo(Duration.ofDays(30)) > 0 || maxDeliveries < 1
                || memory.compareTo(Duration.ofDays(1)) < 0 || memory.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException("the priority step is from 0 to 30 days, there is at least one delivery,"
                    + " and memory is from 1 to 30 days: " + priorityStep + ", " + maxDeliveries + ", " + memory);
        }
    }

    public QueueConfig withPriorityStep(Duration value) {
        return new QueueConfig(value, maxDeliveries, memory, background);
    }

    public QueueConfig withMaxDeliveries(int value) {
        return new QueueConfig(priorityStep, value, memory, background);
    }

    public QueueConfig withMemory(Duration value) {
        return new QueueConfig(priorityStep, maxDeliveries, value, background);
    }

    public QueueConfig withBackground(boolean value) {
        return new QueueConfig(priorityStep, maxDeliveries, memory, value);
    }
}

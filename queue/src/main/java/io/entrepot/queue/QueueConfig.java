package io.entrepot.queue;

import java.time.Duration;

/**
 * How the queues behave.
 *
 * @param priorityStep how much older an item of one lower priority must be to go first. Too large: low priorities wait
 * very long behind a steady stream of higher ones; too small: priorities hardly matter. They never starve
 * @param maxDeliveries leases that may run out before an item is dead: a file that kills its workers does not loop
 * @param memory how long outcomes, histories and idempotency keys outlive their item
 * @param silence how long one of several processes on the same queues may be silent before the others go on with the
 * leases it has granted. Too small: a process that pauses is taken for dead, and its leases get fresh terms; too large:
 * the leases of one that died run out late
 * @param background whether expiry, retries and forgetting run by themselves. If not, {@link Queues#tick} does them
 */
public record QueueConfig(Duration priorityStep, int maxDeliveries, Duration memory, Duration silence,
        boolean background) {
    public static final QueueConfig DEFAULT = new QueueConfig(Duration.ofMinutes(1), 5, Duration.ofDays(7),
            Duration.ofSeconds(10), true);

    public QueueConfig {
        if (priorityStep.isNegative() || priorityStep.compareTo(Duration.ofDays(30)) > 0 || maxDeliveries < 1
                || memory.compareTo(Duration.ofDays(1)) < 0 || memory.compareTo(Duration.ofDays(30)) > 0) {
            throw new IllegalArgumentException("the priority step is from 0 to 30 days, there is at least one delivery,"
                    + " and memory is from 1 to 30 days: " + priorityStep + ", " + maxDeliveries + ", " + memory);
        }
        if (silence.compareTo(Duration.ofMillis(100)) < 0 || silence.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("a process may be silent for 100 ms to 1 hour: " + silence);
        }
    }

    public QueueConfig withPriorityStep(Duration value) {
        return new QueueConfig(value, maxDeliveries, memory, silence, background);
    }

    public QueueConfig withMaxDeliveries(int value) {
        return new QueueConfig(priorityStep, value, memory, silence, background);
    }

    public QueueConfig withMemory(Duration value) {
        return new QueueConfig(priorityStep, maxDeliveries, value, silence, background);
    }

    public QueueConfig withBackground(boolean value) {
        return new QueueConfig(priorityStep, maxDeliveries, memory, silence, value);
    }

    public QueueConfig withSilence(Duration value) {
        return new QueueConfig(priorityStep, maxDeliveries, memory, value, background);
    }
}

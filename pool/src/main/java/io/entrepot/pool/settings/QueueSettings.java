package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.queue.QueueConfig;
import java.time.Duration;
import java.util.List;

/** {@code [queue]}. */
final class QueueSettings {
    private static final Setting<Duration> CLAIM_TERM = Setting.of("claim-term",
            Kind.duration(Duration.ofMillis(100), Duration.ofDays(30)), "How long a bare claim lasts without renewal.")
            .or(Duration.ofMinutes(30)).tooSmall("a slow worker's result is refused.")
            .tooLarge("the files of a dead worker wait so long.").reloadable();
    private static final Setting<Duration> PRIORITY_STEP = Setting.of("priority-step",
            Kind.duration(Duration.ZERO, Duration.ofDays(30)),
            "How much older a file of one lower priority must be to go first.").or(QueueConfig.DEFAULT.priorityStep())
            .tooSmall("priorities hardly matter.").tooLarge("low priorities wait very long; they never starve.");
    private static final Setting<Integer> MAX_DELIVERIES = Setting.of("max-deliveries", Kind.whole(1, 1000),
            "So many leases on a file may run out before it is given up: a file that kills its workers does not loop.")
            .or(QueueConfig.DEFAULT.maxDeliveries()).tooSmall("a few killed workers give up good files.")
            .tooLarge("a file that kills its workers kills many.");
    private static final Setting<Duration> SILENCE = Setting.of("silence",
            Kind.duration(Duration.ofMillis(100), Duration.ofHours(1)),
            "How long one of several processes on a PostgreSQL may be silent before the others go on with its leases.")
            .or(QueueConfig.DEFAULT.silence()).tooSmall("a process that pauses is taken for dead.")
            .tooLarge("the leases of one that died run out late.");

    static final Section<Change> TABLE = new Section<>("queue", "How files are handed out.",
            List.of(CLAIM_TERM, PRIORITY_STEP, MAX_DELIVERIES, SILENCE), QueueSettings::read);

    private QueueSettings() {}

    private static Change read(Values values) {
        return config -> config.withClaimTerm(values.get(CLAIM_TERM))
                .withQueue(config.queue().withPriorityStep(values.get(PRIORITY_STEP))
                        .withMaxDeliveries(values.get(MAX_DELIVERIES)).withSilence(values.get(SILENCE)));
    }
}

package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import java.time.Duration;
import java.util.List;

/** {@code [history]}. */
final class HistorySettings {
    private static final Setting<Duration> KEEP = Setting.of("keep",
            Kind.duration(Duration.ofDays(1), Duration.ofDays(30)),
            "How long it is known what became of a file that is gone, and idempotency keys.").or(Duration.ofDays(7))
            .tooSmall("a file that is sent again later is a second one.").tooLarge("the database is larger.");

    static final Section<Change> TABLE = new Section<>("history", "What is remembered of files that are gone.",
            List.of(KEEP), values -> config -> config.withHistory(values.get(KEEP)));

    private HistorySettings() {}
}

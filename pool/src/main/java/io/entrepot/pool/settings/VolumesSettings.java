package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.Placement;
import java.time.Duration;
import java.util.List;

/** {@code [volumes]}: what is said of all of them together. */
final class VolumesSettings {
    private static final Setting<Placement> PLACEMENT = Setting.of("placement", Kind.choice(Placement.class),
            "Which of the volumes that have room gets a new file.").or(Placement.MOST_FREE).reloadable();
    private static final Setting<Long> SPARE_BELOW = Setting.of("spare-below", Kind.bytes(0, 1L << 60),
            "Spare volumes are taken into use ahead of need when all others together have fewer available bytes. With 0"
                    + " that is only when no other has room for a file.")
            .or(0L)
            .tooSmall("the others run full first, and what comes without a size may not fit.")
            .tooLarge("spares are used at once.").reloadable();
    private static final Setting<Duration> PROBE_EVERY = Setting.of("probe-every",
            Kind.duration(Duration.ofMillis(100), Duration.ofHours(1)), "How often volumes are tried.")
            .or(Duration.ofSeconds(10)).tooSmall("storage is kept busy with it.")
            .tooLarge("a volume that is back is used late.").reloadable();
    private static final Setting<Duration> PATIENCE = Setting.of("patience",
            Kind.duration(Duration.ofMillis(100), Duration.ofHours(1)),
            "How long a call on a volume may take before the volume counts as hanging.").or(Duration.ofSeconds(30))
            .tooSmall("slow storage is taken for dead.").tooLarge("callers wait long for dead storage.");

    static final Section<Change> TABLE = new Section<>("volumes", "How volumes are used.",
            List.of(PLACEMENT, SPARE_BELOW, PROBE_EVERY, PATIENCE), VolumesSettings::read);

    private VolumesSettings() {}

    private static Change read(Values values) {
        return config -> config.withPlacement(values.get(PLACEMENT)).withSpareBelow(values.get(SPARE_BELOW))
                .withProbeEvery(values.get(PROBE_EVERY)).withPatience(values.get(PATIENCE));
    }
}

package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.pool.Recovery;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code [recovery]}. */
final class RecoverySettings {
    private static final Setting<Boolean> REBUILD = Setting.of("rebuild", Kind.truth(),
            "It is set aside, restored from the newest backup, and completed by what the files on the volumes carry. If not,"
                    + " opening fails, says so, and changes nothing.")
            .or(Recovery.REFUSE.rebuilds());
    private static final Setting<Optional<Path>> BACKUPS = Setting.of("backups", Kind.path(),
            "A backup, or a directory with some. Not set: only what the volumes carry is known.").optional();

    static final Section<Change> TABLE = new Section<>("recovery",
            "What opening does with an embedded database that is damaged or gone.", List.of(REBUILD, BACKUPS),
            values -> config -> config.withRecovery(new Recovery(values.get(REBUILD), values.get(BACKUPS))));

    private RecoverySettings() {}
}

package io.entrepot.pool.settings;

import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.PoolConfig;
import java.time.Duration;
import java.util.List;

/** {@code [write]}. */
final class WriteSettings {
    private static final Setting<Long> REDO_LIMIT = Setting.of("redo-limit", Kind.bytes(0, PoolConfig.LARGEST_REDO),
            "Files up to this size share their syncs: their bytes are kept in the database until the volume was synced.")
            .or(64L << 10).tooSmall("a sync for each file.").tooLarge("much is written twice.");
    private static final Setting<Duration> SYNC_EVERY = Setting.of("sync-every",
            Kind.duration(Duration.ofMillis(1), Duration.ofHours(1)), "How often a volume is synced at most.")
            .or(Duration.ofSeconds(1)).tooSmall("the disk is busy with it.")
            .tooLarge("the database grows, and opening after a crash takes longer.");
    private static final Setting<Duration> UPLOAD_EXPIRY = Setting.of("upload-expiry",
            Kind.duration(Duration.ofSeconds(1), Duration.ofDays(30)),
            "How long a file that is written in pieces waits for its next piece.").or(Duration.ofDays(1))
            .tooSmall("an upload over a bad line begins again.").tooLarge("what was given up takes space so long.")
            .reloadable();

    static final Section<Change> TABLE = new Section<>("write", "How files get in.",
            List.of(REDO_LIMIT, SYNC_EVERY, UPLOAD_EXPIRY), WriteSettings::read);

    private WriteSettings() {}

    private static Change read(Values values) {
        return config -> config.withRedoLimit(Math.toIntExact(values.get(REDO_LIMIT)))
                .withSyncEvery(values.get(SYNC_EVERY)).withUploadExpiry(values.get(UPLOAD_EXPIRY));
    }
}

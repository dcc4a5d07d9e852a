package io.entrepot.pool.settings;

import io.entrepot.config.Entries;
import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantSpec;
import io.entrepot.pool.TenantStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** {@code [[tenant]]}. */
final class TenantSettings {
    private static final Setting<TenantId> ID = Setting.of("id", Kind.text().as("a tenant", TenantId::new,
            TenantId::name), "Its name: 1 to 63 of `a-z 0-9 . _ -`, starting with a letter or digit.");
    private static final Setting<Optional<Long>> MAX_FILES = Setting.of("max-files", Kind.count(0, Long.MAX_VALUE),
            "How many files it may have.").optional();
    private static final Setting<Optional<Long>> MAX_BYTES = Setting.of("max-bytes", Kind.bytes(0, 1L << 60),
            "How many bytes its files may have together.").optional();
    private static final Setting<Integer> WARN_PERCENT = Setting.of("warn-percent", Kind.whole(0, 100),
            "When it has more than so much of either, an event says so; 0 never does.")
            .or(TenantLimits.NONE.warnPercent());
    private static final Setting<Boolean> SHARD = Setting.of("shard", Kind.truth(),
            "It has a database file of its own, so that what damages one does not touch the others. Embedded only.")
            .or(false);

    private static final Setting<TenantStatus> STATUS = Setting.of("status", Kind.choice(TenantStatus.class),
            "What it may do when it is made; suspended: reads and endings only, disabled: nothing. Changed by hand later, it"
                    + " stays as it was changed.")
            .or(TenantStatus.ENABLED);

    static final Entries<Change> TABLES = new Section<>("tenant",
            "Whose files there are. Without any there is one, `default`.",
            List.of(ID, MAX_FILES, MAX_BYTES, WARN_PERCENT, SHARD, STATUS, RetrySettings.OWN), TenantSettings::read)
            .each()
            .distinctBy(ID).once();

    private TenantSettings() {}

    private static Change read(Values values) {
        TenantSpec spec = Change.checked(() -> new TenantSpec(values.get(ID),
                new TenantLimits(optional(values.get(MAX_FILES)), optional(values.get(MAX_BYTES)),
                        values.get(WARN_PERCENT)),
                values.get(RetrySettings.OWN), values.get(SHARD), values.get(STATUS)));
        return config -> config.withTenant(spec);
    }

    private static OptionalLong optional(Optional<Long> value) {
        return value.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }
}

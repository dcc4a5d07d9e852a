package io.entrepot.pool.settings;

import io.entrepot.config.Entries;
import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.QuotaRule;
import java.util.List;

/** {@code [[quota]]}. */
final class QuotaSettings {
    private static final Setting<String> PATTERN = Setting.of("pattern", Kind.text(),
            "Matched against `tenant/directory`, the tenant alone for its root; `*` is anything within a part, `**` anything"
                    + " at all.");
    private static final Setting<Long> MAX_FILES = Setting.of("max-files", Kind.count(0, Long.MAX_VALUE),
            "How many files each such directory may have.");
    private static final Setting<Integer> WARN_PERCENT = Setting.of("warn-percent", Kind.whole(0, 100),
            "When it has more than so much, an event says so; 0 never does.").or(80);
    private static final Setting<Boolean> INHERITED = Setting.of("inherited", Kind.truth(),
            "It also holds for each directory below one that matches, unless a rule of its own does.").or(true);
    private static final Setting<Boolean> ENABLED = Setting.of("enabled", Kind.truth(),
            "A rule that is switched off holds nowhere.").or(true);

    static final Entries<Change> TABLES = new Section<>("quota", "How many files logical directories may have.",
            List.of(PATTERN, MAX_FILES, WARN_PERCENT, INHERITED, ENABLED), QuotaSettings::read).each()
            .distinctBy(PATTERN).once();

    private QuotaSettings() {}

    private static Change read(Values values) {
        QuotaRule rule = Change.checked(() -> new QuotaRule(values.get(PATTERN), values.get(MAX_FILES),
                values.get(WARN_PERCENT), values.get(INHERITED), values.get(ENABLED)));
        return config -> config.withQuota(rule);
    }
}

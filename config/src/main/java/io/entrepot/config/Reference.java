package io.entrepot.config;

import java.util.Optional;

/** Writes a reference of all settings, as Markdown, so that it cannot differ from the code. */
public final class Reference {
    private static final String VALUES = "A *duration* is written as text with units, `\"500ms\"`, `\"30s\"`,"
            + " `\"1h30m\"`, `\"7d\"`; a *size* as `\"64KiB\"` (by 1024) or `\"10GB\"` (by 1000). A relative *path* is relative"
            + " to the directory of the configuration file. A wrong key or value is an error.\n\nA *change* counts after a *restart*, or in a running"
            + " program after a *reload*; *once* is what is read only when something is made.\n";

    private final StringBuilder text = new StringBuilder();

    private Reference() {}

    public static String markdown(String title, Section<?> root) {
        Reference reference = new Reference();
        reference.text.append("# ").append(title).append("\n\n").append(root.purpose()).append("\n\n").append(VALUES);
        reference.settings(root, "", Optional.empty());
        reference.tables(root, "", Optional.empty());
        return reference.text.toString();
    }

    private void settings(Section<?> section, String path, Optional<Effect> effect) {
        if (section.parts().stream().noneMatch(Setting.class::isInstance)) {
            return;
        }
        text.append("\n| key | value | default | change | what it is for |\n|---|---|---|---|---|\n");
        for (Part<?> part : section.parts()) {
            if (part instanceof Setting<?> setting) {
                row(setting, path, effect.orElse(setting.effect()));
            }
        }
    }

    private void tables(Section<?> section, String path, Optional<Effect> effect) {
        for (Part<?> part : section.parts()) {
            String key = Names.join(path, part.name());
            switch (part) {
                case Setting<?> _ -> {
                }
                case Section<?> inner -> table("[" + key + "]", inner, key, "", effect);
                case Entries<?> entries -> table("[[" + key + "]]", entries.each(), key, distinct(entries),
                        Optional.of(effect.orElse(entries.effect())));
            }
        }
    }

    private void table(String header, Section<?> section, String path, String note, Optional<Effect> effect) {
        text.append("\n## `").append(header).append("`\n\n").append(section.purpose()).append(note).append('\n');
        settings(section, path, effect);
        tables(section, path, effect);
    }

    private static String distinct(Entries<?> entries) {
        StringBuilder note = new StringBuilder(" There may be any number of them.");
        entries.distinct()
                .forEach(setting -> note.append(" No two have the same `").append(setting.name()).append("`."));
        return note.toString();
    }

    private <T> void row(Setting<T> setting, String path, Effect effect) {
        text.append("| `").append(Names.join(path, setting.name())).append("` | ")
                .append(cell(setting.kind().description())).append(" | ").append(cell(absence(setting)))
                .append(" | ").append(effect).append(" | ").append(cell(purpose(setting))).append(" |\n");
    }

    private static <T> String absence(Setting<T> setting) {
        return switch (setting.absence()) {
            case Setting.Absence.Refused<T> _ -> "**required**";
            case Setting.Absence.Unset<T> _ -> "not set";
            case Setting.Absence.Default<T>(T value) ->
                "`" + Written.toml(setting.kind().isSecret() ? Secret.MASK : setting.kind().write(value)) + "`";
        };
    }

    private static String purpose(Setting<?> setting) {
        return setting.purpose() + (setting.tooSmall().isEmpty() ? "" : " *Too small:* " + setting.tooSmall())
                + (setting.tooLarge().isEmpty() ? "" : " *Too large:* " + setting.tooLarge());
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace('\n', ' ');
    }
}

package io.entrepot.pool.settings;

import io.entrepot.config.Configuration;
import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Entries;
import io.entrepot.config.Kind;
import io.entrepot.config.Part;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.PoolConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A pool's configuration file, as TOML. Each table has a class of its own here, which says what it may have in it and what that
 * changes; to add one, write such a class and name it in one of the two lists. {@code docs/configuration.md} is made from this.
 */
public final class PoolSettings {
    static final Setting<Path> DIRECTORY = Setting.of("directory", Kind.path(),
            "The pool's own directory: the embedded database and, unless volumes are named, the first volume.")
            .or(Path.of("data"));
    static final Setting<Boolean> AUTO_CREATE = Setting.of("auto-create-tenants", Kind.truth(),
            "A tenant that is not known is created by its first file.").or(false).reloadable();

    private static final List<Section<Change>> TABLES = List.of(DatabaseSettings.TABLE, RetrySettings.TABLE,
            QueueSettings.TABLE, WriteSettings.TABLE, HistorySettings.TABLE, VolumesSettings.TABLE,
            CleanupSettings.TABLE, RecoverySettings.TABLE);
    private static final List<Entries<Change>> LISTS = List.of(VolumeSettings.TABLES, TenantSettings.TABLES,
            QuotaSettings.TABLES, WatcherSettings.TABLES);

    /** The whole file. */
    public static final Section<PoolConfig> ROOT = Section.root("A pool: where its files and its books are, and how it"
            + " treats them. What is durable is not configured but seeded: tenants, volumes, quotas and watchers named here are made if"
            + " they are not there, and never changed.", parts(), PoolSettings::config);

    private PoolSettings() {}

    /**
     * With where each setting comes from.
     *
     * @throws ConfigurationException with all mistakes of the file
     */
    public static Configuration<PoolConfig> read(Path file) {
        return Configuration.read(ROOT, file);
    }

    /** The same file with more tables in it, for a program that has settings of its own beside the pool's. */
    public static <T> Section<T> with(List<Section<?>> more, BiFunction<PoolConfig, Values, T> into) {
        List<Part<?>> parts = new ArrayList<>(parts());
        parts.addAll(more);
        return Section.root(ROOT.purpose(), parts, values -> into.apply(config(values), values));
    }

    private static List<Part<?>> parts() {
        List<Part<?>> parts = new ArrayList<>(List.of(DIRECTORY, AUTO_CREATE));
        parts.addAll(TABLES);
        parts.addAll(LISTS);
        return parts;
    }

    private static PoolConfig config(Values values) {
        PoolConfig config = PoolConfig.in(values.get(DIRECTORY)).withAutoCreateTenants(values.get(AUTO_CREATE));
        for (Section<Change> table : TABLES) {
            config = values.get(table).of(config);
        }
        for (Entries<Change> list : LISTS) {
            for (Change each : values.get(list)) {
                config = each.of(config);
            }
        }
        return config;
    }
}

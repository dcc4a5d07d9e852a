package io.entrepot.pool.settings;

import io.entrepot.config.Entries;
import io.entrepot.config.Kind;
import io.entrepot.config.Section;
import io.entrepot.config.Setting;
import io.entrepot.config.Values;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code [[watcher]]}. */
final class WatcherSettings {
    private static final WatcherSpec USUAL = WatcherSpec.ofAllTenants("usual", Path.of("usual"));

    /** What happens to a source. */
    enum After {
        DELETE, MOVE, KEEP
    }

    private static final Setting<String> ID = Setting.of("id", Kind.text(), "What operators call it.");
    private static final Setting<Path> PATH = Setting.of("path", Kind.path(),
            "The directory that is watched, made if there is none.");
    private static final Setting<Optional<TenantId>> TENANT = Setting.of("tenant",
            Kind.text().as("a tenant", TenantId::new, TenantId::name),
            "Whose all files are. Not set: each sub-directory has a tenant's name and its files.").optional();
    private static final Setting<Boolean> CREATE_DIRECTORIES = Setting.of("create-directories", Kind.truth(),
            "Without `tenant`: a sub-directory is made for every tenant that has none.").or(true);
    private static final Setting<Duration> POLL_EVERY = Setting.of("poll-every",
            Kind.duration(Duration.ofMillis(1), Duration.ofDays(365)),
            "How often all of it is looked at, whether or not changes are notified.").or(USUAL.pollingInterval())
            .tooSmall("busy with looking.").tooLarge("where nothing is notified, files wait that long.");
    private static final Setting<Integer> AT_ONCE = Setting.of("at-once", Kind.whole(1, 1000),
            "How many files are read at once; small ones may be more.").or(USUAL.maxConcurrentImports());
    private static final Setting<Duration> MIN_AGE = Setting.of("min-age",
            Kind.duration(Duration.ZERO, Duration.ofDays(365)),
            "How long a file must have been seen unchanged, whatever its times say.").or(USUAL.minFileAge())
            .tooSmall("a sender that pauses loses the rest of its file.").tooLarge("every file waits that long.");
    private static final Setting<Long> MAX_SIZE = Setting.of("max-size", Kind.bytes(0, 1L << 60),
            "Larger files are skipped and reported; `\"0B\"` is any size.").or(USUAL.maxFileSize());
    private static final Setting<List<String>> PATTERNS = Setting.of("patterns", Kind.listOf(Kind.text()),
            "Which files are imported; `*.*` is every file, also one without a dot.").or(USUAL.patterns());
    private static final Setting<List<String>> EXCLUDES = Setting.of("excludes", Kind.listOf(Kind.text()),
            "Which are not, and which directories are not entered.").or(USUAL.excludes());
    private static final Setting<After> AFTER = Setting.of("after", Kind.choice(After.class),
            "What happens to a source once it is imported, for good.").or(After.DELETE);
    private static final Setting<Optional<Path>> MOVE_TO = Setting.of("move-to", Kind.path(),
            "Where it is moved, on the same file system and not inside of a watched directory.").optional();
    private static final Setting<Boolean> RECURSIVE = Setting.of("recursive", Kind.truth(),
            "Files in sub-directories too; the directory becomes the file's logical one.").or(USUAL.recursive());
    private static final Setting<Optional<String>> MARKER = Setting.of("marker", Kind.text(),
            "A file is complete when one is beside it whose name has this appended, as `.done`.").optional();
    private static final Setting<Integer> PRIORITY = Setting.of("priority", Kind.whole(-1000, 1000),
            "Of the files; higher goes first.").or(USUAL.priority());
    private static final Setting<List<String>> LABELS = Setting.of("labels", Kind.listOf(Kind.text()),
            "Of the files, each as `name=value`.").or(List.of());
    private static final Setting<Boolean> ENABLED = Setting.of("enabled", Kind.truth(),
            "One that is not only waits to be enabled.").or(true);

    static final Entries<Change> TABLES = new Section<>("watcher", "Directories whose files are imported.",
            List.of(ID, PATH, TENANT, CREATE_DIRECTORIES, POLL_EVERY, AT_ONCE, MIN_AGE, MAX_SIZE, PATTERNS, EXCLUDES,
                    AFTER, MOVE_TO, RECURSIVE, MARKER, PRIORITY, LABELS, ENABLED),
            WatcherSettings::read).each().distinctBy(ID).once();

    private WatcherSettings() {}

    private static Change read(Values values) {
        WatcherSpec spec = Change.checked(() -> new WatcherSpec(new WatcherId(values.get(ID)), values.get(TENANT)
                .<WatchMode>map(WatchMode.OneTenant::new)
                .orElseGet(() -> new WatchMode.ManyTenants(values.get(CREATE_DIRECTORIES))), values.get(PATH),
                values.get(POLL_EVERY), values.get(AT_ONCE), values.get(MIN_AGE), values.get(MAX_SIZE),
                values.get(PATTERNS), values.get(EXCLUDES), after(values), values.get(RECURSIVE), values.get(MARKER),
                values.get(PRIORITY), labels(values.get(LABELS)), values.get(ENABLED)));
        return config -> config.withWatcher(spec);
    }

    private static PostImport after(Values values) {
        Optional<Path> target = values.get(MOVE_TO);
        if (values.get(AFTER) != After.MOVE && target.isPresent()) {
            throw new IllegalArgumentException("move-to is for after = \"move\"");
        }
        return switch (values.get(AFTER)) {
            case DELETE -> new PostImport.Delete();
            case KEEP -> new PostImport.Keep();
            case MOVE -> new PostImport.Move(target
                    .orElseThrow(() -> new IllegalArgumentException("after = \"move\" needs move-to")));
        };
    }

    private static Map<String, String> labels(List<String> written) {
        Map<String, String> labels = new HashMap<>();
        for (String label : written) {
            int equals = label.indexOf('=');
            if (equals < 1 || labels.put(label.substring(0, equals), label.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("labels are written as name=value, each name once: " + label);
            }
        }
        return labels;
    }
}

package io.entrepot.cli;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a watcher is to be; what is not said stays as it is, or usual. */
final class WatcherOptions {
    @Option(names = {"-t", "--tenant"}, paramLabel = "TENANT",
            description = "All files are this tenant's (a new watcher: default).")
    @Nullable
    String tenant;

    @Option(names = "--all-tenants", description = "Each sub-directory has a tenant's name and its files.")
    boolean allTenants;

    @Option(names = "--create-directories", negatable = true,
            description = "With --all-tenants: make a sub-directory for every tenant (a new watcher: yes).")
    @Nullable
    Boolean createDirectories;

    @Option(names = "--interval", paramLabel = "DURATION",
            description = "How often all of it is looked at, notified or not (30s).")
    @Nullable
    String interval;

    @Option(names = "--min-age", paramLabel = "DURATION",
            description = "How long a file must have been seen unchanged (5s).")
    @Nullable
    String minAge;

    @Option(names = "--marker", paramLabel = "SUFFIX",
            description = "A file is complete when one of its name and this, as .done, is there; 'none' for no marker.")
    @Nullable
    String marker;

    @Option(names = "--at-once", paramLabel = "N", description = "How many files are read at once (8).")
    @Nullable
    Integer atOnce;

    @Option(names = "--max-size", paramLabel = "SIZE", description = "Larger files are left; 'none' for any size.")
    @Nullable
    String maxSize;

    @Option(names = "--pattern", paramLabel = "GLOB",
            description = "Which files are imported; may be repeated (*.*, which is every file).")
    @Nullable
    List<String> patterns;

    @Option(names = "--exclude", paramLabel = "GLOB",
            description = "Which are not, and which directories are not entered; may be repeated; 'none' for none"
                    + " (hidden ones and those that programs have not finished).")
    @Nullable
    List<String> excludes;

    @Option(names = "--recursive", negatable = true, description = "What lies in sub-directories, too (yes).")
    @Nullable
    Boolean recursive;

    @Option(names = "--delete", description = "Delete sources that are imported (so it is for a new watcher).")
    boolean delete;

    @Option(names = "--move", paramLabel = "DIR", description = "Move them to a directory of the same file system.")
    @Nullable
    Path move;

    @Option(names = "--keep", description = "Leave them where they are.")
    boolean keep;

    @Option(names = "--priority", paramLabel = "N", description = "Of the files; higher goes first (0).")
    @Nullable
    Integer priority;

    @Option(names = "--label", paramLabel = "NAME=VALUE",
            description = "A label for the files; may be repeated, and replaces those there were.")
    @Nullable
    Map<String, String> labels;

    private static final String NONE = "none";

    /** What was said, put upon what there is. */
    WatcherSpec on(WatcherSpec spec) {
        WatcherSpec changed = spec.withMode(mode(spec.mode()));
        changed = createDirectories == null ? changed : withDirectories(changed, createDirectories);
        changed = interval == null ? changed : changed.withPollingInterval(Durations.parse(interval));
        // A marker allows for no age, so it comes first; and goes last.
        changed = marker == null || marker.equals(NONE) ? changed : changed.withMarker(Optional.of(marker));
        changed = minAge == null ? changed : changed.withMinFileAge(Durations.parse(minAge));
        changed = NONE.equals(marker) ? changed.withMarker(Optional.empty()) : changed;
        changed = atOnce == null ? changed : changed.withMaxConcurrentImports(atOnce);
        changed = maxSize == null ? changed : changed.withMaxFileSize(maxSize.equals(NONE) ? 0 : Sizes.parse(maxSize));
        changed = patterns == null ? changed : changed.withPatterns(patterns);
        changed = excludes == null
                ? changed
                : changed.withExcludes(excludes.equals(List.of(NONE)) ? List.of() : excludes);
        changed = recursive == null ? changed : changed.withRecursive(recursive);
        changed = changed.withPostImport(afterwards(spec.postImport()));
        changed = priority == null ? changed : changed.withPriority(priority);
        return labels == null ? changed : changed.withLabels(labels);
    }

    private WatchMode mode(WatchMode now) {
        if (allTenants && tenant != null) {
            throw usage("--tenant is for the files of one tenant, --all-tenants for those of all: one of them");
        }
        if (tenant != null) {
            return new WatchMode.OneTenant(new TenantId(tenant));
        }
        return allTenants && !(now instanceof WatchMode.ManyTenants) ? new WatchMode.ManyTenants(true) : now;
    }

    private static WatcherSpec withDirectories(WatcherSpec spec, boolean create) {
        if (!(spec.mode() instanceof WatchMode.ManyTenants)) {
            throw usage("directories are created for tenants with --all-tenants");
        }
        return spec.withAutoCreateTenantDirectories(create);
    }

    private PostImport afterwards(PostImport now) {
        if (Stream.of(delete, keep, move != null).filter(said -> said).count() > 1) {
            throw usage("sources are deleted, moved or kept: one of --delete, --move and --keep");
        }
        if (move != null) {
            return new PostImport.Move(move);
        }
        return delete ? new PostImport.Delete() : keep ? new PostImport.Keep() : now;
    }

    private static Failure usage(String message) {
        return new Failure("usage", message, ExitCode.USAGE);
    }
}

package io.entrepot.server.pool;

import io.entrepot.pool.watch.ImportProblem;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.json.Words;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Watchers as they are answered. */
final class WatcherAnswers {
    /** What happens to a source once it is imported. */
    enum After {
        DELETE, MOVE, KEEP;

        static After of(PostImport what) {
            return switch (what) {
                case PostImport.Delete() -> DELETE;
                case PostImport.Move(_) -> MOVE;
                case PostImport.Keep() -> KEEP;
            };
        }
    }

    static final Answer<WatcherSpec> WATCHER = Answer.<WatcherSpec>named("Watcher")
            .with("id", Type.TEXT, "Its name.", WatcherSpec::id)
            .with("path", Type.TEXT, "The directory.", WatcherSpec::path)
            .maybe("tenant", Type.TEXT, "Whose all files are; none: each sub-directory has a tenant's name.",
                    spec -> spec.mode() instanceof WatchMode.OneTenant(var tenant)
                            ? Optional.of(tenant)
                            : Optional.empty())
            .maybe("createDirectories", Type.TRUTH, "Makes a sub-directory for each tenant that has none.",
                    spec -> spec.mode() instanceof WatchMode.ManyTenants(boolean create)
                            ? Optional.of(create)
                            : Optional.empty())
            .with("pollingInterval", Type.DURATION, "How often all of it is looked at.", WatcherSpec::pollingInterval)
            .with("maxConcurrentImports", Type.COUNT, "How many are read at once.", WatcherSpec::maxConcurrentImports)
            .with("minFileAge", Type.DURATION, "How long a file must be unchanged.", WatcherSpec::minFileAge)
            .with("maxFileSize", Type.COUNT, "0 for any size.", WatcherSpec::maxFileSize)
            .with("patterns", Type.TEXTS, "Which files.", WatcherSpec::patterns)
            .with("excludes", Type.TEXTS, "Which not.", WatcherSpec::excludes)
            .with("afterImport", Type.choice(After.class), "What happens to a source.", spec -> After.of(spec
                    .postImport()))
            .maybe("moveTo", Type.TEXT, "Where to, if it is moved.",
                    spec -> spec.postImport() instanceof PostImport.Move(Path to) ? Optional.of(to) : Optional.empty())
            .with("recursive", Type.TRUTH, "Sub-directories too.", WatcherSpec::recursive)
            .maybe("marker", Type.TEXT, "What is added to a name to give that of the file that says it is complete.",
                    WatcherSpec::marker)
            .with("priority", Type.WHOLE, "Of the files.", WatcherSpec::priority)
            .with("labels", new Type.MapOf(Type.TEXT), "Of the files.", WatcherSpec::labels)
            .with("enabled", Type.TRUTH, "Whether it looks by itself.", WatcherSpec::enabled);
    private static final Answer<ImportProblem> PROBLEM = Answer.<ImportProblem>named("ImportProblem")
            .with("at", Type.TIME, "When it was last seen.", ImportProblem::at)
            .with("path", Type.TEXT, "Below the watched directory.", ImportProblem::path)
            .with("what", Type.TEXT, "What is wrong.", ImportProblem::what);
    static final Answer<WatcherStatus> STATUS = Answer.<WatcherStatus>named("WatcherDetail")
            .including(WATCHER, WatcherStatus::spec)
            .with("scanning", Type.TRUTH, "Whether it looks or imports now.", WatcherStatus::scanning)
            .maybe("lastScan", Type.TIME, "When the last look at everything ended.", WatcherStatus::lastScan)
            .maybe("nextScan", Type.TIME, "When it looks next.", WatcherStatus::nextScan)
            .with("importedFiles", Type.COUNT, "Since it was added.", WatcherStatus::importedFiles)
            .with("importedBytes", Type.COUNT, "Since it was added.", WatcherStatus::importedBytes)
            .with("skipped", new Type.MapOf(Type.COUNT), "Of the last look at everything, by reason.",
                    WatcherAnswers::skipped)
            .with("failed", Type.COUNT, "How many wait to be tried again.", WatcherStatus::failed)
            .with("parked", Type.COUNT, "How many have failed too often.", WatcherStatus::parked)
            .with("problems", new Type.ListOf(PROBLEM.type()), "The last of them, oldest first.",
                    WatcherStatus::problems)
            .with("notification", Type.TEXT, "Whether changes are notified, and if not why.",
                    WatcherStatus::notification)
            .maybe("lastError", Type.TEXT, "Why the last look could not be finished.", WatcherStatus::lastError);
    static final Answer<ParkedImport> PARKED = Answer.<ParkedImport>named("ParkedImport")
            .with("path", Type.TEXT, "Below the watched directory.", ParkedImport::path)
            .with("tenant", Type.TEXT, "Whose it would be.", ParkedImport::tenant)
            .with("size", Type.COUNT, "In bytes.", ParkedImport::size)
            .with("attempts", Type.COUNT, "How often it was tried.", ParkedImport::attempts)
            .with("error", Type.TEXT, "Why it failed.", ParkedImport::error)
            .with("at", Type.TIME, "When it last failed.", ParkedImport::at);

    private WatcherAnswers() {}

    private static Map<String, Long> skipped(WatcherStatus status) {
        Map<String, Long> all = new TreeMap<>();
        status.skipped().forEach((reason, count) -> all.put(Words.of(reason), count));
        return all;
    }
}

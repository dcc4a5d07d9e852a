package io.entrepot.cli;

import io.entrepot.pool.watch.ImportProblem;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A watcher, as commands print it. */
record WatcherText(WatcherStatus status) {

    static Columns table() {
        return new Columns("WATCHER", "FILES OF", "STATE", "IMPORTED", "BYTES", "SKIPPED", "FAILED", "PARKED",
                "LAST SCAN", "PATH").right(3, 4, 5, 6, 7);
    }

    void addTo(Columns table) {
        long skipped = status.skipped().values().stream().mapToLong(Long::longValue).sum();
        table.row(spec().id(), tenants(spec()), state(), status.importedFiles(), Sizes.of(status.importedBytes()),
                status.lastScan().isPresent() ? skipped : "-", status.failed(), status.parked(),
                status.lastScan().map(Times::of).orElse("-"),
                spec().path() + status.lastError().map(error -> "  (" + error + ")").orElse(""));
    }

    JsonObject json() {
        return json(spec()).with("scanning", status.scanning()).with("importedFiles", status.importedFiles())
                .with("importedBytes", status.importedBytes()).with("skipped", skipped())
                .with("failed", status.failed()).with("parked", status.parked())
                .with("lastScan", status.lastScan()).with("notification", status.notification())
                .with("lastError", status.lastError())
                .with("problems", status.problems().stream().map(problem -> new JsonObject().with("at", problem.at())
                        .with("path", problem.path()).with("what", problem.what()).fields()).toList());
    }

    static JsonObject json(WatcherSpec spec) {
        JsonObject object = new JsonObject().with("watcher", spec.id()).with("path", spec.path().toString());
        switch (spec.mode()) {
            case WatchMode.OneTenant(var tenant) -> object.with("tenant", tenant);
            case WatchMode.ManyTenants(var create) -> object.with("allTenants", true).with("createDirectories", create);
        }
        return object.with("enabled", spec.enabled()).with("interval", spec.pollingInterval())
                .with("minAge", spec.minFileAge()).with("marker", spec.marker())
                .with("atOnce", spec.maxConcurrentImports())
                .with("maxSize", spec.maxFileSize()).with("patterns", spec.patterns()).with("excludes", spec.excludes())
                .with("recursive", spec.recursive()).with("after", after(spec.postImport()))
                .with("moveTo", moveTo(spec.postImport())).with("priority", spec.priority())
                .with("labels", new TreeMap<>(spec.labels()));
    }

    /** All that is known, a line each. */
    void print(PrintWriter out) {
        line(out, "watcher", spec().id() + ", " + state());
        line(out, "path", spec().path());
        line(out, "files of", tenants(spec()) + (spec().mode() instanceof WatchMode.ManyTenants(boolean create)
                ? ", each in a directory of its name" + (create ? ", which is made" : "")
                : ""));
        line(out, "looks", "every " + Times.of(spec().pollingInterval())
                + (spec().recursive() ? ", also below" : ", not below") + "; " + spec().maxConcurrentImports()
                + " files at once");
        line(out, "takes", String.join(" ", spec().patterns())
                + (spec().excludes().isEmpty() ? "" : ", but not " + String.join(" ", spec().excludes()))
                + (spec().maxFileSize() == 0 ? "" : ", up to " + Sizes.of(spec().maxFileSize())));
        line(out, "when", "unchanged for " + Times.of(spec().minFileAge())
                + spec().marker().map(marker -> ", and NAME" + marker + " is there").orElse(""));
        line(out, "then", after(spec().postImport()) + moveTo(spec().postImport()).map(to -> " to " + to).orElse(""));
        line(out, "priority", spec().priority());
        line(out, "labels", spec().labels().isEmpty()
                ? "-"
                : new TreeMap<>(spec().labels()).entrySet().stream().map(Object::toString)
                        .collect(Collectors.joining(", ")));
        line(out, "imported", status.importedFiles() + " files, " + Sizes.of(status.importedBytes()));
        line(out, "failed", status.failed() + " to be tried again, " + status.parked() + " parked");
        line(out, "last scan", status.lastScan().map(Times::of).orElse("none by this process")
                + status.lastError().map(error -> "; failed: " + error).orElse(""));
        line(out, "skipped", skippedText().orElse("-"));
        line(out, "changes", status.notification());
        for (ImportProblem problem : status.problems()) {
            line(out, "problem", Times.of(problem.at()) + "  " + problem.path() + ": " + problem.what());
        }
    }

    /** Why files were not imported, in words. */
    Optional<String> skippedText() {
        return status.skipped().isEmpty()
                ? Optional.empty()
                : Optional.of(new TreeMap<>(status.skipped()).entrySet().stream()
                        .map(each -> each.getValue() + " " + words(each.getKey())).collect(Collectors.joining(", ")));
    }

    private static String words(SkipReason reason) {
        return Words.of(reason).replace('-', ' ');
    }

    private Map<String, Long> skipped() {
        return new TreeMap<>(status.skipped()).entrySet().stream().collect(Collectors.toMap(
                each -> Words.of(each.getKey()), Map.Entry::getValue, (a, _) -> a, TreeMap::new));
    }

    private WatcherSpec spec() {
        return status.spec();
    }

    private String state() {
        return spec().enabled() ? "enabled" : "disabled";
    }

    private static String tenants(WatcherSpec spec) {
        return switch (spec.mode()) {
            case WatchMode.OneTenant(var tenant) -> tenant.name();
            case WatchMode.ManyTenants _ -> "all tenants";
        };
    }

    private static String after(PostImport afterwards) {
        return switch (afterwards) {
            case PostImport.Delete() -> "delete";
            case PostImport.Move _ -> "move";
            case PostImport.Keep() -> "keep";
        };
    }

    private static Optional<String> moveTo(PostImport afterwards) {
        return afterwards instanceof PostImport.Move(var to) ? Optional.of(to.toString()) : Optional.empty();
    }

    private static void line(PrintWriter out, String name, Object value) {
        out.println(String.format("%-11s %s", name, value));
    }

    /** For who has just added one: that sources go is not to be learned by losing them. */
    static String whatBecomesOfFiles(WatcherSpec spec) {
        return (spec.enabled() ? "" : "when it is enabled, ")
                + "files are imported while a process has the pool open ('entrepot serve', 'entrepot pool run'), and then "
                + switch (spec.postImport()) {
                    case PostImport.Delete() -> "deleted here (--keep or --move DIR: not)";
                    case PostImport.Move(Path to) -> "moved to " + to;
                    case PostImport.Keep() -> "stay here as well";
                };
    }
}

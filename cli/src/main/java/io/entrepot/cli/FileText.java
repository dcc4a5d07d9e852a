package io.entrepot.cli;

import io.entrepot.pool.FileInfo;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.stream.Collectors;

/** A file of the pool, as commands print it. */
record FileText(FileInfo file) {
    private static final int NAME_WIDTH = 48;
    private static final int DIRECTORY_WIDTH = 32;

    static Columns table() {
        return new Columns("KEY", "STATUS", "SIZE", "CREATED", "DIRECTORY", "NAME").right(2);
    }

    void addTo(Columns table) {
        table.row(file.key(), Words.of(file.status()), Sizes.of(file.size()), Times.of(file.created()),
                TextWidth.cut(file.directory().path(), DIRECTORY_WIDTH),
                file.name().map(name -> TextWidth.cut(name, NAME_WIDTH)).orElse("-"));
    }

    JsonObject json() {
        return new JsonObject().with("tenant", file.tenant()).with("key", file.key()).with("name", file.name())
                .with("directory", file.directory()).with("size", file.size()).with("sha256", file.sha256())
                .with("labels", file.labels().all()).with("created", file.created())
                .with("modified", file.modified()).with("volume", file.volume())
                .with("path", file.path().map(Object::toString)).with("status", file.status())
                .with("since", file.since())
                .with("priority", file.priority()).with("attempts", file.attempts())
                .with("deliveries", file.deliveries()).with("epoch", file.epoch()).with("worker", file.worker())
                .with("lastError", file.lastError()).with("lastFailedAt", file.lastFailedAt())
                .with("availableAt", file.availableAt()).with("source", file.source())
                .with("unreadable", file.unreadable());
    }

    /** All that is known, a line each. */
    void print(PrintWriter out) {
        line(out, "key", file.key());
        line(out, "tenant", file.tenant());
        line(out, "name", file.name().orElse("-"));
        line(out, "directory", file.directory());
        line(out, "size", Sizes.of(file.size()) + (file.size() < 1024 ? "" : " (" + file.size() + " bytes)"));
        line(out, "sha256", file.sha256());
        line(out, "status", Words.of(file.status()) + ", since " + Times.of(file.since())
                + file.worker().map(who -> ", by " + who).orElse(""));
        file.availableAt().ifPresent(at -> line(out, "available", Times.of(at)));
        line(out, "priority", file.priority());
        line(out, "handed out", file.epoch() + " times, failed " + file.attempts() + ", leases run out "
                + file.deliveries());
        file.lastError().ifPresent(error -> line(out, "last error",
                TextWidth.cut(error, 200) + file.lastFailedAt().map(FileText::at).orElse("")));
        if (!file.labels().isEmpty()) {
            line(out, "labels", file.labels().all().entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue()).collect(Collectors.joining(", ")));
        }
        line(out, "created", Times.of(file.created()));
        file.modified().ifPresent(time -> line(out, "modified", Times.of(time)));
        file.source().ifPresent(source -> line(out, "came from", source));
        line(out, "volume", file.volume());
        file.unreadable().ifPresent(why -> line(out, "unreadable", "now: " + why));
        file.path().ifPresent(path -> line(out, "path", path));
    }

    private static String at(Instant time) {
        return " (" + Times.of(time) + ")";
    }

    private static void line(PrintWriter out, String what, Object value) {
        out.println(String.format("%-11s %s", what, value));
    }
}

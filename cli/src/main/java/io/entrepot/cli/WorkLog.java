package io.entrepot.cli;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * What {@code work} says and counts. For people, its lines go to stderr, since stdout is that of the commands; as JSON it is the
 * other way round. Safe for use by many threads: a line is printed in one piece.
 */
final class WorkLog {
    private static final Clock CLOCK = Clock.systemUTC();
    private static final int ERROR_WIDTH = 120;

    private final OnPool on;
    private final Instant began = CLOCK.instant();
    /** Guarded by this. */
    private final Map<FileOutcome.Kind, Integer> counts = new EnumMap<>(FileOutcome.Kind.class);
    private int lost;

    WorkLog(OnPool on) {
        this.on = on;
    }

    synchronized void started(ClaimedFile claimed, String worker) {
        if (on.json) {
            on.out().println(event("started", claimed).with("worker", worker).with("lease", claimed.lease())
                    .with("path", claimed.file().path().map(Object::toString))
                    .with("attempt", claimed.file().attempts() + 1));
            on.out().flush();
        }
    }

    synchronized void ended(ClaimedFile claimed, FileOutcome.Kind kind, Optional<String> note, Duration took) {
        counts.merge(kind, 1, Integer::sum);
        print(claimed, Words.of(kind), note, took);
    }

    synchronized void lost(ClaimedFile claimed, Duration took) {
        lost++;
        print(claimed, "lease-lost", Optional.empty(), took);
    }

    private void print(ClaimedFile claimed, String what, Optional<String> note, Duration took) {
        if (on.json) {
            on.out().println(event(what, claimed).with("seconds", took.toMillis() / 1000.0).with("note", note));
            on.out().flush();
        } else {
            on.err().println(String.format("%-18s  %s  %s  %s%s", what, claimed.key(), Times.of(took),
                    name(claimed.file()), note.map(text -> "  (" + TextWidth.cut(text, ERROR_WIDTH) + ")").orElse("")));
            on.err().flush();
        }
    }

    /** Something to know that is about no single file. */
    synchronized void say(String text) {
        if (!on.json) {
            on.err().println(text);
            on.err().flush();
        }
    }

    synchronized void commandOutput(String line) {
        (on.json ? on.err() : on.out()).println(line);
        (on.json ? on.err() : on.out()).flush();
    }

    synchronized void commandError(String line) {
        on.err().println(line);
        on.err().flush();
    }

    synchronized void summary() {
        Duration took = Duration.between(began, CLOCK.instant());
        if (on.json) {
            on.out().println(new JsonObject().with("event", "summary").with("files", files())
                    .with("completed", count(FileOutcome.Kind.COMPLETED)).with("kept", count(FileOutcome.Kind.KEPT))
                    .with("retrying", count(FileOutcome.Kind.RETRYING))
                    .with("permanentlyFailed", count(FileOutcome.Kind.PERMANENTLY_FAILED))
                    .with("released", count(FileOutcome.Kind.RELEASED))
                    .with("putOff", count(FileOutcome.Kind.PUT_OFF)).with("leaseLost", lost)
                    .with("seconds", took.toMillis() / 1000.0));
            on.out().flush();
            return;
        }
        StringJoiner parts = new StringJoiner(", ");
        add(parts, count(FileOutcome.Kind.COMPLETED) + count(FileOutcome.Kind.KEPT), "completed");
        add(parts, count(FileOutcome.Kind.RETRYING), "to be tried again");
        add(parts, count(FileOutcome.Kind.PERMANENTLY_FAILED), "given up");
        add(parts, count(FileOutcome.Kind.RELEASED), "given back");
        add(parts, count(FileOutcome.Kind.PUT_OFF), "put off");
        add(parts, lost, "lost to others");
        say(files() + (files() == 1 ? " file" : " files") + " in " + Times.of(took)
                + (files() == 0 ? "" : ": " + parts));
    }

    synchronized int files() {
        return counts.values().stream().mapToInt(Integer::intValue).sum() + lost;
    }

    /** Nothing failed, nothing was lost. */
    synchronized boolean allWell() {
        return lost == 0 && count(FileOutcome.Kind.RETRYING) == 0 && count(FileOutcome.Kind.PERMANENTLY_FAILED) == 0;
    }

    /** The storage of some files was not there. */
    synchronized boolean putOffSome() {
        return count(FileOutcome.Kind.PUT_OFF) > 0;
    }

    private int count(FileOutcome.Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    private static void add(StringJoiner parts, int number, String what) {
        if (number > 0) {
            parts.add(number + " " + what);
        }
    }

    private static JsonObject event(String what, ClaimedFile claimed) {
        return new JsonObject().with("event", what).with("at", CLOCK.instant())
                .with("tenant", claimed.file().tenant()).with("key", claimed.key())
                .with("name", claimed.file().name());
    }

    private static String name(FileInfo file) {
        return file.name().orElse("-");
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.HistoryEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A file's history in sentences. */
public final class Explanation {

    private Explanation() {}

    public static List<String> of(FileHistory history, Instant now) {
        List<String> sentences = new ArrayList<>();
        sentences.add("File " + history.key() + history.name().map(name -> " (\"" + name + "\")").orElse("")
                + " of tenant " + history.tenant() + ", " + history.size() + " bytes.");
        history.entries().forEach(entry -> sentences.add(entry.at() + ": " + sentence(entry)));
        history.file().ifPresent(file -> sentences.add(state(file, now)));
        history.gone().ifPresent(gone -> sentences.add("It is gone since " + gone.at() + ": " + gone.why() + "."));
        return sentences;
    }

    private static String sentence(HistoryEntry entry) {
        String who = entry.worker().orElse("somebody");
        String why = entry.note().map(note -> ": " + note).orElse("");
        return switch (entry.what()) {
            case "written" -> "it was written" + entry.note().map(note -> ", " + note).orElse("") + ".";
            case "claimed" -> who + " claimed it (epoch " + entry.epoch() + ").";
            case "completed" -> who + " completed it.";
            case "failed" -> who + " failed, to be tried again" + why + ".";
            case "failed-permanently" -> who + " failed, for good" + why + ".";
            case "put-off" -> who + " put it off" + why + ".";
            case "given-back" -> who + " gave it back.";
            case "lease-expired" -> "the lease of " + who + " (epoch " + entry.epoch() + ") ran out.";
            case "taken-back" -> "it was taken back from " + who + ".";
            case "reset" -> "an operator made it pending again" + why + ".";
            case "moved" -> "it was moved" + entry.note().map(note -> " " + note).orElse("") + ".";
            case "rebuilt" -> "it was rebuilt from what its bytes carry" + why + ".";
            case "released" -> "an operator released it.";
            case "deleted" -> "it was deleted" + why + ".";
            default -> entry.what() + why + ".";
        };
    }

    private static String state(FileInfo file, Instant now) {
        String where = " Its bytes are on volume " + file.volume() + file.path().map(path -> ", at " + path).orElse("")
                + ".";
        return switch (file.status()) {
            case PENDING -> file.availableAt().filter(at -> at.isAfter(now))
                    .map(at -> "Now it waits until " + at + " (" + Duration.between(now, at).toSeconds()
                            + " s) to be tried again, after " + file.attempts() + " of its attempts.")
                    .orElse("Now it waits for a worker.") + where;
            case PROCESSING ->
                "Now " + file.worker().orElse("somebody") + " has it, since " + file.since() + "." + where;
            case COMPLETED -> "It is completed and kept, since " + file.since() + "." + where;
            case PERMANENTLY_FAILED -> "It is given up since " + file.since() + ", after " + file.attempts()
                    + " failed attempts and " + file.deliveries() + " leases that ran out"
                    + file.lastError().map(error -> "; the last error was: " + error).orElse("")
                    + ". Reset it to try again." + where;
            case HELD -> "It is held: it may have been processed before the database was lost. Release it to have it"
                    + " processed." + where;
        };
    }
}

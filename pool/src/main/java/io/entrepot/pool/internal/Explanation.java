package io.entrepot.pool.internal;

import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A file's history in sentences. */
public final class Explanation {

    private Explanation() {}

    /**
     * @param tenant        whose it is: it may be why a file waits
     * @param whyUnreadable says of a volume why nothing can be read there now, if that is so
     */
    public static List<String> of(FileHistory history, Tenant tenant,
            Function<String, Optional<String>> whyUnreadable, Instant now) {
        List<String> sentences = new ArrayList<>();
        sentences.add("File " + history.key() + history.name().map(name -> " (\"" + name + "\")").orElse("")
                + " of tenant " + history.tenant() + ", " + history.size() + " bytes.");
        history.entries().forEach(entry -> sentences.add(entry.at() + ": " + sentence(entry)));
        history.file().ifPresent(file -> sentences.add(state(file, history.entries(), tenant,
                whyUnreadable.apply(file.volume()), now)));
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
            case "made-ready" -> "somebody saw to it that it need not wait any longer.";
            case "moved" -> "it was moved" + entry.note().map(note -> " " + note).orElse("") + ".";
            case "rebuilt" -> "it was rebuilt from what its bytes carry" + why + ".";
            case "found" -> "it was found" + entry.note().map(note -> " " + note).orElse("") + ".";
            case "held" -> "it was held as a new file" + why + ".";
            case Trail.DAMAGED -> "a scrub found it damaged" + entry.note().map(note -> " " + note).orElse("") + ".";
            case Trail.SOUND -> "a scrub found it sound again" + entry.note().map(note -> " " + note).orElse("") + ".";
            case "released" -> "an operator released it.";
            case "deleted" -> "it was deleted" + why + ".";
            default -> entry.what() + why + ".";
        };
    }

    private static String state(FileInfo file, List<HistoryEntry> entries, Tenant tenant,
            Optional<String> unreadable, Instant now) {
        String where = " Its bytes are on volume " + file.volume() + file.path().map(path -> ", at " + path).orElse("")
                + "." + damage(entries) + unreadable.map(problem -> " They cannot be read now: volume " + file.volume()
                        + " has failed: " + problem + ".").orElse("");
        return switch (file.status()) {
            case PENDING -> waits(file, entries, tenant, now) + where;
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

    /** What for: a time, its tenant, a worker, or several of them. */
    private static String waits(FileInfo file, List<HistoryEntry> entries, Tenant tenant, Instant now) {
        String closed = closed(tenant);
        return file.availableAt().filter(at -> at.isAfter(now))
                .map(at -> "Now it waits until " + at + " (" + Duration.between(now, at).toSeconds() + " s)"
                        + delay(file, entries) + ".")
                .orElse("Now it waits for " + (closed.isEmpty() ? "a worker." : "its tenant.")) + closed;
    }

    /** Why it is handed out later only. */
    private static String delay(FileInfo file, List<HistoryEntry> entries) {
        if (last(entries, Set.of("claimed", "failed", "put-off", "lease-expired"))
                .filter(entry -> entry.what().equals("put-off")).isPresent()) {
            return " to be tried again: it was put off";
        }
        if (file.attempts() > 0) {
            return " to be tried again, after " + file.attempts() + " failed attempt"
                    + (file.attempts() == 1 ? "" : "s");
        }
        return file.epoch() == 0
                ? ": it was written with a delay, and is not handed out before"
                : " to be handed out again";
    }

    /** Why its tenant has nothing handed out; nothing if it has. */
    private static String closed(Tenant tenant) {
        String status = switch (tenant.status()) {
            case ENABLED -> "";
            case SUSPENDED -> " Its tenant is suspended: nothing of it is handed out until it is enabled.";
            case DISABLED -> " Its tenant is disabled: everything of it is refused until it is enabled.";
        };
        return status + (tenant.paused()
                ? " Its tenant is paused: nothing of it is handed out until it is resumed."
                : "");
    }

    /** As the last scrub has found it. */
    private static String damage(List<HistoryEntry> entries) {
        return last(entries, Set.of(Trail.DAMAGED, Trail.SOUND)).filter(entry -> entry.what().equals(Trail.DAMAGED))
                .map(entry -> " Its bytes are damaged: " + entry.note().orElse("nobody knows how") + ".").orElse("");
    }

    private static Optional<HistoryEntry> last(List<HistoryEntry> entries, Set<String> what) {
        return entries.reversed().stream().filter(entry -> what.contains(entry.what())).findFirst();
    }
}

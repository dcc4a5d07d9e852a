package io.entrepot.queue.internal;

import io.entrepot.queue.HistoryStep;
import io.entrepot.queue.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An item's history as a text in its row: a line for each lease that has ended, with tabs between epoch, when it was
 * claimed, when it ended, how, by whom, and a note. So history costs no rows of its own, and nothing at all at a claim:
 * who has the item now is in {@code held} anyway.
 */
final class Trail {
    /** What a trail begins with whose oldest lines are gone: the rest of a line follows. */
    private static final String CUT = "…";
    /** Past this many characters the oldest lines go, in SQL, when a line is added. */
    static final String SHORTENED = "CASE WHEN length(trail) <= 8000 THEN trail ELSE '" + CUT
            + "' || substr(trail, length(trail) - 3999) END";
    private static final int LONGEST_NOTE = 300;
    private static final Pattern CONTROLS = Pattern.compile("\\p{Cntrl}+");
    static final String RESET = "reset";
    /** Steps that leave an error, and steps after which earlier failures are of no interest. */
    private static final Set<String> FAILURES = Set.of(name(Outcome.Kind.RETRYING), name(Outcome.Kind.DEAD),
            name(Outcome.Kind.EXPIRED), name(Outcome.Kind.PUT_OFF));
    private static final Set<String> FRESH = Set.of(name(Outcome.Kind.KEPT), RESET);

    private Trail() {}

    static String put(long at) {
        return operator(at, "put", "");
    }

    /** A step that belongs to no lease. */
    static String operator(long at, String what, String note) {
        return "0\t" + at + '\t' + at + '\t' + what + "\t\t" + tidy(note) + '\n';
    }

    static String line(long epoch, long since, long until, Outcome.Kind kind, String holder, String note) {
        return epoch + "\t" + since + '\t' + until + '\t' + name(kind) + '\t' + holder + '\t' + tidy(note) + '\n';
    }

    /** What an outcome is called, in a trail and in the column {@code past.kind}. */
    static String name(Outcome.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Outcome.Kind kind(String name) {
        return Outcome.Kind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static String tidy(String note) {
        return CONTROLS.matcher(cut(note, LONGEST_NOTE)).replaceAll(" ");
    }

    /** The text, or its beginning and an ellipsis; a character is not cut in two. */
    static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }

    static List<HistoryStep> read(String trail) {
        List<HistoryStep> steps = new ArrayList<>();
        for (String line : whole(trail).lines().toList()) {
            String[] part = line.split("\t", -1);
            long epoch = Long.parseLong(part[0]);
            if (epoch > 0) {
                steps.add(new HistoryStep(time(part[1]), "claimed", epoch, part[4], Optional.empty()));
            }
            steps.add(new HistoryStep(time(part[2]), part[3], epoch, part[4],
                    part[5].isEmpty() ? Optional.empty() : Optional.of(part[5])));
        }
        return steps;
    }

    /** When the item failed last; empty if it did not since it was put, reset or kept, or if that was cut off. */
    static Optional<Instant> lastFailure(String trail) {
        for (String line : whole(trail).lines().toList().reversed()) {
            String[] part = line.split("\t", -1);
            if (FAILURES.contains(part[3])) {
                return Optional.of(time(part[2]));
            }
            if (FRESH.contains(part[3])) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static String whole(String trail) {
        return trail.startsWith(CUT) ? trail.substring(trail.indexOf('\n') + 1) : trail;
    }

    private static Instant time(String millis) {
        return Instant.ofEpochMilli(Long.parseLong(millis));
    }
}

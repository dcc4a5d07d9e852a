package io.entrepot.pool.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What happened to a file beside the queue: a line each, with its time, what it was and a note. */
final class Trail {
    /** A scrub found its bytes not to be those that were written. */
    static final String DAMAGED = "damaged";
    /** A later one found that they are. */
    static final String SOUND = "sound";
    private static final Pattern SEPARATORS = Pattern.compile("[\\t\\r\\n\\x00]");

    /** The step of a file whose volume was given up: its bytes may be there again one day. */
    static final String GIVEN_UP = "given-up";

    private Trail() {}

    /** One step. */
    record Step(Instant at, String what, String note) {}

    static String line(long at, String what, String note) {
        return at + "\t" + what + "\t" + plain(note) + "\n";
    }

    static List<Step> parse(String trail) {
        List<Step> steps = new ArrayList<>();
        trail.lines().forEach(line -> {
            String[] parts = line.split("\t", 3);
            if (parts.length == 3) {
                steps.add(new Step(Instant.ofEpochMilli(Long.parseLong(parts[0])), parts[1], parts[2]));
            }
        });
        return steps;
    }

    /** What the last scrub had to say that said anything: how it is damaged; nothing if it is not. */
    static Optional<String> damage(String trail) {
        return parse(trail).reversed().stream().filter(step -> step.what.equals(DAMAGED) || step.what.equals(SOUND))
                .findFirst().filter(step -> step.what.equals(DAMAGED)).map(Step::note);
    }

    /** The note as it comes back. */
    static String plain(String note) {
        return SEPARATORS.matcher(note).replaceAll(" ");
    }
}

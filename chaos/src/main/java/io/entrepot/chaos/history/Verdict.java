package io.entrepot.chaos.history;

import java.util.List;

/** What a checker says of a history. Immutable. */
public record Verdict(long checks, List<Violation> violations) {

    public Verdict {
        violations = List.copyOf(violations);
    }
}

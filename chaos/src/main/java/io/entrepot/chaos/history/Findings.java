package io.entrepot.chaos.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What the rules have looked at and found so far. Use from one thread. */
final class Findings {

    private final List<Violation> violations = new ArrayList<>();
    private long checks;

    /** One thing was looked at; if it is not as it must be, that is a violation. */
    void check(boolean good, Rule rule, String item, Supplier<String> how, Operation... operations) {
        checks++;
        if (!good) {
            violations.add(new Violation(rule, item, how.get(), List.of(operations)));
        }
    }

    Verdict verdict() {
        return new Verdict(checks, violations);
    }
}

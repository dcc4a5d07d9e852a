package io.entrepot.config;

/**
 * A value that a kind does not take. The problem is the end of a sentence that the value begins; it does not repeat the
 * value, since that may be a secret. The suggestion may: it is left out for secrets.
 */
final class Unfit extends Exception {
    private final String problem;
    private final String suggestion;

    Unfit(String problem, String suggestion) {
        super(problem, null, false, false);
        this.problem = problem;
        this.suggestion = suggestion;
    }

    String problem() {
        return problem;
    }

    String suggestion() {
        return suggestion;
    }
}

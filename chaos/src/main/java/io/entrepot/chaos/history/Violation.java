package io.entrepot.chaos.history;

import java.util.List;

/** A promise that was broken: for which item, how, and by which operations it is seen. */
public record Violation(Rule rule, String item, String how, List<Operation> operations) {

    public Violation {
        operations = List.copyOf(operations);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(rule + ": item " + item + " " + how);
        operations.forEach(operation -> text.append("\n    ").append(operation));
        return text.toString();
    }
}

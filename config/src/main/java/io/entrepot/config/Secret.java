package io.entrepot.config;

/** A text that is not shown by accident: not in logs, not in messages, not as a part of another record. */
public record Secret(String text) {
    static final String MASK = "***";

    @Override
    public String toString() {
        return MASK;
    }
}

package io.entrepot.spring;

import org.jspecify.annotations.Nullable;

/** The application cannot start as it is set up; told with what to do about it, and without a trace. */
public final class EntrepotSetupException extends RuntimeException {
    private final String action;

    public EntrepotSetupException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    public EntrepotSetupException(String message, String action) {
        this(message, action, null);
    }

    /** What to do. */
    public String action() {
        return action;
    }
}

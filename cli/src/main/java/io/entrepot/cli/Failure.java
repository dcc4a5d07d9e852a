package io.entrepot.cli;

/** Ends a command for a reason the user can act on. The code is stable; the message says what happened and what to do. */
final class Failure extends RuntimeException {
    private final String code;
    private final int exit;

    Failure(String code, String message) {
        this(code, message, ExitCode.FAILED);
    }

    Failure(String code, String message, int exit) {
        super(message);
        this.code = code;
        this.exit = exit;
    }

    String code() {
        return code;
    }

    int exit() {
        return exit;
    }
}

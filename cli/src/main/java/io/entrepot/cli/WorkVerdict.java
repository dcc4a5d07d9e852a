package io.entrepot.cli;

import java.util.List;

/** What the end of a command means for its file. */
sealed interface WorkVerdict {
    /** Of sysexits.h: the file itself is wrong, so it is of no use to try again. */
    int DATA_ERROR = 65;
    /** Of sysexits.h: something else is not there now; the file cannot help it. */
    int TEMPORARY = 75;
    /** A command that was killed by signal n ends with this + n. */
    int SIGNALLED = 128;

    record Complete() implements WorkVerdict {}

    record Fail(String error, boolean forGood) implements WorkVerdict {}

    /** Not the file's fault: back to its place, and it does not count. */
    record GiveBack(String why) implements WorkVerdict {}

    /** The file's volume cannot be read: tried again later, and it does not count. */
    record PutOff(String why) implements WorkVerdict {}

    /** Somebody else may have the file, so nothing can be said of it. */
    record Lost() implements WorkVerdict {}

    /** Why a command came to its end. */
    enum Cause {
        BY_ITSELF,
        /** It ran for too long. */
        TIMEOUT,
        /** All was to stop, and it did not in time. */
        STOPPED,
        LEASE_LOST
    }

    /**
     * @param stopping all was to stop when it ended: then it was us, or the terminal, that killed it
     * @param errors   the last lines of its stderr
     */
    static WorkVerdict of(Cause cause, int exit, boolean stopping, List<String> errors) {
        return switch (cause) {
            case LEASE_LOST -> new Lost();
            case STOPPED -> new GiveBack("stopped");
            case TIMEOUT -> new Fail(text("took too long", errors), false);
            case BY_ITSELF -> byItself(exit, stopping, errors);
        };
    }

    /** Killed as one is who is to end, by a terminal or by whoever runs the service: not by a fault of its own. */
    static boolean isTermination(int exit) {
        return exit == SIGNALLED + 1 || exit == SIGNALLED + 2 || exit == SIGNALLED + 15;
    }

    private static WorkVerdict byItself(int exit, boolean stopping, List<String> errors) {
        if (exit == 0) {
            return new Complete();
        }
        if (exit == TEMPORARY) {
            return new GiveBack(text("not now", errors));
        }
        if (exit > SIGNALLED) {
            String killed = "killed by signal " + (exit - SIGNALLED);
            return stopping ? new GiveBack(killed) : new Fail(text(killed, errors), false);
        }
        return new Fail(text("exit code " + exit, errors), exit == DATA_ERROR);
    }

    private static String text(String what, List<String> errors) {
        return errors.isEmpty() ? what : what + ": " + String.join("\n", errors);
    }
}

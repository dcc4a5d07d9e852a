package io.entrepot.pool.process;

import io.entrepot.pool.DamagedFileException;
import io.entrepot.pool.Outage;
import io.entrepot.pool.StorageVolumeUnavailableException;
import org.jspecify.annotations.Nullable;

/** What is to be done with a file when its handler has ended. */
sealed interface Verdict {

    record Done() implements Verdict {}

    record Failed(String error, boolean retryable) implements Verdict {}

    /** Not the file's fault: tried again later, however often. */
    record PutOff(String why) implements Verdict {}

    /** Not done, and nobody has failed. */
    record GivenBack() implements Verdict {}

    /** It was taken away while the handler ran: there is nothing to be said. */
    record Lost() implements Verdict {}

    int LONGEST_ERROR = 1000;
    /** Causes may go round in circles. */
    int MOST_CAUSES = 20;

    /**
     * @param thrown  by the handler, if it has thrown
     * @param lost    the lease was lost, and the handler interrupted
     * @param stopped the handler was interrupted as nobody waits for it any more
     * @param trouble why the file could not be opened, if it could not
     */
    static Verdict of(@Nullable Throwable thrown, boolean lost, boolean stopped, @Nullable Throwable trouble) {
        if (thrown == null) {
            return new Done(); // also if it is lost by now: the fence decides
        }
        if (lost) {
            return new Lost();
        }
        if (stopped) {
            return new GivenBack();
        }
        if ((thrown.equals(trouble) && trouble instanceof StorageVolumeUnavailableException) || isOutage(thrown)) {
            return new PutOff(text(thrown));
        }
        boolean useless = thrown instanceof GiveUpException
                || (thrown.equals(trouble) && trouble instanceof DamagedFileException);
        return new Failed(text(thrown), !useless);
    }

    /** A volume went away while it was read; whatever else was thrown for that reason. */
    private static boolean isOutage(Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (cause instanceof Outage e && e.isOutage()) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    static String text(Throwable thrown) {
        String message = thrown.getMessage();
        String text = message == null || message.isBlank() ? thrown.toString() : message;
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR - 1) + "…";
    }
}

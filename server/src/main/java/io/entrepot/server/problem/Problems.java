package io.entrepot.server.problem;

import io.entrepot.config.ConfigurationException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.UploadOffsetException;
import io.entrepot.pool.job.JobException;
import io.entrepot.store.Advice;
import io.entrepot.store.StoreException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** What an exception is told as. What nobody has thought of is an internal error, whose cause is in the log alone. */
public final class Problems {

    private Problems() {}

    public static Problem of(Throwable e) {
        return switch (e) {
            case ProblemException refused -> refused.problem();
            case UploadOffsetException offset -> of(offset).with(Map.of("offset", offset.offset()));
            case PoolException pool -> of(pool);
            case ConfigurationException wrong -> Problem.of(Code.INVALID_CONFIG, text(wrong)).with(Map.of("mistakes",
                    wrong.mistakes().stream().map(Object::toString).toList()));
            case JobException job -> known(job.code(), Advice.GIVE_UP, job);
            case StoreException store -> Problem.of(Code.UNAVAILABLE, "pool.unavailable."
                    + store.code().substring(store.code().indexOf('.') + 1), store.advice(), text(store));
            case IllegalArgumentException wrong -> Problem.of(Code.INVALID_VALUE, text(wrong));
            case InterruptedException _,InterruptedIOException _ -> Problem.of(Code.SHUTTING_DOWN,
                    "the server is shutting down; try again");
            case IOException io when io.getCause() instanceof ProblemException refused -> refused.problem();
            case IOException io when causedBy(io, TimeoutException.class) -> Problem.of(Code.TIMEOUT,
                    "nothing came for too long; the file that was not whole is not stored");
            case EOFException _ ->
                Problem.of(Code.BROKEN_BODY, "the body ended early; the file that was not whole is not stored");
            case IOException io -> Problem.of(Code.BROKEN_BODY, "the body could not be read to its end, and the file"
                    + " that was not whole is not stored: " + text(io));
            default -> Problem.of(Code.INTERNAL, "something went wrong that should not; the log has it under this"
                    + " request's id");
        };
    }

    private static Problem of(PoolException e) {
        return known(e.code(), e.advice(), e);
    }

    private static Problem known(String code, Advice advice, RuntimeException e) {
        return Problem.of(Code.of(code).orElse(Code.INTERNAL), code, advice, text(e));
    }

    private static boolean causedBy(Throwable e, Class<? extends Throwable> type) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static String text(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}

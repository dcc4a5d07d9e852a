package io.entrepot.pool.internal;

import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolUnavailableException;
import io.entrepot.pool.UnknownOutcomeException;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.StoreException;
import java.io.IOException;

/** Failures of the database, as the pool tells them. */
public final class Errors {

    private Errors() {}

    /** Something that may fail in its own way. */
    public interface Call<R, E extends Exception> {
        R call() throws E;
    }

    /** The same with the bytes of a file. */
    public interface IoCall<R> {
        R call() throws IOException, InterruptedException;
    }

    /** Runs it; whatever the database has to say comes as a {@link PoolException}. */
    public static <R, E extends Exception> R told(Call<R, E> call) throws E {
        try {
            return call.call();
        } catch (StoreException e) {
            throw told(e);
        }
    }

    public static <R> R toldIo(IoCall<R> call) throws IOException, InterruptedException {
        try {
            return call.call();
        } catch (StoreException e) {
            throw told(e);
        }
    }

    static PoolException told(StoreException e) {
        return e instanceof OutcomeUnknownException
                ? new UnknownOutcomeException("it may or may not have happened: " + e.getMessage()
                        + "; open the pool again and look", e)
                : new PoolUnavailableException(e.code().substring(e.code().indexOf('.') + 1), e.advice(),
                        String.valueOf(e.getMessage()), e);
    }
}

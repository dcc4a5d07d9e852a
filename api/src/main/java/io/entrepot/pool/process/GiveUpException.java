package io.entrepot.pool.process;

/** Thrown by a handler to say that it is of no use to try the file again: it fails for good, with this message. */
public final class GiveUpException extends RuntimeException {

    public GiveUpException(String message) {
        super(message);
    }

    public GiveUpException(String message, Throwable cause) {
        super(message, cause);
    }
}

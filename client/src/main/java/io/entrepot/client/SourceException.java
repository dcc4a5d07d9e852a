package io.entrepot.client;

import java.io.IOException;

/** What was to be sent could not be read: the caller's own stream failed, not the connection. */
final class SourceException extends RuntimeException {
    private final IOException failure;

    SourceException(IOException failure) {
        super(failure);
        this.failure = failure;
    }

    IOException failure() {
        return failure;
    }
}

package io.entrepot.server;

/** The address is taken, or is not one of this machine's. */
public final class CannotListenException extends RuntimeException {

    CannotListenException(String host, int port, Throwable cause) {
        super("cannot listen on " + host + ":" + port + ": " + cause.getMessage()
                + "; choose another port with --port, or 0 for any that is free", cause);
    }

    public String code() {
        return "server.cannot-listen";
    }
}

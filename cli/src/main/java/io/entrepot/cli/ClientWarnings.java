package io.entrepot.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/** The client tells through Java's own logger, in two lines; here it is one, as of everybody else. */
final class ClientWarnings extends Handler {
    /** Held here, as a logger that nobody holds is forgotten with its handlers. */
    private static final Logger CLIENT = Logger.getLogger("io.entrepot.client");
    private static final int ERROR = Level.SEVERE.intValue();

    private ClientWarnings() {}

    /** Only for commands that stay: others are told by exceptions, and need not wait for another logger to be set up. */
    static synchronized void inOneLine() {
        if (CLIENT.getUseParentHandlers()) {
            CLIENT.setUseParentHandlers(false);
            CLIENT.addHandler(new ClientWarnings());
        }
    }

    @Override
    public void publish(LogRecord message) {
        org.slf4j.Logger log = LoggerFactory.getLogger(message.getLoggerName());
        if (message.getLevel().intValue() >= ERROR) {
            log.error(message.getMessage(), message.getThrown());
        } else if (isLoggable(message)) {
            log.warn(message.getMessage(), message.getThrown());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}

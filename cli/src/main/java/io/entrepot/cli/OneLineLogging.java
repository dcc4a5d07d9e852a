package io.entrepot.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.ContextAwareBase;
import io.entrepot.pool.job.Jobs;
import io.entrepot.server.ServerConfig;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Sets Logback up for a command: warnings and errors, one line each, on stderr. In code and not in a logback.xml, which
 * costs a command about 60 ms more at every start. Logback finds this class through {@code META-INF/services}.
 */
public final class OneLineLogging extends ContextAwareBase implements Configurator {
    private static volatile boolean details;
    private static volatile boolean json;

    /** From now on with debug messages and stack traces; to be called before the first message. */
    static void showDetails() {
        details = true;
    }

    /** For a server: what it does is told too, and each line may be a JSON object. Again when that is configured anew. */
    static void serve(ServerConfig config) {
        json = config.logFormat() == ServerConfig.LogFormat.JSON;
        tellOfJobs(true);
        Level level = details ? Level.DEBUG : Level.toLevel(config.logLevel().name());
        if (LoggerFactory.getLogger("io.entrepot.server") instanceof Logger logger) {
            logger.setLevel(level);
        }
        if (LoggerFactory.getLogger("io.entrepot") instanceof Logger logger) {
            logger.setLevel(level.equals(Level.INFO) ? Level.WARN : level); // below the server nothing is told that goes well
        }
        if (LoggerFactory.getLogger("io.javalin") instanceof Logger logger && !details) {
            logger.setLevel(Level.OFF); // what it has to say is told by us
        }
    }

    /** Whether jobs that fail in the background are told of: a command that lists files has nothing to do with them. */
    static void tellOfJobs(boolean wanted) {
        if (LoggerFactory.getLogger(Jobs.class) instanceof Logger logger) {
            logger.setLevel(wanted || details ? null : Level.ERROR);
        }
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        var stderr = new Stderr();
        stderr.setContext(context);
        stderr.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(stderr);
        if (details) {
            context.getLogger("io.entrepot").setLevel(Level.DEBUG);
        }
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static String line(ILoggingEvent event) {
        var logger = event.getLoggerName();
        var line = new StringBuilder("entrepot: ")
                .append(event.getLevel().toString().toLowerCase(Locale.ROOT))
                .append(": ").append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(": ")
                .append(event.getFormattedMessage());
        var thrown = event.getThrowableProxy();
        if (thrown != null && details) {
            line.append(System.lineSeparator()).append(ThrowableProxyUtil.asString(thrown));
        } else if (thrown != null && !isSaid(event.getFormattedMessage(), thrown.getMessage())) {
            line.append(" (").append(thrown.getClassName()).append(": ").append(thrown.getMessage()).append(')');
        }
        String request = event.getMDCPropertyMap().get("request");
        if (request != null && !line.toString().contains(request)) {
            line.append(" [request ").append(request).append(']');
        }
        String trace = event.getMDCPropertyMap().get("trace");
        if (trace != null) {
            line.append(" [trace ").append(trace).append(']');
        }
        return line.toString();
    }

    static String jsonLine(ILoggingEvent event) {
        var object = new JsonObject().with("at", Instant.ofEpochMilli(event.getTimeStamp()))
                .with("level", event.getLevel().toString().toLowerCase(Locale.ROOT))
                .with("logger", event.getLoggerName()).with("message", event.getFormattedMessage())
                .with("request", Optional.ofNullable(event.getMDCPropertyMap().get("request")))
                .with("trace", Optional.ofNullable(event.getMDCPropertyMap().get("trace")));
        var thrown = event.getThrowableProxy();
        if (thrown != null) {
            object.with("error", details
                    ? ThrowableProxyUtil.asString(thrown)
                    : thrown.getClassName() + ": "
                            + thrown.getMessage());
        }
        return object.toString();
    }

    private static boolean isSaid(String line, @Nullable String message) {
        return message != null && line.contains(message);
    }

    /** System.err is looked up for each line, as tests and embedders replace it. */
    private static final class Stderr extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            System.err.println(json ? jsonLine(event) : line(event));
        }
    }
}

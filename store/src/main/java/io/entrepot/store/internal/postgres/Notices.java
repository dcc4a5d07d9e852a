package io.entrepot.store.internal.postgres;

import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of what other processes have committed, on a connection of its own. Notices get lost with the connection, so
 * somebody looks every second in any case.
 */
final class Notices implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notices.class);
    private static final int LOOK_EVERY_MILLIS = 1000;

    private final Connections connections;
    private final String channel;
    private final Runnable heard;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Connection connection;

    /** {@code heard} is called when there may be something new; what it throws is logged. */
    Notices(Connections connections, String channel, Runnable heard) {
        this.connections = connections;
        this.channel = channel;
        this.heard = heard;
        this.thread = Thread.ofPlatform().daemon().name("store-notices").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (closing.getCount() > 0) {
            try (Connection listening = connections.connect()) {
                connection = listening;
                listen(listening);
            } catch (SQLException e) {
                LOG.debug("listening to {} failed, to be tried again", channel, e);
                pause();
            }
        }
    }

    private void listen(Connection listening) throws SQLException {
        try (Statement statement = listening.createStatement()) {
            statement.execute("LISTEN " + channel);
        }
        while (closing.getCount() > 0) {
            tell();
            listening.unwrap(PGConnection.class).getNotifications(LOOK_EVERY_MILLIS);
        }
    }

    private void tell() {
        try {
            heard.run();
        } catch (RuntimeException e) {
            LOG.debug("looking for what is new failed, to be tried again", e);
        }
    }

    private void pause() {
        try {
            if (closing.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("no longer listening to {}", channel);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    /** Ends the thread. Called once, uninterrupted. */
    @Override
    public void close() {
        closing.countDown();
        Connection listening = connection;
        if (listening != null) {
            try {
                listening.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("closing the connection that listens", e);
            }
        }
        Uninterrupted.join(thread);
    }
}

package io.entrepot.store.internal.postgres;

import io.entrepot.lease.Ticker;
import io.entrepot.store.internal.jdbc.Uninterrupted;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of what other processes have committed, on a connection of its own. Notices get lost with the connection, so it
 * looks for events every second in any case.
 */
final class Notices implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notices.class);
    private static final Ticker REAL = Ticker.system();
    private static final int LOOK_EVERY_MILLIS = 1000;

    private final Connections connections;
    private final Channel channel;
    private final Runnable look;
    private final List<Consumer<String>> ears = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Connection connection;

    /** {@code look} is called when there may be new events; what it throws is logged. */
    Notices(Connections connections, Channel channel, Runnable look) {
        this.connections = connections;
        this.channel = channel;
        this.look = look;
        this.thread = Thread.ofPlatform().daemon().name("store-notices").unstarted(this::run);
    }

    /** It is handed what others tell from now on. */
    void add(Consumer<String> ear) {
        ears.add(ear);
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
                LOG.debug("listening to {} failed, to be tried again", channel.name(), e);
                pause();
            }
        }
    }

    private void listen(Connection listening) throws SQLException {
        try (Statement statement = listening.createStatement()) {
            statement.execute("LISTEN " + channel.name());
        }
        long looked = REAL.nanos();
        boolean events = true; // there may have been some while nobody listened
        while (closing.getCount() > 0) {
            if (events || REAL.nanos() - looked > LOOK_EVERY_MILLIS * 1_000_000L) {
                looked = REAL.nanos();
                safely(look);
            }
            events = hear(listening.unwrap(PGConnection.class).getNotifications(LOOK_EVERY_MILLIS));
        }
    }

    /** Hands on what others tell, and says whether there are new events. */
    private boolean hear(PGNotification[] notices) {
        boolean events = notices.length == 0;
        for (PGNotification notice : notices) {
            String message = channel.message(notice.getParameter()).orElse(null);
            if (message == null) {
                continue;
            }
            if (message.equals(Channel.EVENTS)) {
                events = true;
            } else {
                ears.forEach(ear -> safely(() -> ear.accept(message)));
            }
        }
        return events;
    }

    private static void safely(Runnable act) {
        try {
            act.run();
        } catch (RuntimeException e) {
            LOG.debug("what was heard of could not be looked at; it will be, by and by", e);
        }
    }

    private void pause() {
        try {
            if (closing.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.debug("no longer listening to {}", channel.name());
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

package io.entrepot.client;

import io.entrepot.pool.PoolException;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A listener that is told by a server. A connection that breaks is made again, as often as it takes, and it goes on after the last
 * event that the listener was told: none is left out, and none is told twice. Safe for use by many threads.
 */
final class RemoteListening implements Listening {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Transport transport;
    private final EventFilter filter;
    private final Consumer<PoolEvent> listener;
    private final Consumer<RemoteListening> whenClosed;
    private final AtomicLong missed = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final ReentrantLock calling = new ReentrantLock();
    private final Thread thread;
    private volatile Optional<EventCursor> cursor;
    private volatile @Nullable PulledBody body;
    private volatile boolean closed;

    private RemoteListening(Transport transport, EventFilter filter, Optional<EventCursor> from,
            Consumer<PoolEvent> listener, Consumer<RemoteListening> whenClosed) {
        this.transport = transport;
        this.filter = filter;
        this.cursor = from;
        this.listener = listener;
        this.whenClosed = whenClosed;
        this.thread = transport.config().threads().named("events of " + transport.config().server(), this::run);
    }

    /** When this returns, what happens from now on will be told. @throws PoolException if the server does not let it */
    static RemoteListening start(Transport transport, EventFilter filter, Optional<EventCursor> from,
            Consumer<PoolEvent> listener, Consumer<RemoteListening> whenClosed) {
        RemoteListening listening = new RemoteListening(transport, filter, from, listener, whenClosed);
        PulledBody first = transport.sendCalmly(listening.ask()).stream();
        try {
            EventReader reader = new EventReader(first);
            reader.next().flatMap(EventReader.Message::id).ifPresent(listening::moved);
            listening.body = first;
            listening.reader = reader;
        } catch (IOException e) {
            first.close(); // and then it is connected to once more
        }
        listening.thread.start();
        return listening;
    }

    /** Of the connection that there is when the thread starts. */
    private @Nullable EventReader reader;

    private Ask ask() {
        List<Map.Entry<String, String>> query = new ArrayList<>();
        filter.tenants().forEach(tenant -> query.add(Map.entry("tenant", tenant.name())));
        filter.types().forEach(type -> query.add(Map.entry("type", type)));
        Optional<String> after = cursor.map(EventCursor::toString);
        after.filter(String::isEmpty).ifPresent(none -> query.add(Map.entry("after", "")));
        Ask ask = Ask.get(Ask.path("events") + Ask.query(query)).asItComes();
        return after.filter(text -> !text.isEmpty()).map(text -> ask.with("Last-Event-ID", text)).orElse(ask);
    }

    private void run() {
        Duration pause = Duration.ofMillis(100);
        EventReader from = reader;
        while (!closed) {
            try {
                if (from == null) {
                    PulledBody next = transport.send(ask()).stream();
                    body = next;
                    from = new EventReader(next);
                }
                if (read(from)) {
                    pause = Duration.ofMillis(100);
                }
            } catch (PoolException e) {
                tell(e);
            } catch (InterruptedException e) {
                return;
            }
            from = null;
            drop();
            pause = longer(pause);
        }
    }

    /** Until the connection ends. Says whether anything came. */
    private boolean read(EventReader from) {
        boolean any = false;
        try {
            for (Optional<EventReader.Message> next = from.next(); next.isPresent() && !closed; next = from.next()) {
                any = true;
                hear(next.get());
            }
        } catch (IOException e) {
            // it is made again
        }
        return any;
    }

    private void hear(EventReader.Message message) {
        calling.lock();
        try {
            if (!closed) {
                message.data().map(Json::parse).ifPresent(this::hand);
                message.id().ifPresent(this::moved);
            }
        } finally {
            calling.unlock();
        }
    }

    private void hand(Json data) {
        if (data.get("type").text().equals("events.missed")) {
            missed.addAndGet(data.get("count").whole());
            return;
        }
        try {
            listener.accept(Wire.event(data));
        } catch (Throwable e) { // whatever it is, it is told the next one
            failures.incrementAndGet();
            ClientLog.INSTANCE.error("a listener failed at event " + data.get("number") + " of " + data.get("store"),
                    e);
        }
    }

    private void moved(String id) {
        cursor = Optional.of(EventCursor.parse(id));
    }

    private static void tell(PoolException e) {
        ClientLog.INSTANCE.warn("events cannot be followed now, and it is tried again: " + e.getMessage());
    }

    private Duration longer(Duration pause) {
        try {
            TimeUnit.MILLISECONDS.sleep(closed ? 0 : pause.toMillis());
        } catch (InterruptedException e) {
            closed = true;
        }
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private void drop() {
        PulledBody old = body;
        body = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public EventCursor cursor() {
        return cursor.orElse(EventCursor.BEGINNING);
    }

    @Override
    public long missed() {
        return missed.get();
    }

    @Override
    public long failures() {
        return failures.get();
    }

    @Override
    public void close() {
        closed = true;
        boolean between = false;
        try {
            between = calling.tryLock(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            drop();
            if (!Thread.currentThread().equals(thread)) {
                thread.interrupt();
            }
            if (between) {
                calling.unlock();
            }
        }
        whenClosed.accept(this);
    }
}

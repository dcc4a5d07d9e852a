package io.entrepot.pool.event;

import io.entrepot.pool.TenantId;
import io.entrepot.store.Event;
import io.entrepot.store.Events;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreException;
import io.entrepot.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener that is told by the databases of this pool, each with a thread of its own. Safe for use by many threads. */
public final class StoreListening implements Listening {
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);
    private static final String MAIN = "main";
    private static final int AT_ONCE = 500;
    /** So often it is looked whether there are stores that were not there before. */
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Stores stores;
    private final EventFilter filter;
    private final Consumer<PoolEvent> listener;
    private final Consumer<Listening> whenClosed;
    private final Map<String, Long> positions = new ConcurrentHashMap<>();
    /** Stores that were there and could not be read at the start: then it begins with what comes after. */
    private final Set<String> fromTheirEnd = ConcurrentHashMap.newKeySet();
    private final AtomicLong missed = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final ReentrantLock calling = new ReentrantLock();
    /** Guarded by itself. */
    private final Map<String, Thread> feeds = new HashMap<>();
    private volatile boolean closed;

    private StoreListening(Stores stores, EventFilter filter, Consumer<PoolEvent> listener,
            Consumer<Listening> whenClosed) {
        this.stores = stores;
        this.filter = filter;
        this.listener = listener;
        this.whenClosed = whenClosed;
    }

    /** For {@link io.entrepot.pool.Pool#listen}: what comes from now on. */
    public static StoreListening fromNow(Stores stores, EventFilter filter, Consumer<PoolEvent> listener,
            Consumer<Listening> whenClosed) {
        StoreListening listening = new StoreListening(stores, filter, listener, whenClosed);
        listening.positions.put(MAIN, stores.main().events().last());
        for (Owner owner : stores.sharded()) {
            try {
                listening.positions.put(owner.name(), stores.store(owner).events().last());
            } catch (StoreException e) {
                listening.fromTheirEnd.add(owner.name());
            }
        }
        return listening.started();
    }

    /** For {@link io.entrepot.pool.Pool#listen}: what came after the cursor, as far as it is kept. */
    public static StoreListening from(EventCursor cursor, Stores stores, EventFilter filter,
            Consumer<PoolEvent> listener,
            Consumer<Listening> whenClosed) {
        StoreListening listening = new StoreListening(stores, filter, listener, whenClosed);
        listening.positions.putAll(cursor.positions());
        return listening.started();
    }

    private StoreListening started() {
        startFeeds();
        return this;
    }

    private void startFeeds() {
        start(MAIN, stores::main);
        for (Owner owner : stores.sharded()) {
            start(owner.name(), () -> stores.store(owner));
        }
    }

    private void start(String name, Supplier<Store> store) {
        synchronized (feeds) {
            if (!closed) {
                feeds.computeIfAbsent(name, _ -> Thread.ofVirtual().name("events of " + name)
                        .start(() -> feed(name, store)));
            }
        }
    }

    private void feed(String name, Supplier<Store> store) {
        boolean told = false;
        while (!closed) {
            try {
                Events events = store.get().events();
                long from = positions.computeIfAbsent(name, _ -> fromTheirEnd.contains(name) ? events.last() : 0L);
                hand(name, from, events.await(from, AT_ONCE, LOOK));
                told = false;
                if (name.equals(MAIN)) {
                    startFeeds();
                }
            } catch (InterruptedException e) {
                return;
            } catch (StoreException e) {
                if (!told) {
                    LOG.warn("events of {} cannot be read now: {}", name, e.getMessage());
                    told = true;
                }
                if (e instanceof StoreClosedException || !pause()) {
                    return;
                }
            }
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(LOOK);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private void hand(String name, long from, List<Event> events) {
        if (!events.isEmpty() && from > 0 && events.getFirst().seq() > from + 1) {
            long gap = events.getFirst().seq() - from - 1;
            LOG.warn("{} events of {} are forgotten that this listener was not told", gap, name);
            missed.addAndGet(gap);
        }
        for (Event event : events) {
            calling.lock();
            try {
                if (closed) {
                    return;
                }
                tell(told(name, event));
                positions.put(name, event.seq());
            } finally {
                calling.unlock();
            }
        }
    }

    private static PoolEvent told(String store, Event event) {
        String owner = event.owner().name();
        return new PoolEvent(store, event.seq(), event.at(),
                TenantId.isValid(owner) ? Optional.of(new TenantId(owner)) : Optional.empty(), event.type(),
                event.subject(), FlatJson.parse(event.body()));
    }

    private void tell(PoolEvent event) {
        if (!filter.matches(event)) {
            return;
        }
        try {
            listener.accept(event);
        } catch (Throwable e) { // whatever it is, it is told the next one
            failures.incrementAndGet();
            LOG.warn("a listener failed at event {} of {} ({}): {}", event.number(), event.store(), event.type(),
                    e.toString(), e);
        }
    }

    @Override
    public EventCursor cursor() {
        return EventCursor.of(positions);
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
        List<Thread> threads;
        synchronized (feeds) {
            threads = new ArrayList<>(feeds.values());
        }
        threads.remove(Thread.currentThread()); // the listener itself
        boolean between = false;
        try {
            between = calling.tryLock(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
            threads.forEach(Thread::interrupt);
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        } finally {
            if (between) {
                calling.unlock();
            }
        }
        whenClosed.accept(this);
    }
}

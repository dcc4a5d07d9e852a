package io.entrepot.server.event;

import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.Listening;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.server.json.Json;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Closing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Events for one who follows, as Server-Sent Events. Each has as its id the cursor after it, so whoever comes back with the last id
 * it has seen is told everything after that, once. What is not wanted moves the cursor too, told now and then with a sign of life.
 * Stores of tenants that it may not know of are not listened to, and not in its ids.
 *
 * <p>A few events wait for a slow reader, no more: then its listener waits, and the events stay in the database. The listener
 * fills the queue on the pool's thread; one other thread writes. {@code positions} belongs to the listener.
 */
final class EventStream {
    private static final int WAITING = 64;
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** The store of all who have none of their own. */
    private static final String MAIN = "main";

    private final Predicate<TenantId> known;
    private final Predicate<PoolEvent> wanted;
    private final OutputStream out;
    private final Duration heartbeat;
    private final BlockingQueue<Told> queue = new ArrayBlockingQueue<>(WAITING);
    private final SortedMap<String, Long> positions = new TreeMap<>();
    /** The cursor after the last event that was heard, wanted or not. */
    private volatile String heard;
    private volatile boolean over;
    private String written;
    private long missed;

    private record Told(String id, PoolEvent event) {}

    /** @param known whose stores it may know of */
    EventStream(EventCursor from, Predicate<TenantId> known, Predicate<PoolEvent> wanted, OutputStream out,
            Duration heartbeat) {
        this.known = known;
        this.wanted = wanted;
        this.out = out;
        this.heartbeat = heartbeat;
        this.positions.putAll(from.positions());
        this.positions.keySet().removeIf(store -> !mayKnow(store));
        this.heard = new EventCursor(positions).toString();
        this.written = heard;
    }

    private boolean mayKnow(String store) {
        return store.equals(MAIN) || (TenantId.isValid(store) && known.test(new TenantId(store)));
    }

    /** The end of all there is now. */
    static EventCursor now(Pool pool, Predicate<TenantId> known) {
        try (Listening listening = pool.listen(known, _ -> {})) {
            return listening.cursor();
        }
    }

    /** Until the reader goes, the server closes, or nobody may read any more. */
    void follow(Pool pool, Closing closing, BooleanSupplier allowed) throws Exception {
        write("retry: 2000\nid: " + heard + "\n\n");
        out.flush();
        try (Listening listening = pool.listen(known, EventCursor.parse(heard), this::hear)) {
            try {
                tellAll(listening, closing, allowed);
            } finally {
                over = true; // before the listener is closed, which waits for it
            }
        }
    }

    private void tellAll(Listening listening, Closing closing, BooleanSupplier allowed) throws Exception {
        long lastWrite = System.nanoTime();
        while (!closing.isClosing() && allowed.getAsBoolean()) {
            String before = heard; // read before the queue: what is not in it by then was written
            Told told;
            try {
                told = closing.waiting(() -> queue.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException | ProblemException e) {
                return; // the server closes
            }
            boolean due = System.nanoTime() - lastWrite > heartbeat.toNanos();
            if (tell(told, before, due, listening.missed())) {
                out.flush();
                lastWrite = System.nanoTime();
            }
        }
    }

    private boolean tell(@Nullable Told told, String before, boolean due, long forgotten) throws IOException {
        if (forgotten > missed) {
            write("data: " + Json.text(Map.of("type", "events.missed", "count", forgotten - missed)) + "\n\n");
            missed = forgotten;
        }
        if (told == null && !due) {
            return false;
        }
        if (told == null) {
            write(before.equals(written) ? ": alive\n\n" : ": alive\nid: " + before + "\n\n");
            written = before;
        }
        for (Told next = told; next != null; next = queue.poll()) {
            write("id: " + next.id + "\ndata: " + Json.text(EventRoutes.EVENT.of(next.event)) + "\n\n");
            written = next.id;
        }
        return true;
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** One at a time. */
    private void hear(PoolEvent event) {
        positions.put(event.store(), event.number());
        String id = new EventCursor(positions).toString();
        if (wanted.test(event)) {
            put(new Told(id, event));
        }
        heard = id;
    }

    private void put(Told told) {
        try {
            while (!over && !queue.offer(told, LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                // The reader is slow: so are we.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

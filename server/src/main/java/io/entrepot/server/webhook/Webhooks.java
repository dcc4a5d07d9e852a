package io.entrepot.server.webhook;

import io.entrepot.pool.Pool;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.server.webhook.Sender.Outcome;
import io.entrepot.store.Store;
import io.entrepot.store.StoreConfig;
import io.entrepot.store.StoreException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All webhooks: those who are told what happens, and a courier for each that is enabled. Changes of other servers on the same
 * database come by notice, and by looking now and then.
 *
 * <p>Safe for use by many threads: couriers come and go under one lock.
 */
public final class Webhooks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Webhooks.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Pool pool;
    private final WebhookBook book;
    private final DeadLetters letters;
    private final Sender sender;
    private final InstantSource wall;
    private final Courier.Parts parts;
    private final Map<String, Courier> couriers = new HashMap<>();
    private boolean delivering;

    public Webhooks(Pool pool, Supplier<WebhookConfig> config, StoreConfig platform) {
        Store store = pool.store();
        this.pool = pool;
        this.wall = platform.wall();
        this.book = new WebhookBook(store);
        this.letters = new DeadLetters(store, () -> config.get().deadLetters());
        this.sender = new Sender(config, wall);
        this.parts = new Courier.Parts(pool, book, letters, sender, config, wall, platform.ticker(),
                "pid " + ProcessHandle.current().pid() + " " + random(4));
        store.listen(message -> {
            if (message.equals(WebhookBook.CHANGED)) {
                Thread.startVirtualThread(this::look); // must not call the store on the store's thread
            }
        });
    }

    private static String random(int bytes) {
        byte[] some = new byte[bytes];
        RANDOM.nextBytes(some);
        return HexFormat.of().formatHex(some);
    }

    /** From now on events are delivered. */
    public synchronized void start() {
        delivering = true;
        load();
    }

    private void look() {
        try {
            load();
        } catch (StoreException e) {
            LOG.debug("webhooks are looked at later", e);
        }
    }

    /** Makes the couriers those that there should be, and wakes them. */
    public synchronized void load() {
        if (!delivering) {
            return;
        }
        Map<String, Webhook> wanted = book.all().stream().filter(Webhook::enabled)
                .collect(Collectors.toMap(Webhook::id, it -> it));
        couriers.entrySet().removeIf(each -> {
            Webhook webhook = wanted.get(each.getKey());
            if (webhook != null && webhook.version() == each.getValue().version()) {
                each.getValue().wake();
                return false;
            }
            each.getValue().close();
            return true;
        });
        wanted.values().forEach(webhook -> couriers.computeIfAbsent(webhook.id(), _ -> new Courier(parts, webhook)));
    }

    List<Webhook> list() {
        return book.all();
    }

    Optional<Webhook> find(String id) {
        return book.find(id);
    }

    DeadLetters letters() {
        return letters;
    }

    /** @param after where to begin; with what comes from now on if empty */
    Webhook create(String name, URI url, EventFilter filter, boolean enabled, Optional<EventCursor> after)
            throws InterruptedException {
        requireAllowed(url);
        Webhook.Standing standing = new Webhook.Standing(after.orElseGet(this::now), "", 0, wall.instant(), 0, 0,
                Optional.empty(), Optional.empty(), "");
        Webhook webhook = new Webhook("wh" + random(8), name, url, filter, SigningSecret.random(), enabled,
                wall.instant(), 1, standing);
        book.add(webhook);
        load();
        return webhook;
    }

    /** @param change made again of what is there then, if another change came between; leaves the version as it is */
    Optional<Webhook> change(String id, UnaryOperator<Webhook> change) throws InterruptedException {
        for (Optional<Webhook> now = book.find(id); now.isPresent(); now = book.find(id)) {
            Webhook to = change.apply(now.get());
            if (!to.url().equals(now.get().url())) { // one that is refused by now can still be disabled
                requireAllowed(to.url());
            }
            if (book.change(to)) {
                load();
                return book.find(id);
            }
        }
        return Optional.empty();
    }

    private void requireAllowed(URI url) throws InterruptedException {
        sender.refusal(url).ifPresent(why -> {
            throw new IllegalArgumentException("\"url\": nothing is sent there: " + why);
        });
    }

    boolean remove(String id) {
        boolean removed = book.remove(id);
        load();
        return removed;
    }

    int replay(String id, Optional<Long> letter) {
        int due = letters.replay(id, letter);
        load();
        return due;
    }

    Outcome ping(Webhook webhook) throws InterruptedException {
        return sender.send(webhook.url(), webhook.secret(), webhook.id(), Message.ping(webhook, "ping." + random(8),
                wall.instant()), 1);
    }

    /** The end of all there is now. */
    EventCursor now() {
        try (Listening listening = pool.listen(EventFilter.all(), _ -> {})) {
            return listening.cursor();
        }
    }

    @Override
    public synchronized void close() {
        delivering = false;
        couriers.values().parallelStream().forEach(Courier::close);
        couriers.clear();
        sender.close();
    }
}

package io.entrepot.server.webhook;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.Ticker;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.Listening;
import io.entrepot.store.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers for one webhook, as it was when this was made, while it is this server's turn. Events come from the durable outbox after
 * the webhook's cursor, which is moved only when one was taken or given up: so whatever ends this, whoever begins anew goes on
 * there.
 *
 * <p>Two threads while there is something to do: {@code rounds} takes the turn, keeps it and tries dead letters again; a
 * {@link Round} is told the events, one at a time, on the thread of its listening. Safe for use by many threads.
 */
final class Courier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Courier.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** So often dead letters are looked for that nobody has rung for. */
    private static final int LOOKS = 10;
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Parts parts;
    private final Webhook webhook;
    private final Bell bell = new Bell();
    private final Thread thread;
    private volatile boolean closed;

    /** What every courier needs. */
    record Parts(Pool pool, WebhookBook book, DeadLetters letters, Sender sender,
            Supplier<WebhookConfig> now, InstantSource wall, Ticker ticker, String holder) {
        WebhookConfig config() {
            return now.get();
        }
    }

    Courier(Parts parts, Webhook webhook) {
        this.parts = parts;
        this.webhook = webhook;
        this.thread = Thread.ofVirtual().name("webhook " + webhook.id()).start(this::rounds);
    }

    long version() {
        return webhook.version();
    }

    /** There may be dead letters to try again. */
    void wake() {
        bell.ring();
    }

    private void rounds() {
        Duration pause = LOOK;
        try {
            while (!closed) {
                try {
                    Optional<Turn> turn = Turn.take(parts.pool.store(), parts.ticker, webhook.id(), parts.holder);
                    if (turn.isPresent()) {
                        round(turn.get());
                    }
                    pause = LOOK;
                } catch (LeaseLostException e) {
                    LOG.info("webhook {} is delivered by another server now", webhook.id());
                } catch (StoreException | PoolException e) {
                    LOG.warn("webhook {} cannot be delivered now: {}", webhook.id(), e.getMessage());
                    pause = longer(pause);
                } catch (RuntimeException e) { // whatever it is, the others go on and this one is tried again
                    LOG.error("webhook {} cannot be delivered now", webhook.id(), e);
                    pause = longer(pause);
                }
                bell.await(bell.rings(), closed ? Duration.ZERO : pause);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private static Duration longer(Duration pause) {
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }

    /** Until the turn is over, something fails, or this is closed. */
    private void round(Turn turn) throws InterruptedException {
        try (turn) {
            Optional<Webhook> now = parts.book.find(webhook.id());
            if (now.isEmpty() || now.get().version() != webhook.version()) {
                return; // whoever watches the list will make another courier
            }
            Round round = new Round(parts, now.get(), turn, bell);
            Replay replay = new Replay(parts, now.get(), turn);
            try (replay;
                    Listening listening = parts.pool.listen(EventFilter.all(), now.get().standing().cursor(),
                            round::hear);
                    round) {
                long rings = -1;
                for (int look = 0; !closed && !round.isOver() && turn.keep(); look++) {
                    if (bell.rings() != rings || look % LOOKS == 0) {
                        replay.start();
                    }
                    rings = bell.rings();
                    round.save(listening.missed());
                    bell.await(rings, LOOK);
                }
            }
            round.failure().ifPresent(e -> {
                throw e;
            });
        }
    }

    /** What is on its way is broken off: it is sent again by whoever goes on. */
    @Override
    public void close() {
        closed = true;
        bell.ring();
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

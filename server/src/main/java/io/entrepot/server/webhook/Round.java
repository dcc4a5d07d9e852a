package io.entrepot.server.webhook;

import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.server.webhook.Sender.Outcome;
import io.entrepot.store.Incarnation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn of delivering: each event that is wanted is sent until it is taken or has failed too often, and only then the next one
 * is looked at.
 *
 * <p>INVARIANT: the durable cursor never goes back, and never past a wanted event that was neither taken nor written down as dead.
 * When the round is over it hears nothing any more, so that the cursor stays where it is.
 *
 * <p>{@link #hear} is called by one thread at a time; the rest is safe for use by many threads: the cursor is written under one lock.
 */
final class Round implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Round.class);

    private final Courier.Parts parts;
    private final Webhook webhook;
    private final Turn turn;
    private final Bell bell;
    private final Bell ending = new Bell();
    private final Incarnation life;
    private final SortedMap<String, Long> positions = new TreeMap<>();
    /** After the last event that was dealt with, wanted or not. */
    private volatile EventCursor heard;
    private EventCursor saved;
    private volatile boolean over;
    private volatile @Nullable Thread sending;
    private volatile @Nullable RuntimeException failure;
    private String head;
    private int attempts;
    private Instant nextAt;
    private long missed;

    /** @param bell rung when the round is over by itself */
    Round(Courier.Parts parts, Webhook webhook, Turn turn, Bell bell) {
        this.parts = parts;
        this.webhook = webhook;
        this.turn = turn;
        this.bell = bell;
        this.life = parts.pool().store().incarnation();
        Webhook.Standing standing = webhook.standing();
        this.positions.putAll(standing.cursor().positions());
        this.heard = standing.cursor();
        this.saved = heard;
        this.head = standing.head();
        this.attempts = standing.attempts();
        this.nextAt = standing.nextAt();
    }

    boolean isOver() {
        return over;
    }

    Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    void hear(PoolEvent event) {
        if (over) {
            return;
        }
        try {
            SortedMap<String, Long> after = new TreeMap<>(positions);
            after.put(event.store(), event.number());
            EventCursor cursor = new EventCursor(after);
            if (webhook.filter().matches(event) && !bring(event, cursor)) {
                over = true;
                return;
            }
            positions.put(event.store(), event.number());
            heard = cursor;
        } catch (InterruptedException e) {
            over = true;
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure = e;
            over = true;
            bell.ring();
        }
    }

    /** Says whether it is dealt with. */
    private boolean bring(PoolEvent event, EventCursor cursor) throws InterruptedException {
        Message message = Message.of(webhook, event, life, parts.config().maxBody());
        if (!message.id().equals(head)) {
            head = message.id();
            attempts = 0;
            nextAt = Instant.EPOCH;
        }
        while (true) {
            sending = Thread.currentThread();
            try {
                ending.await(0, Duration.between(parts.wall().instant(), nextAt));
                if (over || !turn.mayAct()) {
                    return false;
                }
                Outcome outcome = parts.sender().send(webhook.url(), webhook.secret(), webhook.id(), message,
                        attempts + 1);
                Instant now = parts.wall().instant();
                switch (outcome) {
                    case Outcome.Taken _ -> {
                        record(cursor, () -> parts.book().delivered(webhook.id(), cursor, now, turn::require));
                        return true;
                    }
                    case Outcome.Failed failed -> {
                        attempts++;
                        if (attempts >= parts.config().attempts()) {
                            giveUp(message, cursor, now, failed.why());
                            return true;
                        }
                        putOff(message, now, failed);
                    }
                }
            } finally {
                sending = null;
            }
        }
    }

    private void giveUp(Message message, EventCursor cursor, Instant now, String why) {
        LOG.warn("webhook {}: event {} is given up after {} attempts: {}", webhook.id(), message.id(), attempts, why);
        DeadLetter letter = new DeadLetter(0, webhook.id(), message, now, attempts, why, false);
        record(cursor, () -> parts.book().died(parts.letters(), letter, cursor, turn::require));
    }

    private synchronized void record(EventCursor cursor, Runnable write) {
        write.run();
        saved = cursor;
    }

    private void putOff(Message message, Instant now, Outcome.Failed failed) {
        Duration longest = parts.config().longestDelay();
        Duration asked = failed.retryAfter().filter(it -> it.compareTo(longest) < 0).orElse(Duration.ZERO);
        Duration delay = parts.config().delay(attempts);
        nextAt = now.plus(asked.compareTo(delay) > 0 ? asked : delay);
        LOG.debug("webhook {}: event {} failed for the {}. time: {}", webhook.id(), message.id(), attempts,
                failed.why());
        parts.book().failed(webhook.id(), message, attempts, nextAt, now, failed.why(), turn::require);
    }

    /** What was heard and is not wanted moves the cursor too, now and then. */
    synchronized void save(long missedSoFar) {
        EventCursor to = ahead(heard, saved) ? heard : saved;
        if (missedSoFar > missed || !to.equals(saved)) {
            parts.book().advance(webhook.id(), to, missedSoFar - missed, turn::require);
            missed = missedSoFar;
            saved = to;
        }
    }

    private static boolean ahead(EventCursor one, EventCursor other) {
        return one.positions().entrySet().stream().anyMatch(each -> each.getValue() > other.positions()
                .getOrDefault(each.getKey(), -1L));
    }

    @Override
    public void close() {
        over = true;
        ending.ring();
        Thread busy = sending;
        if (busy != null) {
            busy.interrupt();
        }
    }
}

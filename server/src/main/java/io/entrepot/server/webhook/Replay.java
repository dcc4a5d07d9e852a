package io.entrepot.server.webhook;

import io.entrepot.lease.LeaseLostException;
import io.entrepot.server.webhook.Sender.Outcome;
import io.entrepot.store.StoreException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries dead letters again that somebody wants to be tried: each once, oldest first, beside the events, whose order they have lost
 * anyway. Safe for use by many threads: at most one tries.
 */
final class Replay implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    private final Courier.Parts parts;
    private final Webhook webhook;
    private final Turn turn;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Thread> trying = Optional.empty();
    private volatile boolean closed;

    Replay(Courier.Parts parts, Webhook webhook, Turn turn) {
        this.parts = parts;
        this.webhook = webhook;
        this.turn = turn;
    }

    /** Begins, unless it has begun or there is nothing to do. */
    void start() {
        lock.lock();
        try {
            boolean busy = trying.filter(Thread::isAlive).isPresent();
            if (!busy && !closed && parts.letters().due(webhook.id()).isPresent()) {
                trying = Optional.of(Thread.ofVirtual().name("replay " + webhook.id()).start(this::tryAll));
            }
        } finally {
            lock.unlock();
        }
    }

    private void tryAll() {
        try {
            Optional<DeadLetter> letter = parts.letters().due(webhook.id());
            while (letter.isPresent() && !closed && turn.mayAct()) {
                tryOnce(letter.get());
                letter = parts.letters().due(webhook.id());
            }
        } catch (InterruptedException e) {
            // closed: what is left is still due
        } catch (LeaseLostException | StoreException e) {
            LOG.warn("dead letters of webhook {} are tried later: {}", webhook.id(), e.getMessage());
        }
    }

    private void tryOnce(DeadLetter letter) throws InterruptedException {
        Outcome outcome = parts.sender().send(webhook.url(), webhook.secret(), webhook.id(), letter.message(),
                letter.attempts() + 1);
        Instant now = parts.wall().instant();
        switch (outcome) {
            case Outcome.Taken _ -> parts.letters().taken(letter, now, turn::require);
            case Outcome.Failed failed -> parts.letters().stays(letter, now, failed.why(), turn::require);
        }
    }

    @Override
    public void close() {
        Optional<Thread> busy;
        lock.lock();
        try {
            closed = true;
            busy = trying;
        } finally {
            lock.unlock();
        }
        busy.ifPresent(thread -> {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}

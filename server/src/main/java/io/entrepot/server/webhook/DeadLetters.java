package io.entrepot.server.webhook;

import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** What could not be delivered, durably: until it is tried again with success, or dropped. Safe for use by many threads. */
final class DeadLetters {
    private static final Counter NUMBERS = new Counter("server.webhook-dead", 0);
    private static final String COLUMNS = "id, webhook, event, type, message, at, died, attempts, error, due";

    private final Store store;
    private final IntSupplier most;

    /** @param most of each webhook; the oldest go */
    DeadLetters(Store store, IntSupplier most) {
        this.store = store;
        this.most = most;
    }

    void add(Transaction tx, DeadLetter letter) {
        Message message = letter.message();
        tx.update("INSERT INTO server_webhook_dead (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                tx.next(NUMBERS, 1), letter.webhook(), message.id(), message.type(), message.text(),
                message.at().toEpochMilli(), letter.died().toEpochMilli(), letter.attempts(), letter.error());
        tx.update("DELETE FROM server_webhook_dead WHERE webhook = ? AND id <= (SELECT id FROM server_webhook_dead"
                + " WHERE webhook = ? ORDER BY id DESC LIMIT 1 OFFSET ?)", letter.webhook(), letter.webhook(),
                most.getAsInt());
    }

    /** Oldest first. */
    List<DeadLetter> list(String webhook, long after, int limit) {
        return store.read(snapshot -> snapshot.query("SELECT " + COLUMNS + " FROM server_webhook_dead WHERE webhook = ?"
                + " AND id > ? ORDER BY id LIMIT ?", DeadLetters::read, webhook, after, limit));
    }

    long count(String webhook) {
        return store.read(snapshot -> snapshot.query("SELECT COUNT(*) FROM server_webhook_dead WHERE webhook = ?",
                row -> row.getLong(1), webhook)).getFirst();
    }

    /** The oldest that is to be tried again. */
    Optional<DeadLetter> due(String webhook) {
        return store.read(snapshot -> snapshot.first("SELECT " + COLUMNS + " FROM server_webhook_dead WHERE webhook = ?"
                + " AND due = 1 ORDER BY id LIMIT 1", DeadLetters::read, webhook));
    }

    /** To be tried again: all if none is named. Says how many. */
    int replay(String webhook, Optional<Long> number) {
        return store.write(Owner.SYSTEM, tx -> {
            tx.tell(WebhookBook.CHANGED);
            return number.isPresent()
                    ? tx.update("UPDATE server_webhook_dead SET due = 1 WHERE webhook = ? AND id = ?", webhook,
                            number.get())
                    : tx.update("UPDATE server_webhook_dead SET due = 1 WHERE webhook = ?", webhook);
        });
    }

    int drop(String webhook, Optional<Long> number) {
        return store.write(Owner.SYSTEM, tx -> number.isPresent()
                ? tx.update("DELETE FROM server_webhook_dead WHERE webhook = ? AND id = ?", webhook, number.get())
                : tx.update("DELETE FROM server_webhook_dead WHERE webhook = ?", webhook));
    }

    /** It was taken after all. */
    void taken(DeadLetter letter, Instant now, Consumer<Transaction> fence) {
        store.write(Owner.SYSTEM, tx -> {
            fence.accept(tx);
            tx.update("UPDATE server_webhook SET delivered = delivered + 1, last_success = ? WHERE id = ?",
                    now.toEpochMilli(), letter.webhook());
            return tx.update("DELETE FROM server_webhook_dead WHERE id = ?", letter.number());
        });
    }

    /** It was not taken again, and stays. */
    void stays(DeadLetter letter, Instant now, String error, Consumer<Transaction> fence) {
        store.write(Owner.SYSTEM, tx -> {
            fence.accept(tx);
            tx.update("UPDATE server_webhook SET last_failure = ?, last_error = ? WHERE id = ?", now.toEpochMilli(),
                    error, letter.webhook());
            return tx.update("UPDATE server_webhook_dead SET due = 0, attempts = attempts + 1, error = ? WHERE id = ?",
                    error, letter.number());
        });
    }

    private static DeadLetter read(ResultSet row) throws SQLException {
        return new DeadLetter(row.getLong(1), row.getString(2), new Message(row.getString(3), row.getString(4),
                Instant.ofEpochMilli(row.getLong(6)), row.getString(5)), Instant.ofEpochMilli(row.getLong(7)),
                row.getInt(8), row.getString(9), row.getInt(10) != 0);
    }
}

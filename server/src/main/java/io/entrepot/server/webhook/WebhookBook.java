package io.entrepot.server.webhook;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.store.Owner;
import io.entrepot.store.Schema;
import io.entrepot.store.Store;
import io.entrepot.store.Transaction;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The webhooks, durably. What somebody asks for is changed by anybody; how it goes only by whoever delivers, who shows in the same
 * transaction that it still is the one. Safe for use by many threads.
 */
public final class WebhookBook {
    public static final Schema SCHEMA = new Schema("server-webhooks", WebhookBook.class, 1);
    /** Told to the other servers with every change. */
    static final String CHANGED = "server-webhooks";
    private static final String COLUMNS = "id, name, url, types, tenants, secret, enabled, created, version, cursor, head,"
            + " attempts, next_at, delivered, missed, last_success, last_failure, last_error";

    private final Store store;

    WebhookBook(Store store) {
        this.store = store;
    }

    List<Webhook> all() {
        return store.read(snapshot -> snapshot.query("SELECT " + COLUMNS + " FROM server_webhook ORDER BY created, id",
                WebhookBook::read));
    }

    Optional<Webhook> find(String id) {
        return store.read(snapshot -> snapshot.first("SELECT " + COLUMNS + " FROM server_webhook WHERE id = ?",
                WebhookBook::read, id));
    }

    void add(Webhook webhook) {
        store.write(Owner.SYSTEM, tx -> {
            tx.tell(CHANGED);
            return tx.update("INSERT INTO server_webhook (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0,"
                    + " 0, 0, 0, NULL, NULL, '')", webhook.id(), webhook.name(), webhook.url().toString(),
                    types(webhook.filter()), tenants(webhook.filter()), webhook.secret().text(),
                    webhook.enabled() ? 1 : 0, webhook.created().toEpochMilli(), 1,
                    webhook.standing().cursor().toString());
        });
    }

    /**
     * What is tried now is tried at once with what is new. Says whether it was done: not if the webhook is of another version by
     * now, as that change would be undone, or gone.
     */
    boolean change(Webhook to) {
        return store.write(Owner.SYSTEM, tx -> {
            tx.tell(CHANGED);
            return tx.update(
                    "UPDATE server_webhook SET name = ?, url = ?, types = ?, tenants = ?, secret = ?, enabled = ?,"
                            + " version = version + 1, attempts = 0, next_at = 0 WHERE id = ? AND version = ?",
                    to.name(), to.url().toString(),
                    types(to.filter()), tenants(to.filter()), to.secret().text(), to.enabled() ? 1 : 0, to.id(),
                    to.version());
        }) > 0;
    }

    boolean remove(String id) {
        return store.write(Owner.SYSTEM, tx -> {
            tx.tell(CHANGED);
            tx.update("DELETE FROM server_webhook_dead WHERE webhook = ?", id);
            return tx.update("DELETE FROM server_webhook WHERE id = ?", id);
        }) > 0;
    }

    /** Everything up to the cursor is dealt with. */
    void advance(String id, EventCursor cursor, long missed, Consumer<Transaction> fence) {
        store.write(Owner.SYSTEM, tx -> {
            fence.accept(tx);
            return tx.update("UPDATE server_webhook SET cursor = ?, missed = missed + ? WHERE id = ?",
                    cursor.toString(), missed, id);
        });
    }

    void delivered(String id, EventCursor cursor, Instant now, Consumer<Transaction> fence) {
        store.write(Owner.SYSTEM, tx -> {
            fence.accept(tx);
            return tx.update("UPDATE server_webhook SET cursor = ?, head = '', attempts = 0, next_at = 0, delivered ="
                    + " delivered + 1, last_success = ? WHERE id = ?", cursor.toString(), now.toEpochMilli(), id);
        });
    }

    /** It is tried again later. */
    void failed(String id, Message head, int attempts, Instant next, Instant now, String error,
            Consumer<Transaction> fence) {
        store.write(Owner.SYSTEM, tx -> {
            fence.accept(tx);
            return tx.update("UPDATE server_webhook SET head = ?, attempts = ?, next_at = ?, last_failure = ?,"
                    + " last_error = ? WHERE id = ?", head.id(), attempts, next.toEpochMilli(), now.toEpochMilli(),
                    error, id);
        });
    }

    /** It is given up, and the next one's turn. */
    void died(DeadLetters letters, DeadLetter letter, EventCursor cursor, Consumer<Transaction> fence) {
        store.write(Owner.SYSTEM, tx -> {
            fence.accept(tx);
            letters.add(tx, letter);
            return tx.update("UPDATE server_webhook SET cursor = ?, head = '', attempts = 0, next_at = 0,"
                    + " last_failure = ?, last_error = ? WHERE id = ?", cursor.toString(),
                    letter.died().toEpochMilli(), letter.error(), letter.webhook());
        });
    }

    private static String types(EventFilter filter) {
        return filter.types().stream().sorted().collect(Collectors.joining(" "));
    }

    private static String tenants(EventFilter filter) {
        return filter.tenants().stream().map(TenantId::toString).sorted().collect(Collectors.joining(" "));
    }

    private static Set<String> words(String text) {
        return text.isEmpty() ? Set.of() : Set.copyOf(Arrays.asList(text.split(" ", -1)));
    }

    private static Webhook read(ResultSet row) throws SQLException {
        EventFilter filter = new EventFilter(words(row.getString(5)).stream().map(TenantId::new)
                .collect(Collectors.toSet()), words(row.getString(4)));
        Webhook.Standing standing = new Webhook.Standing(EventCursor.parse(row.getString(10)), row.getString(11),
                row.getInt(12), Instant.ofEpochMilli(row.getLong(13)), row.getLong(14), row.getLong(15),
                time(row, 16), time(row, 17), row.getString(18));
        return new Webhook(row.getString(1), row.getString(2), URI.create(row.getString(3)), filter,
                new SigningSecret(row.getString(6)), row.getInt(7) != 0, Instant.ofEpochMilli(row.getLong(8)),
                row.getLong(9), standing);
    }

    private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}

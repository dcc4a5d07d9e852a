package io.entrepot.server.webhook;

import io.entrepot.pool.event.PoolEvent;
import io.entrepot.server.event.EventRoutes;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Json;
import io.entrepot.server.json.Type;
import io.entrepot.store.Incarnation;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is sent.
 *
 * @param id   the same whenever the same event is sent: for the receiver to know it again
 * @param text JSON
 */
record Message(String id, String type, Instant at, String text) {
    private record Told(String id, String webhook, PoolEvent event, boolean cut) {}

    private static final Answer<Told> ANSWER = Answer.<Told>named("WebhookMessage")
            .with("id", Type.TEXT, "The same whenever the same event is sent.", Told::id)
            .with("webhook", Type.TEXT, "Which webhook this is for.", Told::webhook)
            .including(EventRoutes.EVENT, Told::event)
            .maybe("bodyOmitted", Type.TRUTH, "The body was too large to be sent.", it -> it.cut
                    ? Optional.of(true)
                    : Optional.empty());

    /** @param most of a larger one the body is left out */
    static Message of(Webhook webhook, PoolEvent event, Incarnation life, long most) {
        String id = id(event, life);
        Told whole = new Told(id, webhook.id(), event, false);
        String text = Json.text(ANSWER.of(whole));
        if (text.length() > most) {
            PoolEvent head = new PoolEvent(event.store(), event.number(), event.at(), event.tenant(), event.type(),
                    event.subject().substring(0, Math.min(event.subject().length(), 400)), Map.of());
            text = Json.text(ANSWER.of(new Told(id, webhook.id(), head, true)));
        }
        return new Message(id, event.type(), event.at(), text);
    }

    /** Numbers begin again after a backup was restored; the life of the data is another then. */
    static String id(PoolEvent event, Incarnation life) {
        return life.id() + "." + event.store() + "." + event.number();
    }

    /** For a receiver that is tried out. */
    static Message ping(Webhook webhook, String id, Instant now) {
        PoolEvent event = new PoolEvent("ping", 0, now, Optional.empty(), "webhook.ping", webhook.id(), Map.of());
        return new Message(id, event.type(), now, Json.text(ANSWER.of(new Told(id, webhook.id(), event, false))));
    }
}

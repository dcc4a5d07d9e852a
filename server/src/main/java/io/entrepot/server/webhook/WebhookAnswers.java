package io.entrepot.server.webhook;

import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.webhook.Sender.Outcome;
import java.util.List;
import java.util.Optional;

/** Webhooks as they are answered. The secret is in one of them alone. */
final class WebhookAnswers {
    /** A webhook, how many dead letters it has, and the end of all events. */
    record Seen(Webhook webhook, long deadLetters, EventCursor end) {
        State state() {
            return !webhook.enabled()
                    ? State.DISABLED
                    : webhook.standing().attempts() > 0 ? State.RETRYING : lag() > 0 ? State.BEHIND : State.UP_TO_DATE;
        }

        long lag() {
            return end.positions().entrySet().stream().mapToLong(each -> Math.max(0, each.getValue()
                    - webhook.standing().cursor().positions().getOrDefault(each.getKey(), 0L))).sum();
        }
    }

    enum State {
        DISABLED, UP_TO_DATE, BEHIND, RETRYING
    }

    static final Answer<Seen> WEBHOOK = Answer.<Seen>named("Webhook")
            .with("id", Type.TEXT, "What it is called.", it -> it.webhook.id())
            .with("name", Type.TEXT, "For people.", it -> it.webhook.name())
            .with("url", Type.TEXT, "Where messages are posted to.", it -> it.webhook.url())
            .with("types", Type.TEXTS, "Only such events; all if there are none.", it -> it.webhook.filter().types()
                    .stream().sorted().toList())
            .with("tenants", Type.TEXTS, "Only of these; all if there are none.", it -> it.webhook.filter().tenants()
                    .stream().map(TenantId::toString).sorted().toList())
            .with("enabled", Type.TRUTH, "Whether it is told anything.", it -> it.webhook.enabled())
            .with("created", Type.TIME, "When it was made.", it -> it.webhook.created())
            .with("state", Type.choice(State.class), "How it goes.", Seen::state)
            .with("cursor", Type.TEXT, "After the last event that was dealt with.", it -> it.webhook.standing()
                    .cursor())
            .with("lag", Type.COUNT, "So many events, wanted or not, were not looked at yet.", Seen::lag)
            .with("delivered", Type.COUNT, "So many were taken.", it -> it.webhook.standing().delivered())
            .with("missed", Type.COUNT, "So many, wanted or not, were forgotten before they could be looked at.",
                    it -> it.webhook.standing().missed())
            .with("deadLetters", Type.COUNT, "So many were given up.", Seen::deadLetters)
            .with("attempts", Type.COUNT, "How often the event has failed that is tried now.",
                    it -> it.webhook.standing().attempts())
            .maybe("nextAttempt", Type.TIME, "When it is tried again.", it -> it.webhook.standing().attempts() > 0
                    ? Optional.of(it.webhook.standing().nextAt())
                    : Optional.empty())
            .maybe("lastSuccess", Type.TIME, "When something was last taken.", it -> it.webhook.standing()
                    .lastSuccess())
            .maybe("lastFailure", Type.TIME, "When something was last not taken.", it -> it.webhook.standing()
                    .lastFailure())
            .maybe("lastError", Type.TEXT, "Why.", it -> Optional.of(it.webhook.standing().lastError())
                    .filter(text -> !text.isEmpty()));
    static final Answer<List<Seen>> WEBHOOKS = WEBHOOK.listed("Webhooks", "webhooks");
    static final Answer<Seen> MADE = Answer.<Seen>named("NewWebhookAnswer").including(WEBHOOK, it -> it)
            .with("secret", Type.TEXT, "What messages are signed with. It is told now and never again.",
                    it -> it.webhook.secret().text());

    static final Answer<Outcome> PING = Answer.<Outcome>named("Ping")
            .with("taken", Type.TRUTH, "Whether the receiver took it.", it -> it instanceof Outcome.Taken)
            .with("took", Type.DURATION, "How long that was.", Outcome::took)
            .maybe("status", Type.COUNT, "What it answered.", it -> it instanceof Outcome.Taken taken
                    ? Optional.of(taken.status())
                    : Optional.empty())
            .maybe("error", Type.TEXT, "Why not.", it -> it instanceof Outcome.Failed failed
                    ? Optional.of(failed.why())
                    : Optional.empty());

    static final Answer<DeadLetter> LETTER = Answer.<DeadLetter>named("DeadLetter")
            .with("number", Type.COUNT, "Grows.", DeadLetter::number)
            .with("event", Type.TEXT, "The id of the event.", it -> it.message().id())
            .with("type", Type.TEXT, "What has happened.", it -> it.message().type())
            .with("at", Type.TIME, "When that was.", it -> it.message().at())
            .with("died", Type.TIME, "When it was given up.", DeadLetter::died)
            .with("attempts", Type.COUNT, "How often it was tried.", DeadLetter::attempts)
            .with("error", Type.TEXT, "Why it failed last.", DeadLetter::error)
            .with("replaying", Type.TRUTH, "Whether it is to be tried again.", DeadLetter::due)
            .with("message", Type.TEXT, "The JSON that is sent.", it -> it.message().text());
    static final Answer<List<DeadLetter>> LETTERS = LETTER.listed("DeadLetters", "deadLetters");
    static final Answer<Integer> COUNT = Answer.<Integer>named("LettersAnswer").with("count", Type.COUNT,
            "How many it were.", it -> it);

    private WebhookAnswers() {}
}

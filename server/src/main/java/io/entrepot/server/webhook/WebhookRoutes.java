package io.entrepot.server.webhook;

import io.entrepot.config.Nearest;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.EventType;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import io.entrepot.server.webhook.WebhookAnswers.Seen;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who is told what happens. */
public final class WebhookRoutes {
    private static final Input<String> NAME = Input.of("name", Type.TEXT, "For people: whose it is, what for.",
            WebhookRoutes::name);
    private static final Input<URI> URL = Input.of("url", new Type.Text("uri"), "Where messages are posted to: http or"
            + " https.", Targets::parse);
    private static final Input<List<String>> TYPES = Input.of("types", Type.TEXT, "Only such events, as file.written or"
            + " file.*; all if there are none.", WebhookRoutes::type).listed();
    private static final Input<List<TenantId>> TENANTS = Input
            .of("tenants", Type.TEXT, "Only of these tenants; all, and"
                    + " what is of the whole pool, if there are none.", TenantId::new)
            .listed();
    private static final Input<Boolean> ENABLED = Input.truth("enabled",
            "Whether it is told anything. When it is enabled"
                    + " again it is told what it has missed, as far as that is kept.");
    private static final Input<EventCursor> AFTER = Input.of("after", Type.TEXT, "Begin with what came after this id of"
            + " an event stream; with all that is kept if it is empty. From now on if not said.", EventCursor::parse);
    private static final Ask NEW = Ask.of("NewWebhook", NAME.required(), URL.required(), TYPES, TENANTS, ENABLED,
            AFTER);
    private static final Ask CHANGE = Ask.of("WebhookChange", NAME, URL, TYPES, TENANTS, ENABLED);
    private static final Input<Long> FROM = Input.whole("after", 0, Long.MAX_VALUE, "Numbers above this.");
    private static final Input<Long> LIMIT = Input.whole("limit", 1, 1000, "How many at most; 100 if not said.");
    private static final String PATH = "/v1/webhooks";
    private static final String ONE = PATH + "/{webhook}";
    private static final String DEAD = ONE + "/dead-letters";
    private static final String TAG = "Webhooks";

    private final Webhooks webhooks;

    public WebhookRoutes(Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(PATH).as("listWebhooks", TAG, "All webhooks, and how they go")
                        .gives(200, WebhookAnswers.WEBHOOKS, "The webhooks.")
                        .does(_ -> {
                            EventCursor end = webhooks.now();
                            return Reply.ok(WebhookAnswers.WEBHOOKS, webhooks.list().stream().map(each -> seen(each,
                                    end)).toList());
                        }),
                Route.post(PATH)
                        .as("createWebhook", TAG, "Have events posted to a URL, signed, in order, at least once")
                        .takes(NEW).gives(201, WebhookAnswers.MADE, "Made; its secret is told now and never again.")
                        .inAudit().does(this::create),
                Route.get(ONE).as("getWebhook", TAG, "One webhook, and how it goes")
                        .gives(200, WebhookAnswers.WEBHOOK, "The webhook.").problems(Code.NO_SUCH_RESOURCE)
                        .does(call -> Reply.ok(WebhookAnswers.WEBHOOK, seen(webhook(call)))),
                Route.of(Method.PATCH, ONE).as("changeWebhook", TAG, "Change what is said; what waits is tried at once")
                        .takes(CHANGE).gives(200, WebhookAnswers.WEBHOOK, "As it is now.")
                        .problems(Code.NO_SUCH_RESOURCE).inAudit().does(this::change),
                Route.of(Method.DELETE, ONE)
                        .as("deleteWebhook", TAG, "Tell it nothing any more, and drop its dead letters")
                        .givesNothing().problems(Code.NO_SUCH_RESOURCE).inAudit().does(this::delete),
                Route.post(ONE + "/secret").as("renewWebhookSecret", TAG, "Sign with another secret from now on")
                        .gives(200, WebhookAnswers.MADE, "The new secret is told now and never again.")
                        .problems(Code.NO_SUCH_RESOURCE).inAudit().does(this::renewSecret),
                Route.post(ONE + "/ping").as("pingWebhook", TAG, "Send a message of type webhook.ping now, once")
                        .gives(200, WebhookAnswers.PING, "What came of it.").problems(Code.NO_SUCH_RESOURCE)
                        .does(call -> Reply.ok(WebhookAnswers.PING, webhooks.ping(webhook(call)))),
                Route.get(DEAD).as("listDeadLetters", TAG, "What could not be delivered, oldest first")
                        .query(FROM, LIMIT).gives(200, WebhookAnswers.LETTERS, "The dead letters.")
                        .problems(Code.NO_SUCH_RESOURCE)
                        .does(call -> Reply.ok(WebhookAnswers.LETTERS, webhooks.letters().list(webhook(call).id(),
                                call.query(FROM, 0L), Math.toIntExact(call.query(LIMIT, 100L))))),
                Route.post(DEAD + "/replay").as("replayDeadLetters", TAG, "Try all again, each once, in their order")
                        .gives(202, WebhookAnswers.COUNT, "So many are tried; those that are taken are gone then.")
                        .problems(Code.NO_SUCH_RESOURCE).inAudit()
                        .does(call -> Reply.of(202, WebhookAnswers.COUNT, webhooks.replay(webhook(call).id(),
                                Optional.empty()))),
                Route.post(DEAD + "/{letter}/replay").as("replayDeadLetter", TAG, "Try one again, once")
                        .gives(202, WebhookAnswers.COUNT, "It is tried; if it is taken it is gone then.")
                        .problems(Code.NO_SUCH_RESOURCE).inAudit()
                        .does(call -> Reply.of(202, WebhookAnswers.COUNT, some(call, webhooks.replay(webhook(call).id(),
                                Optional.of(letter(call)))))),
                Route.of(Method.DELETE, DEAD).as("dropDeadLetters", TAG, "Drop all: they are never sent")
                        .gives(200, WebhookAnswers.COUNT, "So many were dropped.").problems(Code.NO_SUCH_RESOURCE)
                        .inAudit().does(call -> Reply.ok(WebhookAnswers.COUNT, webhooks.letters()
                                .drop(webhook(call).id(), Optional.empty()))),
                Route.of(Method.DELETE, DEAD + "/{letter}").as("dropDeadLetter", TAG, "Drop one: it is never sent")
                        .givesNothing().problems(Code.NO_SUCH_RESOURCE).inAudit().does(call -> {
                            some(call, webhooks.letters().drop(webhook(call).id(), Optional.of(letter(call))));
                            return Reply.empty();
                        }));
    }

    private Reply create(Call call) throws IOException, InterruptedException {
        Given given = call.body(NEW);
        Webhook made = webhooks.create(given.get(NAME), given.get(URL), new EventFilter(
                new HashSet<>(given.get(TENANTS, List.of())), new HashSet<>(given.get(TYPES, List.of()))),
                given.get(ENABLED, true), given.find(AFTER));
        return Reply.of(201, WebhookAnswers.MADE, seen(made)).with("Location", PATH + "/" + made.id());
    }

    private Reply change(Call call) throws IOException, InterruptedException {
        Given given = call.body(CHANGE);
        Webhook changed = webhooks.change(call.path("webhook"), before -> new Webhook(before.id(),
                given.get(NAME, before.name()), given.get(URL, before.url()), new EventFilter(
                        given.find(TENANTS).<Set<TenantId>>map(HashSet::new).orElse(before.filter().tenants()),
                        given.find(TYPES).<Set<String>>map(HashSet::new).orElse(before.filter().types())),
                before.secret(), given.get(ENABLED, before.enabled()), before.created(), before.version(),
                before.standing())).orElseThrow(() -> unknown(call));
        return Reply.ok(WebhookAnswers.WEBHOOK, seen(changed));
    }

    private Reply renewSecret(Call call) throws InterruptedException {
        Webhook changed = webhooks.change(call.path("webhook"), before -> new Webhook(before.id(), before.name(),
                before.url(), before.filter(), SigningSecret.random(), before.enabled(), before.created(),
                before.version(), before.standing())).orElseThrow(() -> unknown(call));
        return Reply.ok(WebhookAnswers.MADE, seen(changed));
    }

    private Reply delete(Call call) {
        if (!webhooks.remove(call.path("webhook"))) {
            throw unknown(call);
        }
        return Reply.empty();
    }

    private Seen seen(Webhook webhook) {
        return seen(webhook, webhooks.now());
    }

    private Seen seen(Webhook webhook, EventCursor end) {
        return new Seen(webhook, webhooks.letters().count(webhook.id()), end);
    }

    private Webhook webhook(Call call) {
        return webhooks.find(call.path("webhook")).orElseThrow(() -> unknown(call));
    }

    private static ProblemException unknown(Call call) {
        return new ProblemException(Code.NO_SUCH_RESOURCE, "there is no webhook " + call.path("webhook"));
    }

    private static long letter(Call call) {
        String text = call.path("letter");
        if (!text.matches("\\d{1,18}")) {
            throw noLetter(call);
        }
        return Long.parseLong(text);
    }

    private static int some(Call call, int count) {
        if (count == 0) {
            throw noLetter(call);
        }
        return count;
    }

    private static ProblemException noLetter(Call call) {
        return new ProblemException(Code.NO_SUCH_RESOURCE, "webhook " + call.path("webhook") + " has no dead letter "
                + call.path("letter") + " (any more)");
    }

    private static String name(String text) {
        if (text.isBlank() || text.length() > 200 || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("has 1 to 200 characters, and no control characters");
        }
        return text;
    }

    /** One that there is, or the beginning of one: a type that never happens is a mistake. */
    private static String type(String text) {
        List<String> known = Arrays.stream(EventType.values()).map(EventType::code).toList();
        boolean good = text.endsWith("*")
                ? known.stream().anyMatch(code -> code.startsWith(text.substring(0, text.length() - 1)))
                : known.contains(text);
        if (!good) {
            throw new IllegalArgumentException("there are no events of type " + text + Nearest.to(text, known)
                    .map(near -> "; did you mean \"" + near + "\"?").orElse("; docs/events.md lists them"));
        }
        return text;
    }
}

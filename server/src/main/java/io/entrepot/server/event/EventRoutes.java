package io.entrepot.server.event;

import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.event.EventCursor;
import io.entrepot.pool.event.EventFilter;
import io.entrepot.pool.event.PoolEvent;
import io.entrepot.server.access.Access;
import io.entrepot.server.access.Identity;
import io.entrepot.server.access.Keys;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Everything that happens, as it happens: durable, in order, and gone on with after a break. */
public final class EventRoutes {
    public static final Answer<PoolEvent> EVENT = Answer.<PoolEvent>named("Event")
            .with("type", Type.TEXT, "What has happened: docs/events.md lists them.", PoolEvent::type)
            .with("at", Type.TIME, "When.", PoolEvent::at)
            .maybe("tenant", Type.TEXT, "Whose it is; none: of the whole pool.", PoolEvent::tenant)
            .with("subject", Type.TEXT, "A file's key, or what else it is about.", PoolEvent::subject)
            .with("body", new Type.Free(), "What else is known.", PoolEvent::body)
            .with("store", Type.TEXT, "Where it is written down.", PoolEvent::store)
            .with("number", Type.COUNT, "In that store; grows by one from event to event.", PoolEvent::number);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Input<List<String>> TYPES = Input.text("type", "Only such, as file.written or file.*; any"
            + " number.").listed();
    private static final Input<List<TenantId>> TENANTS = Input.of("tenant", Type.TEXT, "Only of this tenant; any"
            + " number.", TenantId::new).listed();
    private static final Input<EventCursor> AFTER = Input.of("after", Type.TEXT, "What came after this id; all that is"
            + " kept if it is empty. From now on if not said.", EventCursor::parse);
    private static final Input<EventCursor> LAST = Input.of("Last-Event-ID", Type.TEXT, "The same, by a reader that"
            + " comes back.", EventCursor::parse);
    private static final String STREAM = "text/event-stream";

    private final Pool pool;
    private final Keys keys;
    private final Closing closing;
    private final IntSupplier most;
    private final Supplier<Duration> idle;
    private final AtomicInteger following = new AtomicInteger();

    /** @param idle how long a connection may be silent */
    public EventRoutes(Pool pool, Keys keys, Closing closing, IntSupplier most,
            Supplier<Duration> idle) {
        this.pool = pool;
        this.keys = keys;
        this.closing = closing;
        this.most = most;
        this.idle = idle;
    }

    private Duration heartbeat() {
        Duration third = idle.get().dividedBy(3);
        return third.compareTo(HEARTBEAT) < 0 ? third : HEARTBEAT;
    }

    public List<Route> routes() {
        return List.of(Route.get("/v1/events").needs(Access.SOME_TENANT)
                .as("followEvents", "Events",
                        "Follow what happens, as Server-Sent Events: the data of each is an Event,"
                                + " its id a cursor. A type events.missed says that so many were forgotten before they could be told")
                .query(TYPES, TENANTS, AFTER).header(LAST)
                .gives(new Route.Gives(200, STREAM, Optional.of(EVENT), "Events, until one side ends it."))
                .problems(Code.TENANT_NOT_FOUND).does(this::follow));
    }

    private Reply follow(Call call) throws Exception {
        List<TenantId> tenants = call.queryAll(TENANTS);
        tenants.forEach(tenant -> call.require(Access.READ, tenant));
        EventFilter filter = new EventFilter(new HashSet<>(tenants), new HashSet<>(call.queryAll(TYPES)));
        Identity who = call.who();
        EventCursor from = call.header(LAST).or(() -> call.query(AFTER))
                .orElseGet(() -> EventStream.now(pool, who::mayRead));
        call.http().status(200).contentType(STREAM).header("X-Accel-Buffering", "no");
        if (call.wantsHeadOnly()) {
            return Reply.written();
        }
        try {
            if (following.incrementAndGet() > most.getAsInt()) {
                throw new ProblemException(Code.BUSY, "too many follow the events already");
            }
            new EventStream(from, who::mayRead, wanted(who, filter), call.http().res().getOutputStream(), heartbeat())
                    .follow(pool, closing, () -> keys.isGood(who.id()));
        } finally {
            following.decrementAndGet();
        }
        return Reply.written();
    }

    private static Predicate<PoolEvent> wanted(Identity who, EventFilter filter) {
        return event -> filter.matches(event) && (who.isAdmin() || event.tenant().filter(who::mayRead).isPresent());
    }
}

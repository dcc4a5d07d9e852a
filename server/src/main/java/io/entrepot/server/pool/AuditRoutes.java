package io.entrepot.server.pool;

import io.entrepot.server.access.Audit;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Input;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.util.List;

/** What administrators have done. */
public final class AuditRoutes {
    private static final Answer<List<Audit.Entry>> ENTRIES = Audit.Entry.ANSWER.listed("AuditEntries", "entries");
    private static final Input<Long> BEFORE = Input.whole("before", 1, Long.MAX_VALUE, "Entries before this number: the"
            + " last one of the page before.");
    private static final Input<Long> LIMIT = Input.whole("limit", 1, Audit.MOST, "How many at most; 100 if not said.");
    private static final Input<String> KEY = Input.text("key", "Only by the key of this id.");
    private static final Input<String> ACTION = Input.text("action", "Only this operation, as `createTenant`.");

    private final Audit audit;

    public AuditRoutes(Audit audit) {
        this.audit = audit;
    }

    public List<Route> routes() {
        return List.of(Route.get("/v1/audit").as("listAudit", "Keys", "What administrators have done, newest first")
                .query(BEFORE, LIMIT, KEY, ACTION).gives(200, ENTRIES, "A page.")
                .does(call -> Reply.ok(ENTRIES, audit.list(new Audit.Query(call.query(BEFORE, Long.MAX_VALUE),
                        Math.toIntExact(call.query(LIMIT, 100L)), call.query(KEY, ""), call.query(ACTION, ""))))));
    }
}

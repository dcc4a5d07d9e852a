package io.entrepot.server.pool;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.pool.FileAnswers.Claimed;
import io.entrepot.server.problem.Code;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Files handed to workers, and what operators do with files in the queue. What workers do then is in {@link LeaseRoutes}. */
public final class QueueRoutes {
    private static final int MOST = 1000;
    private static final Input<Long> MAX = Input.whole("max", 1, MOST, "How many at most; 1 if not said.");
    private static final Input<Duration> WAIT = Inputs.duration("wait",
            "How long to wait for something to arrive; the server may wait less.");
    private static final Input<Duration> TERM = Inputs.duration("lease",
            "How long the lease lasts without renewal; the pool's term if not said.");
    private static final Input<String> WORKER = Input.text("worker", "The worker's name, for people; the key's if not"
            + " said.");
    private static final Input<List<TenantId>> TENANTS = Inputs.tenant("tenants", "Whose files; an even share of each.")
            .listed().required();
    private static final int LONGEST_KEY = 200;
    private static final Input<String> IDEMPOTENCY = Input.of("Idempotency-Key", Type.TEXT,
            "The same key with the same request is one claim, however often it is sent: as long as files that it got are"
                    + " leased, it gets the same leases, with their whole term, and no other files.",
            QueueRoutes::key);
    private static final Ask CLAIM = Ask.of("Claim", MAX, WAIT, TERM, WORKER);
    private static final Ask CLAIM_MANY = Ask.of("ClaimOfMany", TENANTS, MAX, WAIT, TERM, WORKER);
    private static final Ask CLAIM_ONE = Ask.of("ClaimOfOne", TERM, WORKER);
    private static final Answer<List<Claimed>> CLAIMED = FileAnswers.CLAIMED.listed("ClaimedFiles", "files");
    private static final Answer<Long> COUNT = Answer.<Long>named("Count").with("count", Type.COUNT, "So many files.",
            count -> count);
    private static final Answer<Boolean> CHANGED = Answer.<Boolean>named("Changed").with("changed", Type.TRUTH,
            "Whether there was something to do.", changed -> changed);
    private static final String TAG = "Queue";
    private static final String FILE = "/v1/tenants/{tenant}/files/{key}/";

    private final Pool pool;
    private final Closing closing;
    private final Supplier<Duration> maxWait;

    public QueueRoutes(Pool pool, Closing closing, Supplier<Duration> maxWait) {
        this.pool = pool;
        this.closing = closing;
        this.maxWait = maxWait;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/v1/tenants/{tenant}/claims").needs(Access.PROCESS)
                        .as("claimFiles", TAG, "Hand out the next files, each to this worker alone")
                        .header(IDEMPOTENCY).takes(CLAIM)
                        .gives(200, CLAIMED, "As many as were there, perhaps none.")
                        .problems(Code.TENANT_SUSPENDED, Code.INVALID_SETTING, Code.IDEMPOTENCY_CONFLICT)
                        .does(call -> claim(call, List.of(call.tenant()), call.body(CLAIM))),
                Route.post("/v1/claims").needs(Access.SOME_TENANT)
                        .as("claimFilesOfMany", TAG, "The same of several tenants at once")
                        .header(IDEMPOTENCY).takes(CLAIM_MANY)
                        .gives(200, CLAIMED, "As many as were there, perhaps none.")
                        .problems(Code.TENANT_SUSPENDED, Code.TENANT_DISABLED, Code.TENANT_NOT_FOUND,
                                Code.INVALID_SETTING, Code.IDEMPOTENCY_CONFLICT)
                        .does(this::claimOfMany),
                Route.post(FILE + "claim").needs(Access.PROCESS)
                        .as("claimFile", TAG, "Hand out a certain file, out of its turn")
                        .header(IDEMPOTENCY).takes(CLAIM_ONE)
                        .gives(200, FileAnswers.CLAIMED, "The file.")
                        .problems(Code.ALREADY_PROCESSING, Code.WRONG_STATE, Code.TENANT_SUSPENDED,
                                Code.INVALID_SETTING, Code.IDEMPOTENCY_CONFLICT)
                        .does(this::claimOne),
                Route.post(FILE + "reset").needs(Access.PROCESS)
                        .as("resetFile", TAG, "Make a file pending as if it were new; whoever has it loses it")
                        .givesNothing().inAudit().does(call -> {
                            pool.work().reset(call.tenant(), call.key());
                            return Reply.empty();
                        }),
                Route.post(FILE + "retry").needs(Access.PROCESS)
                        .as("retryFile", TAG, "A file that waits for its next attempt need not wait")
                        .gives(200, CHANGED, "Whether it did.").inAudit()
                        .does(call -> Reply.ok(CHANGED, pool.work().retryNow(call.tenant(), call.key()))),
                Route.post(FILE + "unhold").needs(Access.PROCESS)
                        .as("unholdFile", TAG, "Put a file into the queue that was rebuilt and is held")
                        .gives(200, CHANGED, "Whether it was held.").inAudit()
                        .does(call -> Reply.ok(CHANGED, pool.files().release(call.tenant(), call.key()))),
                Route.post("/v1/tenants/{tenant}/retry-failed").needs(Access.PROCESS)
                        .as("retryFailed", TAG, "Make every file pending again that was given up")
                        .gives(200, COUNT, "How many.").inAudit()
                        .does(call -> Reply.ok(COUNT, pool.work().retryAllFailed(call.tenant()))),
                Route.post("/v1/tenants/{tenant}/unhold").needs(Access.PROCESS)
                        .as("unholdAll", TAG, "Put all files into the queue that are held")
                        .gives(200, COUNT, "How many.").inAudit()
                        .does(call -> Reply.ok(COUNT, pool.files().releaseAll(call.tenant()))));
    }

    private Reply claimOfMany(Call call) throws Exception {
        Given given = call.body(CLAIM_MANY);
        given.get(TENANTS).forEach(tenant -> call.require(Access.PROCESS, tenant));
        return claim(call, given.get(TENANTS), given);
    }

    private Reply claim(Call call, List<TenantId> tenants, Given given) throws Exception {
        Duration wait = given.get(WAIT, Duration.ZERO);
        Duration longest = maxWait.get();
        ClaimOrder order = new ClaimOrder(tenants, worker(call, given), given.find(MAX).map(Math::toIntExact).orElse(1),
                given.find(TERM), wait.compareTo(longest) > 0 ? longest : wait, keyOf(call));
        List<ClaimedFile> files = order.patience().isPositive()
                ? closing.waiting(() -> pool.work().claim(order))
                : pool.work().claim(order);
        boolean withPath = call.who().isAdmin();
        return Reply.ok(CLAIMED, files.stream().map(file -> new Claimed(file, withPath)).toList());
    }

    private Reply claimOne(Call call) throws Exception {
        Given given = call.body(CLAIM_ONE);
        Duration term = given.get(TERM, Duration.ofMinutes(30));
        return Reply.ok(FileAnswers.CLAIMED, new Claimed(pool.work().claim(call.tenant(), call.key(),
                worker(call, given), term, keyOf(call)), call.who().isAdmin()));
    }

    private static String key(String text) {
        if (text.isBlank() || text.length() > LONGEST_KEY) {
            throw new IllegalArgumentException("has 1 to " + LONGEST_KEY + " characters");
        }
        return text;
    }

    /** Each API key has its own: nobody gets the leases of others because of numbering claims like them. */
    private static Optional<String> keyOf(Call call) {
        return call.header(IDEMPOTENCY).map(key -> call.who().id() + " " + key);
    }

    private static String worker(Call call, Given given) {
        return given.find(WORKER).or(() -> Optional.of(call.who().name()).filter(name -> !name.isBlank()))
                .orElse(call.who().id());
    }
}

package io.entrepot.server.pool;

import io.entrepot.pool.Pool;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Ask;
import io.entrepot.server.json.Given;
import io.entrepot.server.json.Input;
import io.entrepot.server.json.Type;
import io.entrepot.server.problem.Code;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Method;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Whose files there are. */
public final class TenantRoutes {
    static final Answer<RetryPolicy> RETRY = Answer.<RetryPolicy>named("Retry")
            .with("attempts", Type.COUNT, "After so many failures a file is given up.", RetryPolicy::attempts)
            .with("first", Type.DURATION, "The delay after the first failure.", RetryPolicy::initial)
            .with("longest", Type.DURATION, "No delay is longer.", RetryPolicy::max)
            .with("exponential", Type.TRUTH, "Each delay is twice the one before.", RetryPolicy::exponential);
    private static final Answer<TenantUsage> USAGE = Answer.<TenantUsage>named("TenantUsage")
            .with("files", Type.COUNT, "All files.", TenantUsage::files)
            .with("bytes", Type.COUNT, "Of all files.", TenantUsage::bytes)
            .with("pending", Type.COUNT, "Files that can be claimed now.", TenantUsage::pending)
            .with("processing", Type.COUNT, "Files that workers have.", TenantUsage::processing)
            .with("delayed", Type.COUNT, "Files that wait for their time.", TenantUsage::delayed)
            .with("completed", Type.COUNT, "Files that were completed and kept.", TenantUsage::completed)
            .with("failed", Type.COUNT, "Files that were given up.", TenantUsage::failed)
            .with("held", Type.COUNT, "Files that were rebuilt and wait to be released.", TenantUsage::held);
    static final Answer<Tenant> TENANT = Answer.<Tenant>named("Tenant")
            .with("id", Type.TEXT, "Its name.", Tenant::id)
            .with("status", Type.choice(TenantStatus.class), "What it may do.", Tenant::status)
            .with("paused", Type.TRUTH, "Its files are not handed out.", Tenant::paused)
            .maybe("maxFiles", Type.COUNT, "How many files it may have; none: no limit.", t -> t.limits().files())
            .maybe("maxBytes", Type.COUNT, "How many bytes it may have; none: no limit.", t -> t.limits().bytes())
            .with("warnPercent", new Type.Whole(0, 100), "When an event warns; 0: never.",
                    t -> t.limits().warnPercent())
            .maybe("retry", RETRY.type(), "Its own rule for failed files; none: the pool's.", Tenant::retry)
            .with("created", Type.TIME, "When it was made.", Tenant::created)
            .with("sharded", Type.TRUTH, "It has a database of its own.", Tenant::sharded);

    private record Detailed(Tenant tenant, TenantUsage usage, Optional<Instant> oldest, RetryPolicy rule) {}

    private static final Answer<Detailed> DETAILED = Answer.<Detailed>named("TenantDetail")
            .including(TENANT, Detailed::tenant).with("usage", USAGE.type(), "What it has.", Detailed::usage)
            .maybe("oldestPending", Type.TIME, "Since when the file waits that is next.", Detailed::oldest)
            .with("retryRule", RETRY.type(), "The rule that holds for its failed files: its own, or the pool's.",
                    Detailed::rule);
    private static final Answer<List<Tenant>> TENANTS = TENANT.listed("Tenants", "tenants");

    private static final Input<String> ID = Input.text("id", "Its name: 1 to 63 of a-z 0-9 . _ -.").required();
    private static final Input<Long> MAX_FILES = Input.whole("maxFiles", 0, Long.MAX_VALUE,
            "How many files it may have; null: no limit.").nullable();
    private static final Input<Long> MAX_BYTES = Input.whole("maxBytes", 0, Long.MAX_VALUE,
            "How many bytes it may have; null: no limit.").nullable();
    private static final Input<Long> WARN = Input.whole("warnPercent", 0, 100, "When an event warns; 0: never.");
    private static final Input<Boolean> SHARD = Input.truth("shard", "With a database of its own; embedded only.");
    private static final Input<TenantStatus> STATUS = Input.choice("status", TenantStatus.class, "What it may do.");
    private static final Input<Boolean> PAUSED = Input.truth("paused", "Stops the handing out of its files.");
    private static final Input<Long> ATTEMPTS = Input.whole("attempts", 1, 1_000_000, "After so many failures a file is"
            + " given up.");
    private static final Input<Duration> FIRST = Inputs.duration("first", "The delay after the first failure.");
    private static final Input<Duration> LONGEST = Inputs.duration("longest", "No delay is longer.");
    private static final Input<Boolean> EXPONENTIAL = Input.truth("exponential", "Each delay is twice the one before.");
    private static final Ask RETRY_RULE = Ask.of("RetryRule", ATTEMPTS, FIRST, LONGEST, EXPONENTIAL);
    private static final Input<Given> RULE = Input.object("retry", RETRY_RULE,
            "Its own rule for failed files; null: the pool's. What is left out is as by default.").nullable();
    private static final Ask CREATE = Ask.of("NewTenant", ID, MAX_FILES, MAX_BYTES, WARN, SHARD, RULE);
    private static final Ask CHANGE = Ask.of("TenantChange", STATUS, PAUSED, MAX_FILES, MAX_BYTES, WARN, RULE);
    private static final Input<Boolean> WITH_FILES = Input.truth("withFiles", "With all its files.");
    private static final String TAG = "Tenants";

    private final Pool pool;

    public TenantRoutes(Pool pool) {
        this.pool = pool;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/tenants").needs(Access.SOME_TENANT)
                        .as("listTenants", TAG, "All tenants that the key has to do with, by name")
                        .gives(200, TENANTS, "The tenants.").does(this::list),
                Route.post("/v1/tenants").as("createTenant", TAG, "Make a tenant").takes(CREATE)
                        .gives(201, TENANT, "It is made.").problems(Code.TENANT_EXISTS, Code.INVALID_SETTING).inAudit()
                        .does(this::create),
                Route.get("/v1/tenants/{tenant}").needs(Access.READ)
                        .as("getTenant", TAG, "A tenant, and what it has").gives(200, DETAILED, "The tenant.")
                        .does(call -> Reply.ok(DETAILED, detailed(call.tenant()))),
                Route.of(Method.PATCH, "/v1/tenants/{tenant}")
                        .as("changeTenant", TAG, "Change its status, limits or rule for failed files; what is left out"
                                + " stays")
                        .takes(CHANGE).gives(200, TENANT, "As it is now.").problems(Code.INVALID_SETTING).inAudit()
                        .does(this::change),
                Route.of(Method.DELETE, "/v1/tenants/{tenant}")
                        .as("deleteTenant", TAG, "Delete a tenant that has no files, or with its files")
                        .query(WITH_FILES).givesNothing().problems(Code.INVALID_SETTING, Code.WRONG_STATE).inAudit()
                        .does(this::delete));
    }

    private Reply list(Call call) {
        return Reply.ok(TENANTS, pool.tenants().list().stream().filter(tenant -> call.who().knows(tenant.id()))
                .toList());
    }

    private Detailed detailed(TenantId tenant) {
        return new Detailed(pool.tenants().get(tenant), pool.tenants().usage(tenant),
                pool.tenants().oldestPending(tenant), pool.tenants().retryRule(tenant));
    }

    private Reply create(Call call) throws IOException {
        Given given = call.body(CREATE);
        TenantId id = new TenantId(given.get(ID));
        TenantLimits limits = limits(given, TenantLimits.NONE);
        Tenant tenant = given.get(SHARD, false)
                ? pool.tenants().createWithShard(id, limits)
                : pool.tenants().create(id, limits);
        if (given.find(RULE).isPresent()) {
            tenant = pool.tenants().setRetry(id, given.find(RULE).map(TenantRoutes::retry));
        }
        return Reply.of(201, TENANT, tenant).with("Location", "/v1/tenants/" + id);
    }

    private Reply change(Call call) throws IOException {
        Given given = call.body(CHANGE);
        TenantId id = call.tenant();
        Tenant tenant = pool.tenants().get(id);
        TenantLimits limits = limits(given, tenant.limits());
        Optional<RetryPolicy> retry = given.find(RULE).map(TenantRoutes::retry);
        if (!limits.equals(tenant.limits())) {
            tenant = pool.tenants().setLimits(id, limits);
        }
        if (given.has(RULE)) {
            tenant = pool.tenants().setRetry(id, retry);
        }
        if (given.has(PAUSED)) {
            tenant = pool.tenants().setPaused(id, given.get(PAUSED));
        }
        if (given.has(STATUS)) {
            tenant = switch (given.get(STATUS)) {
                case ENABLED -> pool.tenants().enable(id);
                case SUSPENDED -> pool.tenants().suspend(id);
                case DISABLED -> pool.tenants().disable(id);
            };
        }
        return Reply.ok(TENANT, tenant);
    }

    private static TenantLimits limits(Given given, TenantLimits before) {
        return new TenantLimits(given.has(MAX_FILES) ? most(given.find(MAX_FILES)) : before.files(),
                given.has(MAX_BYTES) ? most(given.find(MAX_BYTES)) : before.bytes(),
                given.find(WARN).map(Math::toIntExact).orElse(before.warnPercent()));
    }

    private static OptionalLong most(Optional<Long> value) {
        return value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty();
    }

    private static RetryPolicy retry(Given given) {
        RetryPolicy usual = RetryPolicy.DEFAULT;
        Duration first = given.get(FIRST, usual.initial());
        Duration longest = given.find(LONGEST).orElse(first.compareTo(usual.max()) > 0 ? first : usual.max());
        return new RetryPolicy(first, longest, given.find(ATTEMPTS).map(Math::toIntExact).orElse(usual.attempts()),
                given.get(EXPONENTIAL, usual.exponential()));
    }

    private Reply delete(Call call) {
        pool.tenants().get(call.tenant());
        pool.tenants().delete(call.tenant(), call.query(WITH_FILES, false));
        return Reply.empty();
    }
}

package io.entrepot.server.pool;

import io.entrepot.pool.DirectoryUsage;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.Pool;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recount;
import io.entrepot.pool.TenantId;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
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
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How many files logical directories may have, and have. */
public final class QuotaRoutes {
    private static final Answer<QuotaRule> RULE = Answer.<QuotaRule>named("QuotaRule")
            .with("pattern", Type.TEXT, "Matched against tenant/directory; * within a part, ** anything.",
                    QuotaRule::pattern)
            .with("maxFiles", Type.COUNT, "How many files each such directory may have.", QuotaRule::maxFiles)
            .with("warnPercent", new Type.Whole(0, 100), "When an event warns; 0: never.", QuotaRule::warnPercent)
            .with("inherited", Type.TRUTH, "Also for each directory below.", QuotaRule::inherited)
            .with("enabled", Type.TRUTH, "Whether it holds.", QuotaRule::enabled);
    private static final Answer<List<QuotaRule>> RULES = RULE.listed("QuotaRules", "rules");
    private static final Answer<DirectoryUsage> USAGE = Answer.<DirectoryUsage>named("DirectoryUsage")
            .with("directory", Type.TEXT, "Which one.", DirectoryUsage::directory)
            .with("files", Type.COUNT, "How many it has.", DirectoryUsage::files)
            .maybe("rule", RULE.type(), "The rule that holds there.", DirectoryUsage::rule);
    private static final Answer<List<DirectoryUsage>> USAGES = USAGE.listed("DirectoryUsages", "directories");

    private record Room(DirectoryUsage usage, boolean takesMore) {}

    private static final Answer<Room> ROOM = Answer.<Room>named("DirectoryRoom").including(USAGE, Room::usage)
            .with("canAddFile", Type.TRUTH, "Whether one more file would be taken now.", Room::takesMore);
    private static final Answer<Recount> RECOUNT = Answer.<Recount>named("Recount")
            .with("tenant", Type.TEXT, "Whose.", Recount::tenant)
            .with("files", Type.COUNT, "How many there are.", Recount::files)
            .with("bytes", Type.COUNT, "Of all of them.", Recount::bytes)
            .with("corrections", Type.TEXTS, "What was wrong, in words; none if all was right.", Recount::corrections);
    private static final Input<String> PATTERN = Input.text("pattern", "As tenant-*/files/*.").required();
    private static final Input<Long> MAX = Input.whole("maxFiles", 0, Long.MAX_VALUE, "How many files.").required();
    private static final Input<Long> WARN = Input.whole("warnPercent", 0, 100, "When an event warns; 80 if not said.");
    private static final Input<Boolean> INHERITED = Input.truth("inherited", "Also below; true if not said.");
    private static final Input<Boolean> ENABLED = Input.truth("enabled", "Whether it holds; true if not said.");
    private static final Ask SET = Ask.of("NewQuotaRule", PATTERN, MAX, WARN, INHERITED, ENABLED);
    private static final Input<String> DIR = Input.text("dir", "The logical directory; / if not said.");
    private static final String TAG = "Quotas";

    private final Pool pool;

    public QuotaRoutes(Pool pool) {
        this.pool = pool;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/quotas").as("listQuotas", TAG, "All rules").gives(200, RULES, "The rules.")
                        .does(_ -> Reply.ok(RULES, pool.quotas().rules())),
                Route.of(Method.PUT, "/v1/quotas").as("setQuota", TAG, "Make or replace the rule of a pattern")
                        .takes(SET).gives(200, RULE, "The rule.").problems(Code.INVALID_SETTING).inAudit()
                        .does(this::set),
                Route.of(Method.DELETE, "/v1/quotas").as("removeQuota", TAG, "Remove the rule of a pattern")
                        .query(PATTERN).givesNothing().problems(Code.NO_SUCH_RESOURCE, Code.MISSING_VALUE).inAudit()
                        .does(this::remove),
                Route.get("/v1/tenants/{tenant}/directories").needs(Access.READ)
                        .as("listDirectories", TAG, "All logical directories of a tenant that have files")
                        .gives(200, USAGES, "The directories.")
                        .does(call -> Reply.ok(USAGES, pool.quotas().usage(call.tenant()))),
                Route.get("/v1/tenants/{tenant}/room").needs(Access.READ)
                        .as("getRoom", TAG, "How many files a logical directory has, and whether it takes more")
                        .query(DIR).gives(200, ROOM, "The directory.").problems(Code.INVALID_NAME).does(this::room),
                Route.post("/v1/tenants/{tenant}/recount").as("recountTenant", TAG,
                        "Count all its files, and put its counters right if they are not")
                        .gives(200, RECOUNT, "What was found.").inAudit()
                        .does(call -> Reply.ok(RECOUNT, pool.quotas().recount(call.tenant()))));
    }

    private Reply set(Call call) throws IOException {
        Given given = call.body(SET);
        QuotaRule rule = new QuotaRule(given.get(PATTERN), given.get(MAX),
                given.find(WARN).map(Math::toIntExact).orElse(80), given.get(INHERITED, true),
                given.get(ENABLED, true));
        pool.quotas().set(rule);
        return Reply.ok(RULE, rule);
    }

    private Reply remove(Call call) {
        String pattern = call.query(PATTERN).orElseThrow(() -> new ProblemException(Code.MISSING_VALUE,
                "\"pattern\" is missing in the query"));
        if (!pool.quotas().remove(pattern)) {
            throw new ProblemException(Code.NO_SUCH_RESOURCE, "there is no rule for " + pattern);
        }
        return Reply.empty();
    }

    private Reply room(Call call) {
        TenantId tenant = call.tenant();
        pool.tenants().get(tenant);
        LogicalDirectory directory = LogicalDirectory.of(call.query(DIR, "/"));
        Optional<QuotaRule> rule = pool.quotas().ruleFor(tenant, directory);
        return Reply.ok(ROOM, new Room(new DirectoryUsage(directory, pool.quotas().fileCount(tenant, directory), rule),
                pool.quotas().canAddFile(tenant, directory)));
    }
}

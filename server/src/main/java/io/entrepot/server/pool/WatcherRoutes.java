package io.entrepot.server.pool;

import io.entrepot.pool.Pool;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.WatcherNotFoundException;
import io.entrepot.pool.watch.ParkedImport;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Directories of the server's machine whose files are imported by themselves. */
public final class WatcherRoutes {
    private record Added(WatcherSpec spec, boolean made) {}

    private static final Answer<List<WatcherSpec>> WATCHERS = WatcherAnswers.WATCHER.listed("Watchers", "watchers");
    private static final Answer<Added> ADDED = Answer.<Added>named("AddedWatcher")
            .including(WatcherAnswers.WATCHER, Added::spec)
            .with("made", Type.TRUTH, "Its directory was not there, and was made.", Added::made);
    private static final Answer<List<ParkedImport>> PARKED = WatcherAnswers.PARKED.listed("ParkedImports", "parked");
    private static final Answer<Long> COUNT = Answer.<Long>named("ImportCount").with("count", Type.COUNT,
            "So many sources.", count -> count);

    private static final Input<String> ID = Input.text("id", "Its name: 1 to 63 of a-z 0-9 . _ -.").required();
    private static final Input<Path> PATH = Inputs.path("path", "The directory; made if there is none.");
    private static final Input<TenantId> TENANT = Inputs.tenant("tenant", "Whose all files are; null or left out: each"
            + " sub-directory has a tenant's name.").nullable();
    private static final Input<Boolean> DIRECTORIES = Input.truth("createDirectories",
            "Make a sub-directory for each tenant that has none.");
    private static final Input<Duration> POLLING = Inputs.duration("pollingInterval", "How often all of it is looked"
            + " at.");
    private static final Input<Long> AT_ONCE = Input.whole("maxConcurrentImports", 1, 1000,
            "How many are read at once.");
    private static final Input<Duration> MIN_AGE = Inputs.duration("minFileAge", "How long a file must be unchanged.");
    private static final Input<Long> MAX_SIZE = Input.whole("maxFileSize", 0, Long.MAX_VALUE, "0 for any size.");
    private static final Input<List<String>> PATTERNS = Input.text("patterns", "Which files.").listed();
    private static final Input<List<String>> EXCLUDES = Input.text("excludes", "Which not.").listed();
    private static final Input<WatcherAnswers.After> AFTER = Input.choice("afterImport", WatcherAnswers.After.class,
            "What happens to a source.");
    private static final Input<Path> MOVE_TO = Inputs.path("moveTo", "Where to, if it is moved.");
    private static final Input<Boolean> RECURSIVE = Input.truth("recursive", "Sub-directories too.");
    private static final Input<String> MARKER = Input.text("marker", "What is added to a name to give that of the file"
            + " that says it is complete; null: none.").nullable();
    private static final Input<Long> PRIORITY = Input.whole("priority", Integer.MIN_VALUE, Integer.MAX_VALUE, "Of the"
            + " files.");
    private static final Input<Map<String, String>> LABELS = Input.texts("labels", "Of the files.");
    private static final Input<Boolean> ENABLED = Input.truth("enabled", "Whether it looks by itself.");
    private static final Ask ADD = Ask.of("NewWatcher", ID, PATH.required(), TENANT, DIRECTORIES, POLLING, AT_ONCE,
            MIN_AGE, MAX_SIZE, PATTERNS, EXCLUDES, AFTER, MOVE_TO, RECURSIVE, MARKER, PRIORITY, LABELS, ENABLED);
    private static final Ask CHANGE = Ask.of("WatcherChange", PATH, TENANT, DIRECTORIES, POLLING, AT_ONCE, MIN_AGE,
            MAX_SIZE, PATTERNS, EXCLUDES, AFTER, MOVE_TO, RECURSIVE, MARKER, PRIORITY, LABELS, ENABLED);
    private static final Input<String> ONE_PATH = Input.text("path",
            "Only this one, as it is listed; all if left out.");
    private static final Ask RETRY = Ask.of("ImportRetry", ONE_PATH);
    private static final String ONE = "/v1/watchers/{watcher}";
    private static final String TAG = "Watchers";

    private final Pool pool;
    private final Chores chores;
    private final BooleanSupplier tenantsAreMade;

    /** @param tenantsAreMade whoever is named first is made then */
    public WatcherRoutes(Pool pool, Chores chores, BooleanSupplier tenantsAreMade) {
        this.pool = pool;
        this.chores = chores;
        this.tenantsAreMade = tenantsAreMade;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/v1/watchers").as("listWatchers", TAG, "All watchers, by name")
                        .gives(200, WATCHERS, "The watchers.").does(_ -> Reply.ok(WATCHERS, pool.watchers().list())),
                Route.post("/v1/watchers").as("addWatcher", TAG, "Watch a directory, from now on").takes(ADD)
                        .gives(201, ADDED, "It watches.")
                        .problems(Code.INVALID_NAME, Code.INVALID_SETTING, Code.TENANT_NOT_FOUND).inAudit()
                        .does(this::add),
                Route.get(ONE).as("getWatcher", TAG, "A watcher, and what it does")
                        .gives(200, WatcherAnswers.STATUS, "The watcher.").problems(Code.WATCHER_NOT_FOUND)
                        .does(call -> Reply.ok(WatcherAnswers.STATUS, pool.watchers().status(id(call)))),
                Route.of(Method.PATCH, ONE).as("changeWatcher", TAG, "Change it while it runs; what is left out stays")
                        .takes(CHANGE).gives(200, WatcherAnswers.WATCHER, "As it is now.")
                        .problems(Code.WATCHER_NOT_FOUND, Code.INVALID_SETTING, Code.TENANT_NOT_FOUND).inAudit()
                        .does(this::change),
                Route.of(Method.DELETE, ONE).as("removeWatcher", TAG, "End it; its directory stays as it is")
                        .givesNothing().problems(Code.WATCHER_NOT_FOUND).inAudit().does(call -> {
                            pool.watchers().remove(id(call));
                            return Reply.empty();
                        }),
                Route.post(ONE + "/scan")
                        .as("scanWatcher", TAG, "Look now, and wait until what is complete is imported")
                        .gives(200, COUNT, "How many were imported.")
                        .problems(Code.WATCHER_NOT_FOUND, Code.SCAN_FAILED, Code.NO_SUCH_JOB)
                        .does(call -> Reply.ok(COUNT, pool.watchers().scanNow(id(call)))),
                Route.post(ONE + "/scans").as("startScan", TAG, "The same as a job, which can be waited for")
                        .gives(202, JobRoutes.JOB, "The job that does it.")
                        .problems(Code.WATCHER_NOT_FOUND, Code.EXISTS, Code.NO_SUCH_JOB, Code.JOBS_CLOSED)
                        .does(call -> JobRoutes.started(chores.remember(pool.watchers().startScan(id(call))), pool)),
                Route.get(ONE + "/parked").as("listParked", TAG, "Sources that failed too often")
                        .gives(200, PARKED, "The sources.").problems(Code.WATCHER_NOT_FOUND)
                        .does(call -> Reply.ok(PARKED, pool.watchers().parked(id(call)))),
                Route.post(ONE + "/parked/retry").as("retryParked", TAG, "Try them again, at the next look")
                        .takes(RETRY).gives(200, COUNT, "How many.").problems(Code.WATCHER_NOT_FOUND).inAudit()
                        .does(this::retry));
    }

    private WatcherId id(Call call) {
        List<WatcherId> ids = pool.watchers().list().stream().map(WatcherSpec::id).toList();
        return ids.stream().filter(id -> id.name().equals(call.path("watcher"))).findFirst()
                .orElseThrow(() -> new WatcherNotFoundException(call.path("watcher"),
                        ids.stream().map(WatcherId::name).toList()));
    }

    private Reply add(Call call) throws IOException, InterruptedException {
        Given given = call.body(ADD);
        WatcherId id = new WatcherId(given.get(ID));
        WatcherSpec wanted = known(changed(WatcherSpec.ofAllTenants(id.name(), given.get(PATH)),
                given));
        boolean there = Files.exists(wanted.path());
        return Reply.of(201, ADDED, new Added(pool.watchers().add(wanted), !there))
                .with("Location", "/v1/watchers/" + id);
    }

    private Reply change(Call call) throws IOException, InterruptedException {
        Given given = call.body(CHANGE);
        WatcherSpec before = pool.watchers().get(id(call));
        return Reply.ok(WatcherAnswers.WATCHER, pool.watchers().update(known(changed(before, given))));
    }

    private Reply retry(Call call) throws IOException {
        Given given = call.body(RETRY);
        WatcherId id = id(call);
        return Reply.ok(COUNT, given.find(ONE_PATH).map(path -> pool.watchers().retry(id, path) ? 1L : 0L)
                .orElseGet(() -> (long) pool.watchers().retryAll(id)));
    }

    private static WatcherSpec changed(WatcherSpec spec, Given given) {
        return new WatcherSpec(spec.id(), mode(spec.mode(), given), given.get(PATH, spec.path()),
                given.get(POLLING, spec.pollingInterval()),
                given.find(AT_ONCE).map(Math::toIntExact).orElse(spec.maxConcurrentImports()),
                given.get(MIN_AGE, spec.minFileAge()), given.get(MAX_SIZE, spec.maxFileSize()),
                given.get(PATTERNS, spec.patterns()), given.get(EXCLUDES, spec.excludes()),
                after(spec.postImport(), given), given.get(RECURSIVE, spec.recursive()),
                given.has(MARKER) ? given.find(MARKER) : spec.marker(),
                given.find(PRIORITY).map(Math::toIntExact).orElse(spec.priority()), given.get(LABELS, spec.labels()),
                given.get(ENABLED, spec.enabled()));
    }

    private static WatchMode mode(WatchMode before, Given given) {
        Optional<TenantId> tenant = given.find(TENANT);
        if (tenant.isPresent()) {
            return new WatchMode.OneTenant(tenant.get());
        }
        return given.has(TENANT) || before instanceof WatchMode.ManyTenants
                ? new WatchMode.ManyTenants(
                        given.get(DIRECTORIES, !(before instanceof WatchMode.ManyTenants(boolean create)) || create))
                : before;
    }

    private static PostImport after(PostImport before, Given given) {
        if (given.find(AFTER).isEmpty()) {
            return before;
        }
        return switch (given.get(AFTER)) {
            case DELETE -> new PostImport.Delete();
            case KEEP -> new PostImport.Keep();
            case MOVE -> new PostImport.Move(given.find(MOVE_TO).orElseThrow(
                    () -> new ProblemException(Code.MISSING_VALUE,
                            "\"moveTo\" is missing: where to sources are moved")));
        };
    }

    /** Somebody who mistypes a name should know now, and not when nothing is imported. */
    private WatcherSpec known(WatcherSpec spec) {
        if (spec.mode() instanceof WatchMode.OneTenant(TenantId tenant) && !tenantsAreMade.getAsBoolean()) {
            pool.tenants().get(tenant);
        }
        return spec;
    }
}

package io.entrepot.client;

import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.pool.UploadId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What operators do with a server: tenants, volumes, rules, watchers, jobs. Answers are as the server's description
 * ({@code /v1/openapi.json}) says. For keys of administrators. Safe for use by many threads.
 */
public final class Administration {
    private final EntrepotClient client;

    Administration(EntrepotClient client) {
        this.client = client;
    }

    public List<Json> tenants() {
        return get("tenants").get("tenants").list();
    }

    /** With what it has, under {@code usage}. */
    public Json tenant(TenantId tenant) {
        return get("tenants", tenant.name());
    }

    public TenantUsage usage(TenantId tenant) {
        Json usage = tenant(tenant).get("usage");
        return new TenantUsage(usage.get("files").whole(), usage.get("bytes").whole(), usage.get("pending").whole(),
                usage.get("processing").whole(), usage.get("delayed").whole(), usage.get("completed").whole(),
                usage.get("failed").whole(), usage.get("held").whole());
    }

    /** @param shard with a database of its own */
    public Json createTenant(TenantId tenant, TenantLimits limits, boolean shard) {
        return post(limited(Json.object().with("id", tenant).with("shard", shard), limits), "tenants");
    }

    public Json setStatus(TenantId tenant, TenantStatus status) {
        return changeTenant(tenant, Json.object().with("status", Words.of(status)));
    }

    public Json setPaused(TenantId tenant, boolean paused) {
        return changeTenant(tenant, Json.object().with("paused", paused));
    }

    /** @param change what is to be different: {@code maxFiles}, {@code maxBytes}, {@code warnPercent}, {@code retry}, … */
    public Json changeTenant(TenantId tenant, Json change) {
        return call("PATCH", Optional.of(change), "tenants", tenant.name());
    }

    public void deleteTenant(TenantId tenant, boolean withFiles) {
        client.call("DELETE", Ask.path("tenants", tenant.name()) + (withFiles ? "?withFiles=true" : ""),
                Optional.empty());
    }

    private static Json limited(Json json, TenantLimits limits) {
        return json.with("maxFiles", boxed(limits.files())).with("maxBytes", boxed(limits.bytes())).with("warnPercent",
                limits.warnPercent());
    }

    private static Optional<Long> boxed(OptionalLong value) {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }

    /** What is wrong with a tenant's counters, put right. */
    public Json recount(TenantId tenant) {
        return post(Json.object(), "tenants", tenant.name(), "recount");
    }

    public Json recover(TenantId tenant) {
        return post(Json.object(), "tenants", tenant.name(), "recover");
    }

    public List<Json> directories(TenantId tenant) {
        return get("tenants", tenant.name(), "directories").get("directories").list();
    }

    public List<Json> uploads(TenantId tenant) {
        return get("tenants", tenant.name(), "uploads").get("uploads").list();
    }

    public void cancelUpload(TenantId tenant, UploadId upload) {
        call("DELETE", Optional.empty(), "tenants", tenant.name(), "uploads", upload.digits());
    }

    public List<Json> volumes() {
        return get("volumes").get("volumes").list();
    }

    public Json volume(String name) {
        return get("volumes", name);
    }

    /** @param spec {@code name}, {@code path}, {@code depth}, {@code headroom}, {@code spare} */
    public Json mount(Json spec) {
        return post(spec, "volumes");
    }

    /** @param state {@code active}, {@code read-only} or {@code spare} */
    public Json setVolumeState(String name, String state) {
        return changeVolume(name, Json.object().with("state", state));
    }

    /** @param change what is to be different: {@code state}, {@code headroom} */
    public Json changeVolume(String name, Json change) {
        return call("PATCH", Optional.of(change), "volumes", name);
    }

    public void unmount(String name) {
        call("DELETE", Optional.empty(), "volumes", name);
    }

    /** @return the job that moves its files away */
    public Json drain(String name) {
        return post(Json.object(), "volumes", name, "drain");
    }

    /**
     * Takes the files of a volume that is lost for good out of the books, and unmounts it.
     *
     * @param dryRun only says what would be lost
     * @return the job that does it; its {@code report} says what is lost, and whose
     */
    public Json giveUp(String name, boolean dryRun) {
        return post(Json.object().with("dryRun", dryRun), "volumes", name, "give-up");
    }

    /** @return what was wrong with the volumes' counters, and was put right */
    public List<String> recountVolumes() {
        return post(Json.object(), "volumes", "recount").get("corrections").list().stream().map(Json::text).toList();
    }

    public List<Json> probe() {
        return post(Json.object(), "volumes", "probe").get("volumes").list();
    }

    public List<Json> quotas() {
        return get("quotas").get("rules").list();
    }

    public Json setQuota(QuotaRule rule) {
        return call("PUT", Optional.of(Json.object().with("pattern", rule.pattern()).with("maxFiles", rule.maxFiles())
                .with("warnPercent", rule.warnPercent()).with("inherited", rule.inherited())
                .with("enabled", rule.enabled())), "quotas");
    }

    public void removeQuota(String pattern) {
        client.call("DELETE", Ask.path("quotas") + Ask.query(List.of(Map.entry("pattern", pattern))),
                Optional.empty());
    }

    public List<Json> watchers() {
        return get("watchers").get("watchers").list();
    }

    public Json watcher(String name) {
        return get("watchers", name);
    }

    public Json addWatcher(Json spec) {
        return post(spec, "watchers");
    }

    public Json changeWatcher(String name, Json change) {
        return call("PATCH", Optional.of(change), "watchers", name);
    }

    public void removeWatcher(String name) {
        call("DELETE", Optional.empty(), "watchers", name);
    }

    /** Looks now, and waits until what is complete is imported. */
    public Json scanWatcher(String name) {
        return post(Json.object(), "watchers", name, "scan");
    }

    /** The same without waiting. @return the job that does it */
    public Json startScan(String name) {
        return post(Json.object(), "watchers", name, "scans");
    }

    public Json parked(String name) {
        return get("watchers", name, "parked");
    }

    public Json retryParked(String name) {
        return post(Json.object(), "watchers", name, "parked", "retry");
    }

    /** @param path as it is listed */
    public Json retryParked(String name, String path) {
        return post(Json.object().with("path", path), "watchers", name, "parked", "retry");
    }

    public List<Json> jobs() {
        return get("jobs").get("jobs").list();
    }

    public Json job(String name) {
        return get("jobs", name);
    }

    /** @return the job, as it was when the run had ended, or the patience */
    public Json awaitJob(String name, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Duration wait = left.compareTo(Duration.ofSeconds(10)) < 0 ? left : Duration.ofSeconds(10);
            Json job = client.call("GET", Ask.path("jobs", name) + Ask.query(List.of(Map.entry("wait",
                    wait.toMillis() + "ms"))), Optional.empty());
            if (left.isZero() || !job.get("state").find().filter("running"::equals).isPresent()) {
                return job;
            }
        }
    }

    /**
     * Waits for the end of one run, whatever has run since.
     *
     * @param started when it began, as {@code run.started} of the answer that began it
     * @param wait    so long at most; the server may wait less
     * @return the job as that run has it; {@code state} is {@code running} if it has not ended
     */
    public Json awaitRun(String name, Instant started, Duration wait) {
        return client.call("GET", Ask.path("jobs", name) + Ask.query(List.of(Map.entry("run", started.toString()),
                Map.entry("wait", wait.toMillis() + "ms"))), Optional.empty());
    }

    /** Asks one run to stop, and no other that may have begun since. */
    public Json cancelRun(String name, Instant started) {
        return client.call("POST", Ask.path("jobs", name, "cancel") + Ask.query(List.of(Map.entry("run",
                started.toString()))), Optional.empty());
    }

    /** Also {@code check}, with a parameter {@code depth}, and {@code recount}. */
    public Json startJob(String name, boolean dryRun, Map<String, String> parameters) {
        return post(Json.object().with("job", name).with("dryRun", dryRun).with("parameters", parameters), "jobs");
    }

    public Json cancelJob(String name) {
        return post(Json.object(), "jobs", name, "cancel");
    }

    public Json pauseJob(String name) {
        return post(Json.object(), "jobs", name, "pause");
    }

    public Json resumeJob(String name) {
        return post(Json.object(), "jobs", name, "resume");
    }

    public Json cleanupFigures() {
        return get("cleanup");
    }

    /**
     * @param what {@code step}, {@code dryRun}, {@code olderThan}, {@code tenant}, {@code action}, {@code remove}, {@code anew}; all
     *             if empty. {@code permanently-failed} and {@code completed} with a tenant purge that one
     * @return the job that does it
     */
    public Json startCleanup(Json what) {
        return post(what, "cleanup");
    }

    public List<Json> backups() {
        return get("backups").get("backups").list();
    }

    /** @return the job that does it; the backup is in the server's directory for them, under this name */
    public Json startBackup(String name) {
        return post(Json.object().with("name", name), "backups");
    }

    /**
     * @param directory on the server's machine, from its root; not there yet
     * @return the job that does it
     */
    public Json startBackup(Path directory) {
        return post(Json.object().with("path", directory), "backups");
    }

    public Json statistics() {
        return get("statistics");
    }

    /** Whose key this is, and what it may do. */
    public Json me() {
        return get("me");
    }

    public List<Json> keys() {
        return get("keys").get("keys").list();
    }

    /** @return with the secret, which is told this once */
    public Json createKey(String name, List<String> scopes) {
        return post(Json.object().with("name", name).with("scopes", scopes), "keys");
    }

    public void revokeKey(String id) {
        call("DELETE", Optional.empty(), "keys", id);
    }

    private Json get(String... path) {
        return call("GET", Optional.empty(), path);
    }

    private Json post(Json body, String... path) {
        return call("POST", body.fields().isEmpty() ? Optional.empty() : Optional.of(body), path);
    }

    private Json call(String method, Optional<Json> body, String... path) {
        return client.call(method, Ask.path(path), body);
    }

    /** What administrators have done, newest first. */
    public List<Json> audit(int most) {
        return client.call("GET", Ask.path("audit") + Ask.query(List.of(Map.entry("limit", Integer.toString(most)))),
                Optional.empty()).get("entries").list();
    }
}

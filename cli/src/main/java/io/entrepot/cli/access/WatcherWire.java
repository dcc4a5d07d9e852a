package io.entrepot.cli.access;

import io.entrepot.client.Json;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.watch.ImportProblem;
import io.entrepot.pool.watch.PostImport;
import io.entrepot.pool.watch.SkipReason;
import io.entrepot.pool.watch.WatchMode;
import io.entrepot.pool.watch.WatcherId;
import io.entrepot.pool.watch.WatcherSpec;
import io.entrepot.pool.watch.WatcherStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** Watch folders, as a server writes and reads them. */
final class WatcherWire {
    private static final String DELETE = "delete";
    private static final String KEEP = "keep";
    private static final String MOVE = "move";

    private WatcherWire() {}

    static WatcherSpec spec(Json json) {
        Json tenant = json.get("tenant");
        return new WatcherSpec(new WatcherId(json.get("id").text()),
                tenant.isMissing()
                        ? new WatchMode.ManyTenants(json.get("createDirectories").truth())
                        : new WatchMode.OneTenant(new TenantId(tenant.text())),
                Path.of(json.get("path").text()), Duration.parse(json.get("pollingInterval").text()),
                Math.toIntExact(json.get("maxConcurrentImports").whole()),
                Duration.parse(json.get("minFileAge").text()), json.get("maxFileSize").whole(),
                Constants.texts(json.get("patterns").list()), Constants.texts(json.get("excludes").list()),
                afterwards(json), json.get("recursive").truth(), json.get("marker").find(),
                Math.toIntExact(json.get("priority").whole()), Constants.texts(json.get("labels")),
                json.get("enabled").truth());
    }

    private static PostImport afterwards(Json json) {
        return switch (json.get("afterImport").text()) {
            case KEEP -> new PostImport.Keep();
            case MOVE -> new PostImport.Move(Path.of(json.get("moveTo").text()));
            default -> new PostImport.Delete();
        };
    }

    /** All of it, so that nothing is as the server thinks usual. A null is something to be said: no tenant, no marker. */
    static Json written(WatcherSpec spec, boolean isNew) {
        Json json = isNew ? Json.object().with("id", spec.id()) : Json.object();
        json = switch (spec.mode()) {
            case WatchMode.OneTenant(var tenant) -> json.with("tenant", tenant);
            case WatchMode.ManyTenants(var create) -> json.withNull("tenant").with("createDirectories", create);
        };
        json = json.with("path", spec.path()).with("pollingInterval", spec.pollingInterval())
                .with("maxConcurrentImports", spec.maxConcurrentImports()).with("minFileAge", spec.minFileAge())
                .with("maxFileSize", spec.maxFileSize()).with("patterns", spec.patterns())
                .with("excludes", spec.excludes()).with("recursive", spec.recursive())
                .with("priority", spec.priority()).with("labels", spec.labels()).with("enabled", spec.enabled());
        json = spec.marker().isPresent() ? json.with("marker", spec.marker()) : json.withNull("marker");
        return switch (spec.postImport()) {
            case PostImport.Delete() -> json.with("afterImport", DELETE);
            case PostImport.Keep() -> json.with("afterImport", KEEP);
            case PostImport.Move(var to) -> json.with("afterImport", MOVE).with("moveTo", to);
        };
    }

    static WatcherStatus status(Json json) {
        Map<SkipReason, Long> skipped = new EnumMap<>(SkipReason.class);
        Json reasons = json.get("skipped");
        reasons.fields().keySet().forEach(
                reason -> skipped.put(Constants.parse(SkipReason.class, reason), reasons.get(reason).whole()));
        return new WatcherStatus(spec(json), json.get("scanning").truth(), json.get("lastScan").time(),
                json.get("nextScan").time(), json.get("importedFiles").whole(), json.get("importedBytes").whole(),
                skipped, json.get("failed").whole(), json.get("parked").whole(),
                json.get("problems").list().stream().map(WatcherWire::problem).toList(),
                json.get("notification").text(), json.get("lastError").find());
    }

    private static ImportProblem problem(Json json) {
        return new ImportProblem(Instant.parse(json.get("at").text()), json.get("path").text(),
                json.get("what").text());
    }
}

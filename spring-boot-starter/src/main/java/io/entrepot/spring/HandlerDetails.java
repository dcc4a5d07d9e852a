package io.entrepot.spring;

import io.entrepot.pool.process.ProcessingStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;

/** What health tells of methods with {@link FileHandler}: for people, as one that backs off does not make a pool bad. */
public final class HandlerDetails {

    private HandlerDetails() {}

    public static void tell(Health.Builder health, FileHandlers handlers) {
        handlers.status().forEach((name, status) -> health.withDetail(name, details(status)));
    }

    private static Map<String, Object> details(ProcessingStatus status) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", status.state());
        details.put("running", status.running().size());
        details.put("completed", status.completed());
        details.put("failed", status.failed());
        status.lastError().ifPresent(error -> details.put("lastError", error));
        status.lastErrorAt().ifPresent(at -> details.put("lastErrorAt", at));
        return details;
    }
}

package io.entrepot.server.reload;

import io.entrepot.server.problem.Code;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import java.util.List;
import java.util.concurrent.Callable;

/** The configuration, read again. */
public final class ReloadRoutes {
    private final Callable<Reloaded> reload;

    public ReloadRoutes(Callable<Reloaded> reload) {
        this.reload = reload;
    }

    public List<Route> routes() {
        return List.of(Route.post("/v1/config/reload")
                .as("reloadConfig", "Operations",
                        "Read the configuration again: what can be changed while the server runs is, all of it or, if there is a"
                                + " mistake, nothing")
                .gives(200, Reloaded.ANSWER, "What was changed, and what waits for a restart.")
                .problems(Code.INVALID_CONFIG).inAudit().does(_ -> Reply.ok(Reloaded.ANSWER, reload.call())));
    }
}

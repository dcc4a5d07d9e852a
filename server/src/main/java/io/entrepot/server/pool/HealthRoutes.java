package io.entrepot.server.pool;

import io.entrepot.pool.Pool;
import io.entrepot.pool.VolumeHealth;
import io.entrepot.pool.VolumeInfo;
import io.entrepot.pool.VolumeState;
import io.entrepot.server.access.Access;
import io.entrepot.server.json.Answer;
import io.entrepot.server.json.Type;
import io.entrepot.server.route.Call;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.Reply;
import io.entrepot.server.route.Route;
import io.entrepot.store.Room;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether it lives, whether it can work, and its figures. */
public final class HealthRoutes {
    private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private record Part(String name, boolean ok, String why) {}

    private record Health(boolean ok, List<Part> parts) {}

    private static final Answer<Part> PART = Answer.<Part>named("HealthPart")
            .with("name", Type.TEXT, "`store`, `volumes` or `server`.", Part::name)
            .with("ok", Type.TRUTH, "Whether it works.", Part::ok)
            .with("why", Type.TEXT, "If not, why; or what else is to be known.", Part::why);
    private static final Answer<Health> HEALTH = Answer.<Health>named("Health")
            .with("ok", Type.TRUTH, "Whether requests can be served.", Health::ok)
            .with("parts", new Type.ListOf(PART.type()), "What that depends on.", Health::parts);

    private final Pool pool;
    private final PrometheusMeterRegistry registry;
    private final Closing closing;

    public HealthRoutes(Pool pool, PrometheusMeterRegistry registry, Closing closing) {
        this.pool = pool;
        this.registry = registry;
        this.closing = closing;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/health/live").needs(Access.PUBLIC).as("isAlive", "Operations", "Whether the process lives")
                        .gives(200, HEALTH, "It does.").does(_ -> Reply.ok(HEALTH, new Health(true, List.of()))),
                Route.get("/health/ready").needs(Access.PUBLIC)
                        .as("isReady", "Operations", "Whether requests can be served, and if not why")
                        .gives(200, HEALTH, "They can.").gives(503, HEALTH, "They cannot.").does(_ -> ready()),
                Route.get("/metrics").needs(Access.METRICS)
                        .as("getMetrics", "Operations", "Figures for Prometheus; docs/metrics.md lists them")
                        .gives(new Route.Gives(200, METRICS_TYPE, Optional.empty(), "Figures.")).does(this::metrics));
    }

    private Reply ready() {
        List<Part> parts = new ArrayList<>(List.of(store(), volumes()));
        boolean open = !closing.isClosing();
        parts.add(new Part("server", open, open ? "" : "it is shutting down"));
        boolean ok = parts.stream().allMatch(Part::ok);
        return Reply.of(ok ? 200 : 503, HEALTH, new Health(ok, parts));
    }

    private Part store() {
        try {
            pool.store().read(snapshot -> snapshot.now());
            return pool.room().map(room -> new Part("store", room.level() != Room.Level.FULL, why(room)))
                    .orElse(new Part("store", true, ""));
        } catch (RuntimeException e) {
            return new Part("store", false, "the database cannot be read");
        }
    }

    /** While room is short, files can be completed and deleted, and must be. */
    private static String why(Room room) {
        return switch (room.level()) {
            case ENOUGH -> "";
            case SHORT -> "the disk of the database is short of room: nothing is added";
            case FULL -> "the disk of the database is full: nothing can be written";
        };
    }

    /** Some must take files, as a spare does when no other can; one that does not work is told, as its files cannot be read. */
    private Part volumes() {
        List<VolumeInfo> volumes;
        try {
            volumes = pool.volumes().list();
        } catch (RuntimeException e) {
            return new Part("volumes", false, "the volumes are not known");
        }
        long broken = volumes.stream().filter(volume -> volume.health() != VolumeHealth.HEALTHY).count();
        boolean some = volumes.stream().anyMatch(volume -> volume.health() == VolumeHealth.HEALTHY
                && (volume.state() == VolumeState.ACTIVE || volume.state() == VolumeState.SPARE));
        return new Part("volumes", some, (some ? "" : "none takes files")
                + (broken == 0 ? "" : (some ? "" : "; ") + broken + " of " + volumes.size() + " do not work"));
    }

    private Reply metrics(Call call) throws IOException {
        call.http().contentType(METRICS_TYPE).status(200);
        registry.scrape(call.http().res().getOutputStream());
        return Reply.written();
    }
}

package io.entrepot.server;

import io.entrepot.config.Configuration;
import io.entrepot.config.ConfigurationException;
import io.entrepot.config.Difference;
import io.entrepot.config.Effect;
import io.entrepot.config.Reload;
import io.entrepot.pool.Pool;
import io.entrepot.server.http.Certificates;
import io.entrepot.server.http.Port;
import io.entrepot.server.reload.Reloaded;
import io.entrepot.server.trace.Tracing;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the configuration again while the server runs. First everything that may fail: reading, the certificate, the pool, which
 * is put back if what follows fails. Then what cannot: one reference is replaced, which all who ask for a setting read, and those
 * who must be told are told. So a request sees the old configuration or the new one, and after a mistake the old one.
 *
 * <p>Safe for use by many threads: one reload at a time.
 */
final class Reloading {
    private static final Logger LOG = LoggerFactory.getLogger(Reloading.class);
    private static final String TLS = "server.tls";

    private final Running running;
    private final Pool pool;
    private final Port port;
    private final Optional<Written> written;

    /**
     * What the server was started with, if it was written down somewhere.
     *
     * @param now     as it counts now: of what was read last, what could be taken
     * @param again   reads it again
     * @param changed is told of another
     */
    record Written(Configuration<ServerConfig> now, Supplier<Configuration<ServerConfig>> again,
            Consumer<ServerConfig> changed) {}

    /** What a reload comes to, before anything is done about it. */
    private record Plan(ServerConfig config, Reloaded told, Optional<Configuration<ServerConfig>> configuration) {}

    private Optional<Configuration<ServerConfig>> now;

    Reloading(Running running, Pool pool, Port port, Optional<Written> written) {
        this.running = running;
        this.pool = pool;
        this.port = port;
        this.written = written;
        this.now = written.map(Written::now);
    }

    /** @throws ConfigurationException with all mistakes; nothing was changed then */
    synchronized Reloaded reload() {
        try {
            Plan plan = plan();
            ServerConfig before = running.config();
            Optional<Certificates.Identity> renewed = plan.config.tls().map(Certificates::read).filter(port::isOther);
            Tracing tracing = plan.config.tracing().equals(before.tracing())
                    ? running.tracing()
                    : Tracing.open(plan.config.tracing(), pool);
            Reloaded told = plan.told;
            if (renewed.isPresent()) {
                told = told.and(new Difference(TLS, port.identity(), renewed.get().toString(), Effect.RELOAD));
            }
            takeWhatMayFail(plan.config, renewed, tracing);
            running.config(plan.config);
            now = plan.configuration;
            if (!tracing.equals(running.tracing())) {
                running.tracing(tracing).close();
            }
            port.changed();
            written.ifPresent(it -> it.changed.accept(plan.config));
            tell(told);
            return told;
        } catch (ConfigurationException e) {
            LOG.warn("the configuration was read again and has mistakes; nothing was changed");
            e.mistakes().forEach(mistake -> LOG.warn("{}", mistake));
            throw e;
        }
    }

    private Plan plan() {
        if (written.isEmpty() || now.isEmpty()) { // made in code: only files that it names can be others
            return new Plan(running.config(), new Reloaded(List.of(), List.of()), now);
        }
        Configuration<ServerConfig> next = written.get().again.get();
        boolean another = next.value().tls().isPresent() != running.config().tls().isPresent();
        Reload<ServerConfig> reload = now.get().reload(next, key -> another && key.startsWith(TLS + "."));
        return new Plan(reload.configuration().value(), new Reloaded(reload.changed(), reload.waiting()),
                Optional.of(reload.configuration()));
    }

    private void takeWhatMayFail(ServerConfig config, Optional<Certificates.Identity> renewed, Tracing tracing) {
        try {
            pool.change(config.pool());
            renewed.ifPresent(port::renew);
        } catch (RuntimeException e) {
            pool.change(running.config().pool());
            if (!tracing.equals(running.tracing())) {
                tracing.close();
            }
            throw e;
        }
    }

    private static void tell(Reloaded told) {
        if (told.changed().isEmpty() && told.waiting().isEmpty()) {
            LOG.info("the configuration was read again: nothing is different");
        }
        told.changed().forEach(change -> LOG.info("configuration: {}", change));
        told.waiting().forEach(change -> LOG.warn("configuration: {} needs a restart", change));
    }
}

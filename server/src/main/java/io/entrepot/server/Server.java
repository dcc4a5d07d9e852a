package io.entrepot.server;

import io.entrepot.config.Configuration;
import io.entrepot.config.ConfigurationException;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.metrics.PoolMetrics;
import io.entrepot.server.access.Audit;
import io.entrepot.server.access.Identity;
import io.entrepot.server.access.Keys;
import io.entrepot.server.access.RateLimit;
import io.entrepot.server.access.Scope;
import io.entrepot.server.access.Secret;
import io.entrepot.server.http.Pace;
import io.entrepot.server.http.Port;
import io.entrepot.server.http.WireProblems;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.Headers;
import io.entrepot.server.route.Reception;
import io.entrepot.server.route.RequestLog;
import io.entrepot.server.route.RouteTable;
import io.entrepot.server.trace.Tracing;
import io.entrepot.server.tus.TusBook;
import io.entrepot.server.tus.TusUploads;
import io.entrepot.server.webhook.WebhookBook;
import io.entrepot.server.webhook.Webhooks;
import io.entrepot.store.Schema;
import io.entrepot.store.StoreConfig;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool over HTTP: opened, served until it is closed, and closed in good order. What can be called is in the route table, which
 * is put together here. Safe for use by many threads.
 */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);
    private static final Duration TIDY_EVERY = Duration.ofSeconds(30);
    private static final Duration FORGET_EVERY = Duration.ofHours(6);

    private final Running running;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Closing closing = new Closing();
    private final Pool pool;
    private final RouteTable table;
    private final Javalin javalin;
    private final Optional<Secret> firstKey;
    private final Reloading reloading;
    private final Audit audit;

    private Server(ServerConfig config, Optional<Reloading.Written> written) throws InterruptedException {
        this.running = new Running(config);
        try {
            InstantSource wall = config.pool().platform().store().wall();
            pool = keep(Pool.open(withTables(config.pool())));
            Keys keys = keep(new Keys(pool.store(), wall));
            audit = new Audit(pool.store(), wall);
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            keep(registry::close);
            PoolMetrics metrics = keep(new PoolMetrics(pool));
            metrics.bindTo(registry);
            new JvmMemoryMetrics().bindTo(registry);
            new JvmThreadMetrics().bindTo(registry);
            new ProcessorMetrics().bindTo(registry);
            keep(() -> running.tracing().close());
            running.tracing(Tracing.open(config.tracing(), pool));
            TusUploads tus = new TusUploads(pool, () -> running.config().maxUpload());
            Webhooks webhooks = keep(new Webhooks(pool, () -> running.config().webhooks(),
                    config.pool().platform().store()));
            Port port = keep(new Port(running::config));
            reloading = new Reloading(running, pool, port, written);
            table = new AllRoutes(running::config, pool, keys, audit, registry, closing, tus, webhooks,
                    reloading::reload).table();
            Reception reception = new Reception(keys, audit, new RateLimit(this::requests, System::nanoTime),
                    new RateLimit(this::failures, System::nanoTime), closing, this::headers,
                    new RequestLog(registry, () -> running.config().logRequests()), this::pace, running::tracing);
            javalin = Javalin.create(javalinConfig -> configure(javalinConfig, reception, port));
            tidy(keys, audit, tus, webhooks);
            listen();
            keep(javalin::stop);
            // Not before it listens: a key that is made by a start that fails is told to nobody, and the next makes none.
            firstKey = keys.needAnAdministrator()
                    ? Optional.of(keys.create("first admin", Set.of(Scope.ADMIN), Optional.empty()))
                    : Optional.empty();
            webhooks.start();
            keep(LocalCredential.write(config.pool().directory(), address(),
                    keys.createPassing("this machine", Set.of(Scope.ADMIN))));
        } catch (InterruptedException | RuntimeException | Error e) {
            closeOpened();
            throw e;
        }
    }

    /** When this returns, requests are answered. */
    public static Server start(ServerConfig config) throws InterruptedException {
        return new Server(config, Optional.empty());
    }

    /**
     * The same by a configuration that was written down, and can be read again while the server runs.
     *
     * @param again   reads it again
     * @param changed is told of each other one that the server runs with from then on
     */
    public static Server start(Configuration<ServerConfig> configuration, Supplier<Configuration<ServerConfig>> again,
            Consumer<ServerConfig> changed) throws InterruptedException {
        return new Server(configuration.value(), Optional.of(new Reloading.Written(configuration, again, changed)));
    }

    private RateLimit.Rate requests() {
        int perSecond = running.config().requestsPerSecond();
        return new RateLimit.Rate(perSecond, 2.0 * perSecond);
    }

    private RateLimit.Rate failures() {
        int perMinute = running.config().failuresPerMinute();
        return new RateLimit.Rate(perMinute / 60.0, perMinute);
    }

    private Headers headers() {
        return new Headers(running.config().corsOrigins(), running.config().tls().isPresent());
    }

    private Pace pace() {
        return new Pace(running.config().minUploadRate(), running.config().idleTimeout());
    }

    private static PoolConfig withTables(PoolConfig config) {
        StoreConfig store = config.platform().store();
        List<Schema> schemas = new ArrayList<>(store.schemas());
        schemas.add(Keys.SCHEMA);
        schemas.add(TusBook.SCHEMA);
        schemas.add(WebhookBook.SCHEMA);
        return config.withPlatform(config.platform().withStore(store.withSchemas(schemas)));
    }

    private void configure(JavalinConfig javalinConfig, Reception reception, Port port) {
        javalinConfig.concurrency.useVirtualThreads = true;
        javalinConfig.startup.showJavalinBanner = false;
        javalinConfig.startup.showOldJavalinVersionWarning = false;
        javalinConfig.startup.startupWatcherEnabled = false;
        javalinConfig.http.prefer405over404 = true;
        javalinConfig.http.compressionStrategy = CompressionStrategy.NONE;
        javalinConfig.http.asyncTimeout = 0;
        javalinConfig.jetty.modifyHttpConfiguration(port::configure);
        javalinConfig.jetty.modifyServer(server -> server.setErrorHandler(new WireProblems()));
        javalinConfig.jetty.addConnector(port::open);
        javalinConfig.routes.before(context -> {
            if (headers().answerPreflight(context)) {
                context.skipRemainingHandlers();
            }
        });
        table.register(javalinConfig.routes, reception);
    }

    private void listen() {
        try {
            javalin.start();
        } catch (JavalinException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CannotListenException(running.config().host(), running.config().port(), cause);
        }
    }

    private void tidy(Keys keys, Audit audit, TusUploads tus, Webhooks webhooks) {
        pool.jobs().register(new JobName("server-keys"), Schedule.every(TIDY_EVERY), _ -> {
            keys.writeUses();
            keys.load();
            webhooks.load();
            return new JobResult("uses of keys are written down");
        });
        pool.jobs().register(new JobName("forget-audit"), Schedule.every(FORGET_EVERY),
                _ -> new JobResult(
                        audit.forgetOlderThan(running.config().auditRetention()) + " entries were forgotten"));
        pool.jobs().register(new JobName("forget-tus"), Schedule.every(FORGET_EVERY),
                _ -> new JobResult(tus.tidy() + " uploads were forgotten"));
    }

    private <T extends AutoCloseable> T keep(T part) {
        opened.push(part);
        return part;
    }

    /** Where it is reached, as {@code http://127.0.0.1:8420}. */
    public String address() {
        ServerConfig config = running.config();
        String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
        return (config.tls().isPresent() ? "https://" : "http://") + host + ":" + javalin.port();
    }

    /** The key that was made as there was none; never told again. */
    public Optional<Secret> firstKey() {
        return firstKey;
    }

    public Pool pool() {
        return pool;
    }

    /** All that can be called. */
    public RouteTable routes() {
        return table;
    }

    /** What it runs with now. */
    public ServerConfig config() {
        return running.config();
    }

    /**
     * Reads the configuration again, as the route does, for somebody on this machine. What comes of it is in the log.
     *
     * @param by who wants that, for the audit
     */
    public void reload(String by) {
        long number = audit.begun(new Identity("", by, Set.of()), "", "reloadConfig", by, "");
        String outcome = "";
        try {
            reloading.reload();
            outcome = "ok";
        } catch (ConfigurationException e) {
            outcome = e.code();
        } finally {
            audit.ended(number, outcome);
        }
    }

    /** How many requests are being answered. */
    public long underWay() {
        return closing.underWay();
    }

    /** Takes nothing new, finishes what is under way or abandons it after a while, and closes the pool. */
    @Override
    public void close() {
        try {
            Duration drain = running.config().drainTime();
            if (!closing.close(drain)) {
                LOG.warn("{} requests are broken off: they took longer than {}", closing.underWay(), drain);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeOpened();
    }

    private void closeOpened() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.warn("something could not be closed: {}", e.toString());
            }
        }
    }
}

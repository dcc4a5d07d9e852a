package io.entrepot.server;

import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobResult;
import io.entrepot.pool.job.Schedule;
import io.entrepot.pool.metrics.PoolMetrics;
import io.entrepot.server.access.Audit;
import io.entrepot.server.access.Keys;
import io.entrepot.server.access.RateLimit;
import io.entrepot.server.access.Scope;
import io.entrepot.server.access.Secret;
import io.entrepot.server.http.Certificates;
import io.entrepot.server.http.Pace;
import io.entrepot.server.http.SlowHeads;
import io.entrepot.server.http.WireProblems;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.Headers;
import io.entrepot.server.route.Reception;
import io.entrepot.server.route.RequestLog;
import io.entrepot.server.route.RouteTable;
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
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.ServerConnector;
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

    private final ServerConfig config;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Closing closing = new Closing();
    private final Pool pool;
    private final RouteTable table;
    private final Javalin javalin;
    private final Optional<Secret> firstKey;

    private Server(ServerConfig config) throws InterruptedException {
        this.config = config;
        try {
            InstantSource wall = config.pool().platform().store().wall();
            pool = keep(Pool.open(withTables(config.pool())));
            Keys keys = keep(new Keys(pool.store(), wall));
            Audit audit = new Audit(pool.store(), wall);
            PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            keep(registry::close);
            PoolMetrics metrics = keep(new PoolMetrics(pool));
            metrics.bindTo(registry);
            new JvmMemoryMetrics().bindTo(registry);
            new JvmThreadMetrics().bindTo(registry);
            new ProcessorMetrics().bindTo(registry);
            TusUploads tus = new TusUploads(pool, config.maxUpload());
            Webhooks webhooks = keep(new Webhooks(pool, config.webhooks(), config.pool().platform().store()));
            table = new AllRoutes(config, pool, keys, audit, registry, closing, tus, webhooks).table();
            Headers headers = new Headers(config.corsOrigins(), config.tls().isPresent());
            Reception reception = new Reception(keys, audit,
                    new RateLimit(config.requestsPerSecond(), 2.0 * config.requestsPerSecond(), System::nanoTime),
                    new RateLimit(config.failuresPerMinute() / 60.0, config.failuresPerMinute(), System::nanoTime),
                    closing, headers, new RequestLog(registry, config.logRequests()),
                    new Pace(config.minUploadRate(), config.idleTimeout()));
            javalin = Javalin.create(javalinConfig -> configure(javalinConfig, reception, headers));
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
        return new Server(config);
    }

    private static PoolConfig withTables(PoolConfig config) {
        StoreConfig store = config.platform().store();
        List<Schema> schemas = new ArrayList<>(store.schemas());
        schemas.add(Keys.SCHEMA);
        schemas.add(TusBook.SCHEMA);
        schemas.add(WebhookBook.SCHEMA);
        return config.withPlatform(config.platform().withStore(store.withSchemas(schemas)));
    }

    private void configure(JavalinConfig javalinConfig, Reception reception, Headers headers) {
        javalinConfig.concurrency.useVirtualThreads = true;
        javalinConfig.startup.showJavalinBanner = false;
        javalinConfig.startup.showOldJavalinVersionWarning = false;
        javalinConfig.startup.startupWatcherEnabled = false;
        javalinConfig.http.prefer405over404 = true;
        javalinConfig.http.compressionStrategy = CompressionStrategy.NONE;
        javalinConfig.http.asyncTimeout = 0;
        javalinConfig.jetty.modifyHttpConfiguration(this::configure);
        javalinConfig.jetty.modifyServer(server -> server.setErrorHandler(new WireProblems()));
        javalinConfig.jetty.addConnector(this::connector);
        if (!config.corsOrigins().isEmpty()) {
            javalinConfig.routes.before(context -> {
                if (headers.answerPreflight(context)) {
                    context.skipRemainingHandlers();
                }
            });
        }
        table.register(javalinConfig.routes, reception);
    }

    private void configure(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(config.maxHeader());
        http.setIdleTimeout(config.idleTimeout().toMillis());
        if (config.tls().isPresent()) {
            http.addCustomizer(new SecureRequestCustomizer(false));
        }
    }

    private Connector connector(org.eclipse.jetty.server.Server server, HttpConfiguration http) {
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        ServerConnector connector = config.tls()
                .map(tls -> new ServerConnector(server, Certificates.context(tls), plain))
                .orElseGet(() -> new ServerConnector(server, plain));
        connector.setHost(config.host());
        connector.setPort(config.port());
        connector.setIdleTimeout(config.idleTimeout().toMillis());
        keep(new SlowHeads(connector, config.headTimeout()));
        return connector;
    }

    private void listen() {
        try {
            javalin.start();
        } catch (JavalinException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new CannotListenException(config.host(), config.port(), cause);
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
                _ -> new JobResult(audit.forgetOlderThan(config.auditRetention()) + " entries were forgotten"));
        pool.jobs().register(new JobName("forget-tus"), Schedule.every(FORGET_EVERY),
                _ -> new JobResult(tus.tidy() + " uploads were forgotten"));
    }

    private <T extends AutoCloseable> T keep(T part) {
        opened.push(part);
        return part;
    }

    /** Where it is reached, as {@code http://127.0.0.1:8420}. */
    public String address() {
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

    /** How many requests are being answered. */
    public long underWay() {
        return closing.underWay();
    }

    /** Takes nothing new, finishes what is under way or abandons it after a while, and closes the pool. */
    @Override
    public void close() {
        try {
            if (!closing.close(config.drainTime())) {
                LOG.warn("{} requests are broken off: they took longer than {}", closing.underWay(),
                        config.drainTime());
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

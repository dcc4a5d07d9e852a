package io.entrepot.server;

import io.entrepot.pool.Pool;
import io.entrepot.server.access.Audit;
import io.entrepot.server.access.Keys;
import io.entrepot.server.event.EventRoutes;
import io.entrepot.server.openapi.DocRoutes;
import io.entrepot.server.pool.AuditRoutes;
import io.entrepot.server.pool.BackupRoutes;
import io.entrepot.server.pool.Chores;
import io.entrepot.server.pool.CleanupRoutes;
import io.entrepot.server.pool.ContentRoutes;
import io.entrepot.server.pool.FileRoutes;
import io.entrepot.server.pool.HealthRoutes;
import io.entrepot.server.pool.HistoryRoutes;
import io.entrepot.server.pool.JobRoutes;
import io.entrepot.server.pool.KeyRoutes;
import io.entrepot.server.pool.LeaseRoutes;
import io.entrepot.server.pool.QueueRoutes;
import io.entrepot.server.pool.QuotaRoutes;
import io.entrepot.server.pool.StatisticsRoutes;
import io.entrepot.server.pool.StoreRoutes;
import io.entrepot.server.pool.TenantRoutes;
import io.entrepot.server.pool.UploadRoutes;
import io.entrepot.server.pool.VolumeRoutes;
import io.entrepot.server.pool.WatcherRoutes;
import io.entrepot.server.reload.ReloadRoutes;
import io.entrepot.server.reload.Reloaded;
import io.entrepot.server.route.Closing;
import io.entrepot.server.route.RouteTable;
import io.entrepot.server.tus.TusRoutes;
import io.entrepot.server.tus.TusUploads;
import io.entrepot.server.webhook.WebhookRoutes;
import io.entrepot.server.webhook.Webhooks;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Puts the route table together. To add routes, write a class like {@link TenantRoutes} and name it here. */
record AllRoutes(Supplier<ServerConfig> now, Pool pool, Keys keys, Audit audit, PrometheusMeterRegistry registry,
        Closing closing, TusUploads tus, Webhooks webhooks,
        Callable<Reloaded> reload) {

    RouteTable table() {
        InstantSource wall = now.get().pool().platform().store().wall();
        Chores chores = new Chores(pool);
        return DocRoutes.describe(Stream.of(new HealthRoutes(pool, registry, closing).routes(),
                new TenantRoutes(pool).routes(), new FileRoutes(pool).routes(),
                new StoreRoutes(pool, () -> now.get().maxUpload()).routes(), new ContentRoutes(pool).routes(),
                new UploadRoutes(pool).routes(), new TusRoutes(tus).routes(), new HistoryRoutes(pool).routes(),
                new QueueRoutes(pool, closing, this::maxWait).routes(), new LeaseRoutes(pool).routes(),
                new VolumeRoutes(pool, chores).routes(), new QuotaRoutes(pool).routes(),
                new WatcherRoutes(pool, chores, () -> now.get().pool().autoCreateTenants()).routes(),
                new JobRoutes(pool, chores, closing, this::maxWait).routes(),
                new CleanupRoutes(pool, chores, () -> now.get().pool().cleanup()).routes(),
                new EventRoutes(pool, keys, closing, () -> now.get().maxStreams(),
                        () -> now.get().idleTimeout()).routes(),
                new KeyRoutes(keys, wall).routes(), new AuditRoutes(audit).routes(),
                new WebhookRoutes(webhooks).routes(),
                new StatisticsRoutes(pool, wall).routes(),
                new BackupRoutes(pool, chores, () -> now.get().backupDirectory()).routes(),
                new ReloadRoutes(reload).routes()).flatMap(List::stream).toList());
    }

    private Duration maxWait() {
        return now.get().maxWait();
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantSpec;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantUsage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.QueueStatus;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.DataDirectory;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** What operators do with tenants. Safe for use by many threads. */
public final class TenantAdmin {
    private static final int STEP = 500;

    private final Parts parts;
    private final TenantBook book;

    public TenantAdmin(Parts parts) {
        this.parts = parts;
        this.book = parts.tenants();
    }

    public Tenant create(TenantId tenant, TenantLimits limits, boolean shard) {
        TenantSpec spec = TenantSpec.of(tenant).withLimits(limits);
        return create(shard ? spec.sharded() : spec);
    }

    public Tenant create(TenantSpec spec) {
        if (spec.shard()) {
            if (!(parts.stores() instanceof DataDirectory data)) {
                throw new InvalidSettingException("only an embedded database has shards");
            }
            if (spec.id().name().equals("main")) {
                throw new InvalidSettingException("a shard is not called main: that is the pool's own database");
            }
            if (book.find(spec.id()).isEmpty()) {
                data.giveShard(Owners.of(spec.id()));
            }
        }
        return book.create(spec);
    }

    public Optional<Tenant> find(TenantId tenant) {
        return book.find(tenant).map(TenantRow::tenant);
    }

    public List<Tenant> list() {
        return book.all().stream().map(TenantRow::tenant).toList();
    }

    public Tenant setStatus(TenantId tenant, TenantStatus status) {
        return book.setStatus(tenant, status);
    }

    public Tenant setLimits(TenantId tenant, TenantLimits limits) {
        return book.setLimits(tenant, limits);
    }

    public Tenant setRetry(TenantId tenant, Optional<RetryPolicy> retry) {
        return book.setRetry(tenant, retry);
    }

    /** Its own, or the pool's as it is now. */
    public RetryPolicy retryRule(TenantId tenant) {
        return book.require(tenant).tenant().retry().orElse(parts.config().retry());
    }

    public Tenant setPaused(TenantId tenant, boolean paused) {
        return book.setPaused(tenant, paused);
    }

    public TenantUsage usage(TenantId tenant) {
        TenantRow row = book.require(tenant);
        QueueCounts counts = parts.queues().status(row.queue()).map(QueueStatus::counts)
                .orElse(new QueueCounts(0, 0, 0, 0, 0));
        return book.store(tenant).read(snapshot -> new TenantUsage(snapshot.count(row.files()),
                snapshot.count(row.bytes()), counts.ready(), counts.held(), counts.delayed(), counts.kept(),
                counts.dead(), snapshot.count(row.held())));
    }

    public Optional<Instant> oldestPending(TenantId tenant) {
        TenantRow row = book.require(tenant);
        return parts.queues().list(ListRequest.of(row.queue()).in(ItemState.READY).withLimit(1)).items().stream()
                .findFirst().map(ItemView::since);
    }

    /** With files: disabled first, so that nothing comes while they go, some at a time. Then itself, if it has none. */
    public void delete(TenantId tenant, boolean withFiles) {
        TenantRow row = book.require(tenant);
        if (withFiles) {
            if (row.tenant().status() != TenantStatus.DISABLED) {
                book.setStatus(tenant, TenantStatus.DISABLED);
            }
            removeFiles(tenant, row);
        }
        book.write(tenant, tx -> {
            if (tx.count(row.files()) > 0) {
                throw new InvalidSettingException(
                        "tenant " + tenant + " has files; delete it with them, or complete them");
            }
            for (String table : List.of("file_gone", "file_key", "upload", "import_source", "directory")) {
                tx.update("DELETE FROM " + table + " WHERE tenant = ?", row.number());
            }
            tx.update("DELETE FROM tenant WHERE id = ?", row.number());
            tx.publish(Owners.of(tenant), "tenant.deleted", tenant.name(), "{}");
            return true;
        });
        parts.keepers().nudgeAll();
    }

    private void removeFiles(TenantId tenant, TenantRow row) {
        int removed;
        do {
            removed = book.write(tenant, tx -> {
                List<FileRow> some = tx.query("SELECT " + FileRow.COLUMNS + " FROM file f WHERE f.tenant = ?"
                        + " ORDER BY f.id LIMIT ?", FileRow::read, row.number(), STEP);
                some.forEach(file -> parts.queues().remove(tx, Views.item(tenant, file.key()),
                        EnumSet.allOf(ItemState.class), "the tenant was deleted"));
                parts.removal().remove(tx, row, some, "file.deleted", "the tenant was deleted");
                return some.size();
            });
        } while (removed == STEP);
    }
}

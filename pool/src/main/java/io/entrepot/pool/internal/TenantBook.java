package io.entrepot.pool.internal;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantExistsException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.TenantSpec;
import io.entrepot.pool.TenantStatus;
import io.entrepot.queue.Queues;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.Counter;
import io.entrepot.store.Owner;
import io.entrepot.store.Snapshot;
import io.entrepot.store.Store;
import io.entrepot.store.Stores;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The tenants. Each has its row in the store that its files are in, so that whether it may do something is decided in the same
 * transaction as the thing itself. What is remembered here serves only to refuse early; it is dropped at every change, and
 * where other processes may change a tenant it is believed for a second.
 *
 * <p>A tenant that may not be handed files has its queue paused: then nothing of it is claimed, not even by somebody who was
 * already waiting, and leases that run out do not count. Safe for use by many threads.
 */
public final class TenantBook {
    private static final long BELIEVED = Duration.ofSeconds(1).toNanos();

    private final Stores stores;
    private final Queues queues;
    private final Ticker ticker;
    private final Map<TenantId, Remembered> remembered = new ConcurrentHashMap<>();
    private final AtomicLong changes = new AtomicLong();
    /**
     * As committed, where one process has the store: units of work take it from here. A change takes it away when it runs, so that
     * what comes after it in the same commit reads the row; and again when it is committed, as it may have been read before.
     */
    private final Map<TenantId, Committed> committed = new ConcurrentHashMap<>();

    private volatile Runnable onChange = () -> {};

    private record Remembered(TenantRow row, long at) {}

    /** Of that store: another one may have taken its place. */
    private record Committed(TenantRow row, Store store) {}

    public TenantBook(Stores stores, Queues queues, Ticker ticker) {
        this.stores = stores;
        this.queues = queues;
        this.ticker = ticker;
    }

    public Store store(TenantId tenant) {
        return stores.store(Owners.of(tenant));
    }

    /** As it was a moment ago. */
    public TenantRow require(TenantId tenant) {
        return find(tenant).orElseThrow(() -> new TenantNotFoundException(tenant));
    }

    public Optional<TenantRow> find(TenantId tenant) {
        Remembered known = remembered.get(tenant);
        Store store = store(tenant);
        if (known != null && (!store.shared() || ticker.nanos() - known.at < BELIEVED)) {
            return Optional.of(known.row);
        }
        long before = changes.get();
        long now = ticker.nanos();
        Optional<TenantRow> row = store.read(snapshot -> find(snapshot, tenant));
        row.ifPresent(found -> remember(new Remembered(found, now), before));
        return row;
    }

    /** Not if something was changed since it was read: then it may be old, and would be believed for good. */
    private synchronized void remember(Remembered found, long before) {
        if (changes.get() == before) {
            remembered.put(found.row.id(), found);
        }
    }

    /** It was changed. */
    synchronized void forget(TenantId tenant) {
        changes.incrementAndGet();
        remembered.remove(tenant);
        committed.remove(tenant);
    }

    /** As it is in this transaction. */
    Optional<TenantRow> find(Snapshot snapshot, TenantId tenant) {
        boolean sharded = stores.sharded().contains(Owners.of(tenant));
        return snapshot.first("SELECT " + TenantRow.COLUMNS + " FROM tenant WHERE name = ?",
                row -> TenantRow.read(row, sharded), tenant.name());
    }

    TenantRow require(Snapshot snapshot, TenantId tenant) {
        return find(snapshot, tenant).orElseThrow(() -> new TenantNotFoundException(tenant));
    }

    /** The same, for those who ask at every unit of work. */
    TenantRow require(Transaction tx, TenantId tenant) {
        Committed known = committed.get(tenant);
        Store store = store(tenant);
        if (known != null && known.store.equals(store)) {
            return known.row;
        }
        TenantRow row = require((Snapshot) tx, tenant);
        if (!stores.main().shared()) {
            tx.afterCommit(() -> committed.put(tenant, new Committed(row, store)));
        }
        return row;
    }

    /** All of one store, by name. */
    private List<TenantRow> all(Store store, boolean sharded) {
        return store.read(snapshot -> snapshot.query("SELECT " + TenantRow.COLUMNS + " FROM tenant ORDER BY name",
                row -> TenantRow.read(row, sharded)));
    }

    /** By name. A tenant whose shard cannot be read is left out. */
    public List<TenantRow> all() {
        List<TenantRow> rows = new ArrayList<>(all(stores.main(), false));
        for (Owner owner : stores.sharded()) {
            try {
                rows.addAll(all(stores.store(owner), true));
            } catch (io.entrepot.store.StoreException e) {
                // Reported by whoever asks for that tenant, and by the check.
            }
        }
        rows.sort((a, b) -> a.id().compareTo(b.id()));
        return rows;
    }

    public Tenant create(TenantId tenant, TenantLimits limits) {
        return create(TenantSpec.of(tenant).withLimits(limits));
    }

    /** In the status it is to have, so that nothing is handed out before. */
    public Tenant create(TenantSpec spec) {
        TenantId tenant = spec.id();
        TenantLimits limits = spec.limits();
        Optional<RetryPolicy> retry = spec.retry();
        return write(tenant, tx -> {
            if (find(tx, tenant).isPresent()) {
                throw new TenantExistsException(tenant);
            }
            tx.requireRoom();
            tx.update(
                    "INSERT INTO tenant (" + TenantRow.COLUMNS
                            + ") VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)",
                    tx.next(new Counter("pool.tenant", 0), 1), tenant.name(), TenantRow.code(spec.status()),
                    tx.now(), nullable(limits.files()), nullable(limits.bytes()), limits.warnPercent(),
                    retry.map(policy -> policy.initial().toMillis()).orElse(null),
                    retry.map(policy -> policy.max().toMillis()).orElse(null),
                    retry.map(policy -> (long) policy.attempts()).orElse(null),
                    retry.map(policy -> policy.exponential() ? 1L : 0L).orElse(null));
            TenantRow row = require(tx, tenant);
            // Not as it was, if one of that name was deleted.
            queues.pause(tx, row.queue(), spec.status() != TenantStatus.ENABLED);
            tx.publish(Owners.of(tenant), "tenant.created", tenant.name(), "{}");
            if (spec.status() != TenantStatus.ENABLED) {
                tx.publish(Owners.of(tenant), event(spec.status()), tenant.name(), "{}");
            }
            return row.tenant();
        });
    }

    public Tenant setStatus(TenantId tenant, TenantStatus status) {
        return change(tenant, event(status), (tx, row) -> {
            tx.update("UPDATE tenant SET status = ? WHERE id = ?", TenantRow.code(status), row.number());
            queues.pause(tx, row.queue(), status != TenantStatus.ENABLED || row.tenant().paused());
        });
    }

    private static String event(TenantStatus status) {
        return "tenant." + status.name().toLowerCase(Locale.ROOT);
    }

    public Tenant setPaused(TenantId tenant, boolean paused) {
        return change(tenant, paused ? "tenant.paused" : "tenant.resumed", (tx, row) -> {
            tx.update("UPDATE tenant SET paused = ? WHERE id = ?", paused ? 1 : 0, row.number());
            queues.pause(tx, row.queue(), paused || row.tenant().status() != TenantStatus.ENABLED);
        });
    }

    public Tenant setLimits(TenantId tenant, TenantLimits limits) {
        return change(tenant, "tenant.limits", (tx, row) -> tx.update(
                "UPDATE tenant SET max_files = ?, max_bytes = ?, warn_percent = ? WHERE id = ?",
                nullable(limits.files()), nullable(limits.bytes()), limits.warnPercent(), row.number()));
    }

    public Tenant setRetry(TenantId tenant, Optional<RetryPolicy> retry) {
        return change(tenant, "tenant.retry", (tx, row) -> tx.update(
                "UPDATE tenant SET retry_initial = ?, retry_max = ?, retry_attempts = ?, retry_exponential = ?"
                        + " WHERE id = ?",
                retry.map(policy -> policy.initial().toMillis()).orElse(null),
                retry.map(policy -> policy.max().toMillis()).orElse(null),
                retry.map(policy -> (long) policy.attempts()).orElse(null),
                retry.map(policy -> policy.exponential() ? 1L : 0L).orElse(null), row.number()));
    }

    /** Makes it what it was: after a recovery. */
    void restore(Tenant wanted) {
        TenantId id = wanted.id();
        if (find(id).isEmpty()) {
            create(id, wanted.limits());
            write(id, tx -> tx.update("UPDATE tenant SET created = ? WHERE name = ?", wanted.created().toEpochMilli(),
                    id.name()));
        }
        Tenant now = require(id).tenant();
        if (!now.limits().equals(wanted.limits())) {
            setLimits(id, wanted.limits());
        }
        if (!now.retry().equals(wanted.retry())) {
            setRetry(id, wanted.retry());
        }
        if (now.paused() != wanted.paused()) {
            setPaused(id, wanted.paused());
        }
        if (now.status() != wanted.status()) {
            setStatus(id, wanted.status());
        }
    }

    private interface Change {
        void apply(Transaction tx, TenantRow row);
    }

    private Tenant change(TenantId tenant, String event, Change change) {
        return write(tenant, tx -> {
            TenantRow row = require(tx, tenant);
            change.apply(tx, row);
            tx.publish(Owners.of(tenant), event, tenant.name(), "{}");
            return require(tx, tenant).tenant();
        });
    }

    /** A change of the tenant's row; what is remembered of it goes, whether or not it succeeds. */
    <R> R write(TenantId tenant, io.entrepot.store.Work<R> work) {
        queues.statuses(Owners.of(tenant)); // those of a new shard are opened now, as they cannot be within a transaction
        try {
            return store(tenant).write(Owners.of(tenant), tx -> {
                committed.remove(tenant);
                R result = work.run(tx);
                tx.afterCommit(() -> committed.remove(tenant));
                return result;
            });
        } finally {
            forget(tenant);
            onChange.run();
        }
    }

    /** From now on this is called after every change. */
    void onChange(Runnable listener) {
        onChange = listener;
    }

    private static @Nullable Long nullable(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}

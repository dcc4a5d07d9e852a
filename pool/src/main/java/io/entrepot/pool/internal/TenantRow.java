package io.entrepot.pool.internal;

import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantDisabledException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.TenantSuspendedException;
import io.entrepot.queue.QueueName;
import io.entrepot.queue.RetryPolicy;
import io.entrepot.store.Counter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A tenant's row: what it is, and the number that its other rows know it by. */
public record TenantRow(long number, Tenant tenant) {
    static final String COLUMNS = "id, name, status, paused, created, max_files, max_bytes, warn_percent,"
            + " retry_initial, retry_max, retry_attempts, retry_exponential";
    /** The lane of a tenant's queue that its files are in. */
    public static final String LANE = "files";
    private static final List<TenantStatus> STATUSES = List.of(TenantStatus.ENABLED, TenantStatus.SUSPENDED,
            TenantStatus.DISABLED);

    static TenantRow read(ResultSet row, boolean sharded) throws SQLException {
        long attempts = row.getLong(11);
        Optional<RetryPolicy> retry = row.wasNull()
                ? Optional.empty()
                : Optional.of(new RetryPolicy(Duration.ofMillis(row.getLong(9)), Duration.ofMillis(row.getLong(10)),
                        (int) attempts, row.getLong(12) != 0));
        TenantLimits limits = new TenantLimits(optional(row, 6), optional(row, 7), row.getInt(8));
        return new TenantRow(row.getLong(1), new Tenant(new TenantId(row.getString(2)),
                STATUSES.get(row.getInt(3)), row.getLong(4) != 0, limits, retry,
                Instant.ofEpochMilli(row.getLong(5)), sharded));
    }

    static long code(TenantStatus status) {
        return STATUSES.indexOf(status);
    }

    private static OptionalLong optional(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    public TenantId id() {
        return tenant.id();
    }

    public QueueName queue() {
        return new QueueName(Owners.of(id()), LANE);
    }

    Counter files() {
        return new Counter("pool.files", number);
    }

    Counter bytes() {
        return new Counter("pool.bytes", number);
    }

    /** Files that wait to be released. */
    Counter held() {
        return new Counter("pool.held", number);
    }

    /** Uploads that are open. */
    Counter uploads() {
        return new Counter("pool.upload.files", number);
    }

    /** What they are to have, or have. */
    Counter uploadBytes() {
        return new Counter("pool.upload.bytes", number);
    }

    /** Whether it may have new files and claims. */
    public TenantRow requireEnabled() {
        if (tenant.status() == TenantStatus.SUSPENDED) {
            throw new TenantSuspendedException(id());
        }
        return requireNotDisabled();
    }

    /** Whether it may read, and end what it has claimed. */
    public TenantRow requireNotDisabled() {
        if (tenant.status() == TenantStatus.DISABLED) {
            throw new TenantDisabledException(id());
        }
        return this;
    }
}

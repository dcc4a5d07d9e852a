package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An item that was the first of its queue, and is about to get a holder. */
@SuppressWarnings("ArrayRecordComponent")
record Found(long queue, long rank, long id, long epoch, int attempts, int deliveries, int priority, long created,
        @Nullable String key, byte[] payload) {
    static final String COLUMNS = "r.queue, r.rank, i.id, i.epoch, i.attempts, i.deliveries, i.priority, i.created, i.key,"
            + " i.payload";
    /** The same of an item that has a holder already. */
    static final String HELD_COLUMNS = COLUMNS.replace("r.queue, r.rank", "i.queue, i.place");

    /** Reads {@link #COLUMNS}. */
    static Found read(ResultSet row) throws SQLException {
        return new Found(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4), row.getInt(5), row.getInt(6),
                row.getInt(7), row.getLong(8), row.getString(9), row.getBytes(10));
    }

    Claimed to(Lane lane, long nonce, long termMillis) {
        return to(lane, nonce, termMillis, false);
    }

    Claimed to(Lane lane, long nonce, long termMillis, boolean repeated) {
        ItemLease lease = new ItemLease(new ItemId(lane.name().owner(), id), new Fence(new Epoch(epoch + 1), nonce));
        return new Claimed(lease, lane.name(), payload, priority, attempts, deliveries, Instant.ofEpochMilli(created),
                Optional.ofNullable(key), Duration.ofMillis(termMillis), repeated);
    }
}

package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.store.Snapshot;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * A row of {@code held}, as far as it is needed to count its term.
 *
 * @param queue the queue's number
 * @param holder the worker's name
 * @param keeper see {@link Keeper}
 * @param renewals how often it was renewed elsewhere than in its keeper's memory, when it was last looked at
 */
record Held(ItemLease lease, long queue, String holder, long termMillis, long keeper, long renewals) {

    /** Up to that many of the leases that a keeper counts. */
    static List<Held> of(Snapshot snapshot, Lanes lanes, long keeper, int most) {
        return snapshot.query(
                "SELECT id, queue, epoch, nonce, term, keeper, renewals, holder FROM held WHERE keeper = ? LIMIT ?",
                row -> read(row, snapshot, lanes), keeper, most);
    }

    private static Held read(ResultSet row, Snapshot snapshot, Lanes lanes) throws SQLException {
        ItemId item = new ItemId(lanes.lane(snapshot, row.getLong(2)).name().owner(), row.getLong(1));
        return new Held(new ItemLease(item, new Fence(new Epoch(row.getLong(3)), row.getLong(4))), row.getLong(2),
                row.getString(8), row.getLong(5), row.getLong(6), row.getLong(7));
    }

    Held keptBy(long other) {
        return new Held(lease, queue, holder, termMillis, other, renewals);
    }

    Held renewedElsewhere(long times) {
        return new Held(lease, queue, holder, termMillis, keeper, times);
    }
}

package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemLease;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases whose terms another process counts, or may count: it will see in the database that they were. Says which
 * of them are current.
 */
final class RenewOperation implements Operation<ItemLease, Boolean> {
    private final Holds holds;

    private record Renewed(long item, String owner, Fence fence, long keeper, long renewals) {

        boolean isOf(ItemLease lease) {
            return lease.item().number() == item && lease.fence().equals(fence)
                    && lease.item().owner().name().equals(owner);
        }
    }

    RenewOperation(Holds holds) {
        this.holds = holds;
    }

    @Override
    public List<Boolean> run(Transaction tx, List<ItemLease> leases) {
        List<@Nullable Object[]> rows = new ArrayList<>(leases.size());
        // The same lease twice is one renewal; of an item's leases at most one is current.
        for (ItemLease lease : new HashSet<>(leases)) {
            rows.add(new Object[]{lease.item().number(), lease.fence().epoch().value(), lease.fence().nonce(),
                    lease.item().owner().name()});
        }
        List<Renewed> renewed = tx.queryEach(
                """
                WITH e (id, epoch, nonce, owner) AS (VALUES $rows)
                UPDATE held SET renewals = renewals + 1 FROM e, queue q
                WHERE held.id = e.id AND held.epoch = e.epoch AND held.nonce = e.nonce
                AND q.id = held.queue AND q.owner = e.owner
                RETURNING held.id, held.epoch, held.nonce, held.keeper, held.renewals, q.owner""",
                row -> new Renewed(row.getLong(1), row.getString(6),
                        new Fence(new Epoch(row.getLong(2)), row.getLong(3)),
                        row.getLong(4), row.getLong(5)),
                rows);
        tx.afterCommit(() -> renewed.forEach(one -> holds.renewed(one.item, one.fence, one.keeper, one.renewals)));
        return leases.stream().map(lease -> renewed.stream().anyMatch(one -> one.isOf(lease))).toList();
    }
}

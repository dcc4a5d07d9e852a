package io.entrepot.queue.internal;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.queue.ItemLease;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases whose terms another process counts, or may count: it will see in the database that they were. Says which
 * of them are current.
 */
final class RenewOperation implements Operation<ItemLease, Boolean> {
    private final Holds holds;

    private record Renewed(long item, Fence fence, long keeper, long renewals) {}

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
        List<Renewed> renewed = tx.queryEach("""
                                             WITH e (id, epoch, nonce, owner) AS (VALUES $rows)
                                             UPDATE held SET renewals = renewals + 1 FROM e, queue q
                                             WHERE held.id = e.id AND held.epoch = e.epoch AND held.nonce = e.nonce
                                             AND q.id = held.queue AND q.owner = e.owner
                                             RETURNING held.id, held.epoch, held.nonce, held.keeper, held.renewals""",
                row -> new Renewed(row.getLong(1), new Fence(new Epoch(row.getLong(2)), row.getLong(3)),
                        row.getLong(4), row.getLong(5)),
                rows);
        tx.afterCommit(() -> renewed.forEach(one -> holds.renewed(one.item, one.fence, one.keeper, one.renewals)));
        Map<Long, Fence> current = renewed.stream().collect(Collectors.toMap(Renewed::item, Renewed::fence));
        return leases.stream().map(lease -> lease.fence().equals(current.get(lease.item().number()))).toList();
    }
}

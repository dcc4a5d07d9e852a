package io.entrepot.pool.internal;

import io.entrepot.pool.FileLease;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.Ending;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.Outcome;
import io.entrepot.queue.Queues;
import io.entrepot.store.Operation;
import io.entrepot.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Ends leases because the work is done and the files go: item, row, counts and event, for many workers at once. */
final class FinishOperation implements Operation<FileLease, FinishOperation.Verdict> {
    private static final Ending DONE = new Ending.Finish(false);

    private final TenantBook tenants;
    private final Queues queues;
    private final Removal removal;

    /** What came of it. */
    sealed interface Verdict {
        record Ended(Outcome outcome) implements Verdict {}

        record LeaseLost() implements Verdict {}

        record Refused(Supplier<PoolException> why) implements Verdict {}
    }

    FinishOperation(TenantBook tenants, Queues queues, Removal removal) {
        this.tenants = tenants;
        this.queues = queues;
        this.removal = removal;
    }

    @Override
    public List<Verdict> run(Transaction tx, List<FileLease> leases) {
        Map<TenantId, TenantRow> known = new HashMap<>();
        Map<Integer, Supplier<PoolException>> refused = new HashMap<>();
        List<ItemLease> allowed = new ArrayList<>(leases.size());
        for (int i = 0; i < leases.size(); i++) {
            try {
                known.computeIfAbsent(leases.get(i).tenant(), id -> tenants.require(tx, id)).requireNotDisabled();
                allowed.add(Owners.lease(leases.get(i)));
            } catch (PoolException e) {
                refused.put(i, () -> e);
            }
        }
        List<Optional<Outcome>> outcomes = allowed.isEmpty() ? List.of() : queues.endAll(tx, allowed, DONE);
        List<Verdict> verdicts = new ArrayList<>(leases.size());
        Map<TenantId, List<FileRow.Which>> finished = new LinkedHashMap<>();
        int next = 0;
        for (int i = 0; i < leases.size(); i++) {
            Supplier<PoolException> why = refused.get(i);
            if (why != null) {
                verdicts.add(new Verdict.Refused(why));
                continue;
            }
            Optional<Outcome> outcome = outcomes.get(next++);
            verdicts.add(outcome.<Verdict>map(Verdict.Ended::new).orElseGet(Verdict.LeaseLost::new));
            if (outcome.isPresent() && !outcome.get().repeated()) {
                FileLease lease = leases.get(i);
                finished.computeIfAbsent(lease.tenant(), _ -> new ArrayList<>())
                        .add(new FileRow.Which(row(known, lease.tenant()).number(), lease.key().number()));
            }
        }
        finished.forEach((tenant, files) -> removal.remove(tx, row(known, tenant), FileRow.find(tx, files),
                "file.completed", "completed"));
        return verdicts;
    }

    private static TenantRow row(Map<TenantId, TenantRow> known, TenantId tenant) {
        return java.util.Objects.requireNonNull(known.get(tenant));
    }
}

package io.entrepot.pool.internal;

import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Files whose workers have had them for too long. Leases run out by themselves, and here without waiting; a timeout that is
 * shorter takes files away whose leases run on.
 */
final class TimeoutSweep implements Sweep {
    private final Parts parts;
    private final Expiries expiries;
    private final Optional<Duration> timeout;
    /** In a dry run: these would be nobody's by then. */
    private final Set<ItemId> overdue = new HashSet<>();

    TimeoutSweep(Parts parts, Expiries expiries, Optional<Duration> timeout) {
        this.parts = parts;
        this.expiries = expiries;
        this.timeout = timeout;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        tally.progress(0, "leases");
        tally.attempt("leases", () -> expire(tally));
        if (timeout.isPresent()) {
            for (Realm realm : Realm.all(parts, tally::problem)) {
                for (TenantRow tenant : realm.tenants().values()) {
                    tell(tenant, tally);
                    tally.attempt("tenant " + tenant.id(), () -> sweep(realm, tenant, timeout.get(), tally));
                }
            }
        }
    }

    private void expire(Tally tally) {
        if (tally.isDryRun()) {
            overdue.addAll(parts.queues().overdue());
            overdue.forEach(item -> tally.detail("file number " + item.number() + " of tenant " + item.owner()
                    + ": its lease has run out"));
            tally.add(Tally.Count.LEASES_EXPIRED, overdue.size());
        } else {
            long before = expiries.count();
            parts.queues().tick();
            tally.add(Tally.Count.LEASES_EXPIRED, expiries.count() - before);
        }
    }

    private static void tell(TenantRow tenant, Tally tally) {
        tally.progress(tally.count(Tally.Count.LEASES_EXPIRED) + tally.count(Tally.Count.TAKEN_FROM_WORKERS),
                "tenant " + tenant.id());
    }

    private void sweep(Realm realm, TenantRow tenant, Duration longest, Tally tally) {
        ListRequest request = ListRequest.of(tenant.queue()).in(ItemState.HELD).withLimit(500);
        ItemPage page;
        do {
            tally.checkpoint();
            page = parts.queues().list(request);
            Instant since = Instant.ofEpochMilli(realm.store().read(snapshot -> snapshot.now())).minus(longest);
            List<ItemView> due = page.items().stream()
                    .filter(item -> item.since().isBefore(since) && !overdue.contains(item.id())).toList();
            if (!due.isEmpty()) {
                List<String> reset = tally.isDryRun()
                        ? due.stream().map(item -> words(tenant, item)).toList()
                        : reset(realm, tenant, due);
                tally.add(Tally.Count.TAKEN_FROM_WORKERS, reset.size());
                reset.forEach(tally::detail);
                tell(tenant, tally);
            }
            request = request.after(page.cursor());
        } while (!page.cursor().isEmpty());
    }

    /** Those that are still under the same lease. */
    private List<String> reset(Realm realm, TenantRow tenant, List<ItemView> due) {
        return realm.store().write(Owners.of(tenant.id()), tx -> {
            Map<ItemId, ItemView> now = parts.queues().find(tx, due.stream().map(ItemView::id).toList());
            List<String> reset = new ArrayList<>();
            for (ItemView item : due) {
                ItemView current = now.get(item.id());
                if (current != null && current.state() == ItemState.HELD && current.epoch() == item.epoch()) {
                    parts.queues().reset(tx, item.id());
                    FileRow.find(tx, List.of(new FileRow.Which(tenant.number(), item.id().number())))
                            .forEach(file -> tx.publish(Owners.of(tenant.id()), "file.reset", file.key().toString(),
                                    new Body().with("why", words(tenant, item)).toString()));
                    reset.add(words(tenant, item));
                }
            }
            return reset;
        });
    }

    private static String words(TenantRow tenant, ItemView item) {
        return "file number " + item.id().number() + " of tenant " + tenant.id() + ": "
                + item.holder().orElse("somebody") + " has had it for too long, since " + item.since();
    }
}

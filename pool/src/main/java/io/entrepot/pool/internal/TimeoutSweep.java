package io.entrepot.pool.internal;

import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files whose workers have had them for too long. Leases run out by themselves, and here without waiting; a timeout that is
 * shorter takes files away whose leases run on.
 */
final class TimeoutSweep implements Sweep {
    private final Parts parts;
    private final Expiries expiries;
    private final Optional<Duration> timeout;

    TimeoutSweep(Parts parts, Expiries expiries, Optional<Duration> timeout) {
        this.parts = parts;
        this.expiries = expiries;
        this.timeout = timeout;
    }

    @Override
    public void run(Tally tally) throws InterruptedException {
        if (!tally.isDryRun()) {
            long before = expiries.count();
            tally.attempt("leases", () -> parts.queues().tick());
            tally.add(Tally.Count.LEASES_EXPIRED, expiries.count() - before);
        }
        if (timeout.isPresent()) {
            for (Realm realm : Realm.all(parts, tally::problem)) {
                for (TenantRow tenant : realm.tenants().values()) {
                    tally.attempt("tenant " + tenant.id(), () -> sweep(realm, tenant, timeout.get(), tally));
                }
            }
        }
    }

    private void sweep(Realm realm, TenantRow tenant, Duration longest, Tally tally) {
        ListRequest request = ListRequest.of(tenant.queue()).in(ItemState.HELD).withLimit(500);
        ItemPage page;
        do {
            tally.checkpoint();
            page = parts.queues().list(request);
            Instant since = Instant.ofEpochMilli(realm.store().read(snapshot -> snapshot.now())).minus(longest);
            List<ItemView> due = page.items().stream().filter(item -> item.since().isBefore(since)).toList();
            if (!due.isEmpty()) {
                List<String> reset = tally.isDryRun()
                        ? due.stream().map(item -> words(tenant, item)).toList()
                        : reset(realm, tenant, due);
                tally.add(Tally.Count.TAKEN_FROM_WORKERS, reset.size());
                reset.forEach(tally::detail);
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

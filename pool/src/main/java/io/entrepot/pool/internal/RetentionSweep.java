package io.entrepot.pool.internal;

import io.entrepot.pool.FileKey;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantStatus;
import io.entrepot.queue.ItemPage;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.ItemView;
import io.entrepot.queue.ListRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Files that have been given up, or completed and kept, for longer than they are to be. Oldest first, in portions: the queue's
 * items and the files go in one transaction each; the bytes after it, unless they were exported before.
 */
final class RetentionSweep implements Sweep {
    private static final int AT_ONCE = 200;

    private final Parts parts;
    private final ItemState state;
    private final Duration age;
    private final Optional<Export> export;
    private final Optional<TenantId> only;

    private record Removed(long files, long bytes) {}

    /**
     * @param state dead or kept
     * @param only  of one tenant, if one is named
     */
    RetentionSweep(Parts parts, ItemState state, Duration age, Optional<Export> export, Optional<TenantId> only) {
        this.parts = parts;
        this.state = state;
        this.age = age;
        this.export = export;
        this.only = only;
    }

    @Override
    public void run(Tally tally) throws Exception {
        if (only.isPresent()) { // who names one is told that it is not there, or that it loses nothing now
            parts.tenants().require(only.get()).requireNotDisabled();
        }
        // That others cannot be read does not matter to one; of its own the line above has told.
        for (Realm realm : Realm.all(parts, only.isPresent() ? _ -> {} : tally::problem)) {
            for (TenantRow tenant : realm.tenants().values()) {
                if (only.filter(id -> !id.equals(tenant.id())).isEmpty()
                        && tenant.tenant().status() != TenantStatus.DISABLED) { // that one loses nothing
                    tally.attempt("tenant " + tenant.id(), () -> sweep(realm, tenant, tally));
                }
            }
        }
        parts.keepers().nudgeAll();
    }

    private void sweep(Realm realm, TenantRow tenant, Tally tally) throws Exception {
        Instant before = Instant.ofEpochMilli(realm.store().read(snapshot -> snapshot.now())).minus(age);
        ListRequest request = ListRequest.of(tenant.queue()).in(state).withLimit(AT_ONCE);
        List<ItemView> due;
        ItemPage page;
        do {
            tally.checkpoint();
            page = parts.queues().list(request);
            due = page.items().stream().filter(item -> !item.since().isAfter(before)).toList();
            if (!due.isEmpty()) {
                portion(realm, tenant, due, tally);
            }
            request = request.after(page.cursor());
        } while (!page.cursor().isEmpty() && due.size() == page.items().size()); // oldest first
    }

    private void portion(Realm realm, TenantRow tenant, List<ItemView> due, Tally tally) throws Exception {
        Removed removed;
        if (tally.isDryRun()) {
            List<FileRow> files = realm.store().read(snapshot -> FileRow.find(snapshot, which(tenant, due)));
            files.forEach(file -> tally.detail("file " + file.key() + " of tenant " + tenant.id()));
            removed = removed(files);
        } else if (export.isPresent()) {
            List<FileRow> files = realm.store().read(snapshot -> FileRow.find(snapshot, which(tenant, due)));
            List<Long> exported = export.get().export(tenant, files, tally).stream().map(FileKey::number).toList();
            removed = remove(realm, tenant,
                    due.stream().filter(item -> exported.contains(item.id().number())).toList());
        } else {
            removed = remove(realm, tenant, due);
        }
        tally.add(state == ItemState.DEAD ? Tally.Count.PERMANENTLY_FAILED : Tally.Count.COMPLETED, removed.files);
        tally.add(Tally.Count.BYTES_FREED, removed.bytes);
        tally.progress(tally.count(Tally.Count.PERMANENTLY_FAILED) + tally.count(Tally.Count.COMPLETED),
                "tenant " + tenant.id());
    }

    private Removed remove(Realm realm, TenantRow tenant, List<ItemView> due) {
        if (due.isEmpty()) {
            return new Removed(0, 0);
        }
        String why = (state == ItemState.DEAD ? "it had failed for good" : "it was completed") + ", and was kept for "
                + words(age) + export.map(to -> "; its bytes are in " + to.directory()).orElse("");
        return realm.store().write(Owners.of(tenant.id()), tx -> {
            Map<?, ItemView> now = parts.queues().find(tx, due.stream().map(ItemView::id).toList());
            List<ItemView> gone = new ArrayList<>();
            for (ItemView item : due) {
                ItemView current = now.get(item.id());
                if (current != null && current.since().equals(item.since())
                        && parts.queues().remove(tx, item.id(), EnumSet.of(state), why)) {
                    gone.add(item);
                }
            }
            List<FileRow> files = FileRow.find(tx, which(tenant, gone));
            parts.removal().remove(tx, tenant, files, "file.deleted", why);
            return removed(files);
        });
    }

    private static List<FileRow.Which> which(TenantRow tenant, List<ItemView> items) {
        return items.stream().map(item -> new FileRow.Which(tenant.number(), item.id().number())).toList();
    }

    private static Removed removed(List<FileRow> files) {
        return new Removed(files.size(), files.stream().mapToLong(FileRow::size).sum());
    }

    private static String words(Duration age) {
        return age.toDays() > 0 && age.equals(Duration.ofDays(age.toDays())) ? age.toDays() + " days" : age.toString();
    }
}

package io.entrepot.pool.internal;

import io.entrepot.pool.RecoveryReport;
import io.entrepot.pool.RecoveryWatch;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.UploadId;
import io.entrepot.store.Owner;
import io.entrepot.store.Store;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Makes the books of tenants whose database was replaced fit what is on the volumes. For one thread. */
final class FileRescue {
    private final Parts parts;
    private final RecoveryLog log;
    private final RecoveryGauge gauge;

    FileRescue(Parts parts, RecoveryLog log, RecoveryWatch watch) {
        this.parts = parts;
        this.log = log;
        this.gauge = new RecoveryGauge(watch);
    }

    /**
     * @param replaced tenants whose files are to be looked for
     * @param restored those of them whose books are from a backup, and may know files that are gone
     */
    RecoveryReport run(Predicate<TenantId> replaced, Predicate<TenantId> restored) throws InterruptedException {
        Set<Store> stores = new HashSet<>();
        for (TenantRow tenant : tenants(replaced)) {
            stores.add(parts.tenants().store(tenant.id()));
            dropUploads(tenant);
        }
        for (Store store : stores) {
            // What was doomed and came back to the same place after the backup is not to be removed; a second copy is found below.
            store.write(Owner.SYSTEM, tx -> {
                tx.update("DELETE FROM file_stuck WHERE id IN (SELECT id FROM file)");
                return tx.update("DELETE FROM file_doomed WHERE id IN (SELECT id FROM file)");
            });
        }
        new Rebuild(parts, replaced, log, gauge).run();
        if (!tenants(restored).isEmpty()) {
            new LostBytes(parts, restored, log, gauge).run();
        }
        RecoveryReport report = log.report();
        RecoveryReport.Files total = report.total();
        parts.stores().main().write(Owner.SYSTEM, tx -> {
            tx.publish(Owner.SYSTEM, "pool.recovered", report.file().toString(), new Body()
                    .with("cause", report.cause()).with("rebuilt", total.rebuilt()).with("held", total.held())
                    .with("deleted", total.deleted()).with("lost", total.lost())
                    .with("unreadable", report.unreadable().size()).with("unknown", report.unknown().size())
                    .toString());
            return true;
        });
        return report;
    }

    private List<TenantRow> tenants(Predicate<TenantId> wanted) {
        return parts.tenants().all().stream().filter(row -> wanted.test(row.id())).toList();
    }

    /** They may have been finished after the backup: then they are files, and must not become such again. */
    private void dropUploads(TenantRow tenant) {
        UploadBook book = new UploadBook(parts.gate(), parts.directories(), parts.now());
        int dropped = parts.tenants().store(tenant.id()).write(Owners.of(tenant.id()), tx -> {
            List<UploadId> open = tx.query("SELECT id FROM upload WHERE tenant = ? AND state = 0",
                    row -> new UploadId(row.getString(1)), tenant.number());
            open.forEach(id -> book.remove(tx, tenant, id, "upload.dropped", false, _ -> Optional.empty()));
            return open.size();
        });
        if (dropped > 0) {
            log.unknown(dropped + " uploads of tenant " + tenant.id()
                    + " were not finished when the backup was made: they were dropped, and have to be begun anew");
        }
    }
}

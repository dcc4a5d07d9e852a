package io.entrepot.pool.internal;

import io.entrepot.pool.DirectoryUsage;
import io.entrepot.pool.LogicalDirectory;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recount;
import io.entrepot.pool.TenantId;
import java.util.List;
import java.util.Optional;

/** Rules for directories, and what is counted by them. Safe for use by many threads. */
public final class QuotaAdmin {
    private final Parts parts;

    public QuotaAdmin(Parts parts) {
        this.parts = parts;
    }

    public void set(QuotaRule rule) {
        parts.quotas().set(rule);
    }

    public boolean remove(String pattern) {
        return parts.quotas().remove(pattern);
    }

    public List<QuotaRule> rules() {
        return parts.quotas().all();
    }

    public Optional<QuotaRule> ruleFor(TenantId tenant, LogicalDirectory directory) {
        return parts.quotas().ruleFor(tenant, directory);
    }

    public long fileCount(TenantId id, LogicalDirectory directory) {
        TenantRow tenant = parts.tenants().require(id);
        return parts.tenants().store(id).read(snapshot -> parts.directories().find(snapshot, tenant, directory)
                .map(number -> snapshot.count(Directories.files(number))).orElse(0L));
    }

    public boolean canAddFile(TenantId id, LogicalDirectory directory) {
        TenantRow tenant = parts.tenants().require(id).requireEnabled();
        return parts.tenants().store(id).read(snapshot -> parts.gate().refusal(snapshot, tenant, directory, 0))
                .isEmpty();
    }

    public List<DirectoryUsage> usage(TenantId id) {
        TenantRow tenant = parts.tenants().require(id);
        record Row(long number, LogicalDirectory path) {}
        return parts.tenants().store(id).read(snapshot -> snapshot.query(
                "SELECT id, path FROM directory WHERE tenant = ? ORDER BY path",
                row -> new Row(row.getLong(1), new LogicalDirectory(row.getString(2))), tenant.number()).stream()
                .map(row -> new DirectoryUsage(row.path, snapshot.count(Directories.files(row.number)),
                        parts.quotas().ruleFor(snapshot, id, row.path)))
                .filter(usage -> usage.files() > 0).toList());
    }

    /** In one transaction, so that nothing comes or goes meanwhile: other work waits while the files are counted. */
    public Recount recount(TenantId id) {
        return parts.tenants().store(id).write(Owners.of(id), tx -> {
            TrueCounts.Found found = new TrueCounts(parts.directories()).of(tx, parts.tenants().require(tx, id));
            found.wrong().forEach(wrong -> tx.add(wrong.counter(), wrong.real() - wrong.counted()));
            List<String> corrections = found.wrong().stream().map(TrueCounts.Wrong::toString).toList();
            if (!corrections.isEmpty()) {
                tx.publish(Owners.of(id), "quota.recounted", id.name(), new Body().with("corrections",
                        String.join("; ", corrections)).toString());
            }
            return new Recount(id, found.files(), found.bytes(), corrections);
        });
    }
}

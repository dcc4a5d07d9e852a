package io.entrepot.cli.access;

import io.entrepot.pool.DirectoryUsage;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Quotas;
import io.entrepot.pool.Recount;
import io.entrepot.pool.TenantId;
import java.util.List;

/** Quotas of a pool in this process. */
record EmbeddedQuotas(Quotas quotas) implements QuotaAccess {

    @Override
    public List<QuotaRule> rules() {
        return quotas.rules();
    }

    @Override
    public void set(QuotaRule rule) {
        quotas.set(rule);
    }

    @Override
    public boolean remove(String pattern) {
        return quotas.remove(pattern);
    }

    @Override
    public List<DirectoryUsage> usage(TenantId tenant) {
        return quotas.usage(tenant);
    }

    @Override
    public Recount recount(TenantId tenant) {
        return quotas.recount(tenant);
    }
}

package io.entrepot.cli.access;

import io.entrepot.pool.DirectoryUsage;
import io.entrepot.pool.QuotaRule;
import io.entrepot.pool.Recount;
import io.entrepot.pool.TenantId;
import java.util.List;

/** Quotas of logical directories, as commands use them. */
public interface QuotaAccess {

    List<QuotaRule> rules();

    void set(QuotaRule rule);

    /** Says whether there was one. */
    boolean remove(String pattern);

    List<DirectoryUsage> usage(TenantId tenant);

    Recount recount(TenantId tenant);
}

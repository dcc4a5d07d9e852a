package io.entrepot.pool.internal;

import io.entrepot.pool.FileLease;
import io.entrepot.pool.TenantId;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.store.Owner;

/** What tenants and leases on their files are to the store and the queues, which know neither. */
public final class Owners {

    private Owners() {}

    public static Owner of(TenantId tenant) {
        return new Owner(tenant.name());
    }

    /** The queue knows files by number. */
    public static ItemLease lease(FileLease lease) {
        return new ItemLease(new ItemId(of(lease.tenant()), lease.key().number()), lease.fence());
    }
}

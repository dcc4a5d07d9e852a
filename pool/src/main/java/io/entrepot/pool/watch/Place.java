package io.entrepot.pool.watch;

import io.entrepot.pool.Tenant;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantStatus;
import io.entrepot.pool.internal.TenantBook;
import io.entrepot.pool.internal.TenantRow;
import io.entrepot.posix.BytePath;
import io.entrepot.posix.Name;
import io.entrepot.store.StoreException;
import java.util.List;
import java.util.Optional;

/** Whose the files of a directory are. */
sealed interface Place {

    /**
     * A tenant's.
     *
     * @param row    none if the tenant is created by its first file
     * @param inside where the directory is below the tenant's
     */
    record Of(TenantId tenant, Optional<TenantRow> row, BytePath inside) implements Place {

        /** The tenant's own directory, of one that lies in it. */
        BytePath top(BytePath directory) {
            BytePath at = directory;
            for (int i = inside.names().size(); i > 0; i--) {
                at = at.parent().orElse(BytePath.CURRENT);
            }
            return at;
        }
    }

    /** Nobody's, or not now. */
    record Nowhere(SkipReason why, BytePath directory) implements Place {}

    /** @param directory below the watched one */
    static Place of(WatchMode mode, BytePath directory, TenantBook tenants, boolean autoCreate) {
        return switch (mode) {
            case WatchMode.OneTenant(TenantId tenant) -> of(tenant, directory, directory, tenants, autoCreate);
            case WatchMode.ManyTenants _ -> {
                List<Name> names = directory.names();
                if (names.isEmpty()) {
                    yield new Nowhere(SkipReason.NO_TENANT, directory);
                }
                BytePath top = BytePath.CURRENT.resolve(names.getFirst());
                String name = top.toString();
                yield TenantId.isValid(name)
                        ? of(new TenantId(name), top, top.relativize(directory), tenants, autoCreate)
                        : new Nowhere(SkipReason.UNKNOWN_TENANT, top);
            }
        };
    }

    private static Place of(TenantId tenant, BytePath top, BytePath inside, TenantBook tenants, boolean autoCreate) {
        Optional<TenantRow> row;
        try {
            row = tenants.find(tenant);
        } catch (StoreException e) {
            return new Nowhere(SkipReason.TENANT_UNREADABLE, top);
        }
        if (row.isEmpty() && !autoCreate) {
            return new Nowhere(SkipReason.UNKNOWN_TENANT, top);
        }
        boolean waits = row.map(TenantRow::tenant).map(Tenant::status).filter(status -> status != TenantStatus.ENABLED)
                .isPresent();
        return waits ? new Nowhere(SkipReason.TENANT_WAITS, top) : new Of(tenant, row, inside);
    }
}

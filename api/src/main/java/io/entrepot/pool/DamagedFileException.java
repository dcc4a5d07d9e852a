package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/** The bytes of a file are gone, or not those that were written. */
public final class DamagedFileException extends PoolException {

    public DamagedFileException(TenantId tenant, FileKey key, String why) {
        this(tenant, key, why, null);
    }

    public DamagedFileException(TenantId tenant, FileKey key, String why, @Nullable Throwable cause) {
        super("pool.damaged-file", Advice.GIVE_UP, "file " + key + " of tenant " + tenant + " is damaged: " + why,
                cause);
    }

    DamagedFileException(Told told) {
        super(told);
    }
}

package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The idempotency key was used for another file. */
public final class IdempotencyConflictException extends PoolException {

    public IdempotencyConflictException(TenantId tenant, String key) {
        super("pool.idempotency-conflict", Advice.GIVE_UP, "the idempotency key \"" + key + "\" of tenant " + tenant
                + " was used for a file with other content or another name", null);
    }

    IdempotencyConflictException(Told told) {
        super(told);
    }
}

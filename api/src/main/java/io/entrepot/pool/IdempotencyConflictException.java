package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The idempotency key was used for something else: another file, or another claim. */
public final class IdempotencyConflictException extends PoolException {
    public IdempotencyConflictException(TenantId tenant, String key) {
        super("pool.idempotency-conflict", Advice.GIVE_UP, "the idempotency key \"" + key + "\" of tenant " + tenant
                + " was used for a file with other content or another name", null);
    }

    /** Of a claim. */
    public IdempotencyConflictException(String message, Throwable cause) {
        super("pool.idempotency-conflict", Advice.GIVE_UP, message, cause);
    }

    IdempotencyConflictException(Told told) {
        super(told);
    }
}

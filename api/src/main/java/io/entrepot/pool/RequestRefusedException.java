package io.entrepot.pool;

import io.entrepot.store.Advice;

/**
 * A server does not take the request, or not now: no key or not one that may do it ({@code access.*}), or a matter of HTTP
 * ({@code http.*}). The code says which. Never thrown by a pool in this process.
 */
public final class RequestRefusedException extends PoolException {

    public RequestRefusedException(String code, Advice advice, String message) {
        super(code, advice, message, null);
    }

    RequestRefusedException(Told told) {
        super(told);
    }
}

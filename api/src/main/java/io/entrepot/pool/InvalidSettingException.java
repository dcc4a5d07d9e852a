package io.entrepot.pool;

import io.entrepot.store.Advice;
import org.jspecify.annotations.Nullable;

/** A setting that makes no sense, or that cannot be changed now. */
public final class InvalidSettingException extends PoolException {

    public InvalidSettingException(String message) {
        this(message, null);
    }

    public InvalidSettingException(String message, @Nullable Throwable cause) {
        super("pool.invalid-setting", Advice.GIVE_UP, message, cause);
    }

    InvalidSettingException(Told told) {
        super(told);
    }
}

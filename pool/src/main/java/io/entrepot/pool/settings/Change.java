package io.entrepot.pool.settings;

import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.PoolException;
import java.util.function.Supplier;

/** What a table of the file changes about a pool's configuration. */
@FunctionalInterface
interface Change {

    PoolConfig of(PoolConfig config);

    /** What a value refuses is a mistake in the file, and is told as one. */
    static <T> T checked(Supplier<T> making) {
        try {
            return making.get();
        } catch (PoolException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}

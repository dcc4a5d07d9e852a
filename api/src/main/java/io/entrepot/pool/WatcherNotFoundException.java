package io.entrepot.pool;

import io.entrepot.store.Advice;
import java.util.Collection;

/** The pool has no watcher of that name: it was never added, or was removed. */
public final class WatcherNotFoundException extends PoolException {

    public WatcherNotFoundException(String watcher, Collection<String> known) {
        super("pool.watcher-not-found", Advice.GIVE_UP, "there is no watcher " + watcher
                + (known.isEmpty() ? ", nor any other" : "; there are " + String.join(", ", known)), null);
    }

    WatcherNotFoundException(Told told) {
        super(told);
    }
}

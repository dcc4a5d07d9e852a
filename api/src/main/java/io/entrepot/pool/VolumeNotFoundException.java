package io.entrepot.pool;

import io.entrepot.store.Advice;
import java.util.Collection;

/** The pool has no volume of that name: it was never mounted, or was unmounted. */
public final class VolumeNotFoundException extends PoolException {

    public VolumeNotFoundException(String volume, Collection<String> known) {
        super("pool.volume-not-found", Advice.GIVE_UP, "there is no volume " + volume
                + (known.isEmpty() ? ", nor any other" : "; there are " + String.join(", ", known)), null);
    }

    VolumeNotFoundException(Told told) {
        super(told);
    }
}

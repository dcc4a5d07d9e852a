package io.entrepot.pool;

import io.entrepot.store.Advice;

/** A watched directory could not be looked at. What was imported until then stays imported. */
public final class ScanFailedException extends PoolException {

    public ScanFailedException(String watcher, String why) {
        super("pool.scan-failed", Advice.RETRY, "watcher " + watcher + " could not look at everything: " + why, null);
    }

    ScanFailedException(Told told) {
        super(told);
    }
}

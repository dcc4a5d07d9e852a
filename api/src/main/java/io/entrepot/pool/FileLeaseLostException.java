package io.entrepot.pool;

import io.entrepot.store.Advice;

/** The lease is not the current one: somebody else may have the file, and nothing was changed. */
public final class FileLeaseLostException extends PoolException {

    public FileLeaseLostException(FileLease lease) {
        super("pool.lease-lost", Advice.GIVE_UP,
                "the lease " + lease
                        + " is not, or no longer, the current one: nothing was changed. Stop working on the file",
                null);
    }

    FileLeaseLostException(Told told) {
        super(told);
    }
}

package io.entrepot.store;

/** The data was written by a newer version of the software, or is not ours. */
public final class IncompatibleDataException extends StoreException {

    public IncompatibleDataException(String message) {
        super("store.incompatible", Advice.GIVE_UP, message, null);
    }
}

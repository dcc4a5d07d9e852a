package io.entrepot.store;

/** Another process, or another part of this one, owns the data directory. */
public final class DirectoryInUseException extends StoreException {

    public DirectoryInUseException(String message) {
        super("store.in-use", Advice.GIVE_UP, message, null);
    }
}

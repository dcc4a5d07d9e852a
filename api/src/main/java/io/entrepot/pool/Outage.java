package io.entrepot.pool;

/** An exception that may say: the storage was away, which is no fault of the file's. */
public interface Outage {

    boolean isOutage();
}

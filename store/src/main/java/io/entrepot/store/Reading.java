package io.entrepot.store;

/** Reads that see one consistent state. */
@FunctionalInterface
public interface Reading<R> {

    R run(Snapshot snapshot);
}

package io.entrepot.store;

/**
 * A short, repeatable unit of work: all of it or nothing. If it throws, nothing of it remains and the caller gets the
 * exception.
 */
@FunctionalInterface
public interface Work<R> {

    R run(Transaction tx);
}

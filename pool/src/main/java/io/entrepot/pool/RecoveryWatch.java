package io.entrepot.pool;

/**
 * Is told how far a recovery is, often for every file, by the thread that does it: so it must be quick. By throwing it ends the
 * recovery in order: the pool is closed, what was done stays, and the next opening goes on with it, whether or not it is told to
 * recover. It looks through the volumes again, and finds in the books what it has rebuilt before.
 */
@FunctionalInterface
public interface RecoveryWatch {
    RecoveryWatch NONE = _ -> {};

    void at(RecoveryProgress progress) throws InterruptedException;
}

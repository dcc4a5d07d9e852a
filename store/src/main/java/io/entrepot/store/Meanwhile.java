package io.entrepot.store;

/**
 * Something outside of the store that is under way beside a unit of work and belongs to it: nobody is to see what the unit has done
 * before this has ended. So the time of the commit can be used for it.
 */
public interface Meanwhile {

    /**
     * Waits for the end, but for a moment only, since everybody waits: whether it has ended well. Asked once, on the thread that commits, when
     * the unit is durable, or right before.
     */
    boolean hasEnded();

    /**
     * It has not: takes back what the unit has done, which may be durable by now, in a transaction of its own or the same. Others in
     * the same commit may have built upon it.
     */
    void undo(Transaction tx);
}

package io.entrepot.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a unit of work writes through. All of it becomes durable together, or none of it. A unit may be run more than
 * once before it commits (the group it was in may have to be repeated), so outside of the transaction it must change
 * nothing; {@link #afterCommit} is the place for that.
 */
public interface Transaction extends Snapshot {

    /** Returns the number of rows changed. */
    int update(String sql, @Nullable Object... args);

    /** One statement for many rows of arguments, as {@link #queryEach}. Returns the number of rows changed. */
    int updateEach(String sql, List<@Nullable Object[]> rows, @Nullable Object... args);

    /**
     * Says that this unit adds something, which is refused while room on the disk is short ({@link Room}): the unit throws. Whatever does
     * not say so frees or finishes something, or is little, and goes on.
     */
    void requireRoom();

    void add(Counter counter, long delta);

    /** Takes the next {@code n} numbers of a sequence and returns the first; the sequence starts at 1. */
    default long next(Counter sequence, int n) {
        long first = count(sequence) + 1;
        add(sequence, n);
        return first;
    }

    /** Puts an event into the outbox: it is there if and only if this unit commits. */
    void publish(Owner owner, String type, String subject, String body);

    /**
     * Tells the other processes that have this store open, once this unit is durable; one message of many equal ones is
     * enough. On the way it may get lost: whoever needs to know looks by itself now and then.
     *
     * @param message at most {@value #LONGEST_MESSAGE} characters of ASCII
     */
    void tell(String message);

    int LONGEST_MESSAGE = 4000;

    /**
     * Runs once this unit is durable, before its caller gets the answer; never if the unit fails. Effects run one at a
     * time in commit order on the thread that commits (those of {@linkplain Operation#concurrent concurrent} operations beside
     * others of that kind), so they must be short and must not call the store. An effect that
     * throws is logged: the unit is committed all the same.
     */
    void afterCommit(Runnable effect);

    /**
     * Nobody sees this unit, and its caller has no answer, before that has ended. If it does not end well, the unit is undone, and then
     * its caller is answered all the same: whoever handed it over finds out. If the undoing fails, the outcome is unknown and the store
     * ends. Not awaited if the unit fails. What was awaited and was not undone when the process died stays, as everything that was committed.
     */
    void meanwhile(Meanwhile other);
}

package io.entrepot.queue.model;

import io.entrepot.queue.ItemState;
import java.util.List;
import java.util.Set;

/** Something that is done to the queues. Numbers that choose among what is there are taken modulo how much there is. */
sealed interface Step {

    /**
     * {@code key} is none if negative; {@code delay} is in milliseconds from now, none if negative; {@code number} chooses
     * among those that were reserved, none if negative.
     */
    record Put(int queue, int payload, int priority, int delay, int key, int number) implements Step {}

    record Reserve(int n) implements Step {}

    record Claim(List<Integer> queues, int max, int term) implements Step {}

    /** Of a certain item. */
    record ClaimOne(int item, int term) implements Step {}

    record Renew(int lease) implements Step {}

    /** How a lease is ended. */
    enum How {
        FINISH, KEEP, FAIL, FAIL_NOW, KILL, RELEASE, PUT_OFF
    }

    record End(int lease, How how) implements Step {}

    record EndAll(List<Integer> leases, How how) implements Step {}

    /** What is wrong with a lease. */
    enum Wrong {
        NONCE, EPOCH, ITEM, OWNER
    }

    /** Somebody tries to renew and end a lease that is wrong in some way, one that is current if there is any. */
    record Forge(int lease, Wrong wrong, How how) implements Step {}

    record Reset(int item) implements Step {}

    record RetryNow(int item) implements Step {}

    record Remove(int item, Set<ItemState> from) implements Step {}

    record RetryDead(int queue) implements Step {}

    record Purge(int queue, ItemState state, int millisAgo) implements Step {}

    record Pause(int queue, boolean paused) implements Step {}

    /** Time passes, and what is due is done if {@code tick}. */
    record Pass(long millis, boolean tick) implements Step {}

    record SetWall(int minutes) implements Step {}

    record Reopen() implements Step {}
}

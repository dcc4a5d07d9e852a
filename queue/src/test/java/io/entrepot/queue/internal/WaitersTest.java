package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.QueueName;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private static final Lane A = new Lane(1, QueueName.of("acme", "a"));
    private static final Lane B = new Lane(2, QueueName.of("acme", "b"));

    private final Waiters waiters = new Waiters();

    private Waiters.Waiter at(Lane... lanes) {
        Waiters.Waiter waiter = new Waiters.Waiter();
        waiters.register(waiter, List.of(lanes));
        return waiter;
    }

    @Test
    void arrived_whenSeveralWait_wakesTheFirstOnesOnly() {
        Waiters.Waiter first = at(A);
        Waiters.Waiter second = at(A);
        Waiters.Waiter third = at(A);
        waiters.arrived(A.id(), 2);
        assertThat(List.of(first.isWoken(), second.isWoken(), third.isWoken())).containsExactly(true, true, false);
    }

    @Test
    void arrived_whenTheFirstOneWasWokenElsewhere_wakesTheNext() {
        Waiters.Waiter both = at(A, B);
        Waiters.Waiter onlyB = at(B);
        waiters.arrived(A.id(), 1);
        waiters.arrived(B.id(), 1);
        assertThat(both.isWoken()).isTrue();
        assertThat(onlyB.isWoken()).isTrue();
    }

    @Test
    void arrived_whenTheFirstOneHasLeft_wakesTheNext() {
        Waiters.Waiter left = at(A);
        Waiters.Waiter stays = at(A);
        waiters.leave(left, List.of(A));
        waiters.arrived(A.id(), 1);
        assertThat(left.isWoken()).isFalse();
        assertThat(stays.isWoken()).isTrue();
    }

    @Test
    void arrived_whenNobodyWaitsThere_doesNothing() {
        Waiters.Waiter waiter = at(A);
        waiters.arrived(B.id(), Long.MAX_VALUE);
        waiters.arrived(77, 1);
        assertThat(waiter.isWoken()).isFalse();
    }

    @Test
    void wakeAll_whenSeveralWait_wakesThemAll() {
        List<Waiters.Waiter> all = List.of(at(A), at(B), at(A, B));
        waiters.wakeAll();
        assertThat(all).allSatisfy(waiter -> assertThat(waiter.isWoken()).isTrue());
    }

    @Test
    void leave_whenAllHaveLeft_nothingIsKept() {
        Waiters.Waiter one = at(A, B);
        Waiters.Waiter other = at(B);
        waiters.arrived(B.id(), 5);
        waiters.leave(one, List.of(A, B));
        waiters.leave(other, List.of(B));
        waiters.leave(other, List.of(B));
        assertThat(waiters.size()).isZero();
    }
}

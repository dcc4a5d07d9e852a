package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.queue.QueueName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitersTest {
    private static final Lane A = new Lane(1, QueueName.of("acme", "a"));
    private static final Lane B = new Lane(2, QueueName.of("acme", "b"));

    private final Waiters waiters = new Waiters();

    private Waiters.Waiter at(Lane... lanes) {
        Waiters.Waiter waiter = new Waiters.Waiter();
        waiters.register(waiter, List.of(lanes), Optional.empty());
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
        waiters.leave(left, List.of(A), Optional.empty());
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
        waiters.leave(one, List.of(A, B), Optional.empty());
        waiters.leave(other, List.of(B), Optional.empty());
        waiters.leave(other, List.of(B), Optional.empty());
        assertThat(waiters.size()).isZero();
    }

    @Test
    void claimed_whenSeveralWaitWithTheKey_wakesThemAndNoOthers() {
        Waiters.Waiter first = new Waiters.Waiter();
        Waiters.Waiter second = new Waiters.Waiter();
        Waiters.Waiter other = new Waiters.Waiter();
        waiters.register(first, List.of(A), Optional.of("key"));
        waiters.register(second, List.of(B), Optional.of("key"));
        waiters.register(other, List.of(A), Optional.of("another"));
        waiters.claimed("key");
        waiters.claimed("none");
        assertThat(List.of(first.isWoken(), second.isWoken(), other.isWoken())).containsExactly(true, true, false);
        assertThat(waiters.keys()).containsExactlyInAnyOrder("key", "another");
        waiters.leave(first, List.of(A), Optional.of("key"));
        waiters.leave(second, List.of(B), Optional.of("key"));
        waiters.leave(other, List.of(A), Optional.of("another"));
        assertThat(waiters.size()).isZero();
    }
}

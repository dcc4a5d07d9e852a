package io.entrepot.store.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.entrepot.lab.Crowd;
import io.entrepot.store.Cost;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FairInboxTest {
    private static final Owner BUSY = new Owner("busy");
    private static final Owner OTHER = new Owner("other");
    private static final long NEVER = Duration.ofDays(1).toNanos();

    /** Its requests are their own costs. */
    private static final Operation<Cost, Integer> COSTLY = new Operation<>() {
        @Override
        public List<Integer> run(Transaction tx, List<Cost> requests) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Cost cost(Cost request) {
            return request;
        }
    };

    private static FairInbox inbox(int operations, long bytes) {
        return new FairInbox(new GroupLimits(operations, bytes, Duration.ofMillis(20), Duration.ZERO));
    }

    /** Waits so long for company. */
    private static FairInbox sociable(Duration company) {
        return new FairInbox(new GroupLimits(100, 100, Duration.ofMillis(20), company));
    }

    private final FairInbox inbox = inbox(1024, 8 << 20);

    private static Call<?> call(Owner owner) {
        return new Call.Single<>(owner, _ -> 0);
    }

    private static Call<?> call(Owner owner, int operations, long bytes) {
        return new Call.Combined<>(owner, COSTLY, new Cost(operations, bytes));
    }

    private static List<Call<?>> add(FairInbox to, Owner owner, int n) {
        List<Call<?>> calls = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            calls.add(call(owner));
            to.add(calls.getLast());
        }
        return calls;
    }

    private static List<Call<?>> all(FairInbox from) {
        List<Call<?>> all = new ArrayList<>();
        for (List<Call<?>> group = from.take(0, false); !group.isEmpty(); group = from.take(0, false)) {
            all.addAll(group);
        }
        return all;
    }

    @Test
    void take_whenOneOwnerHasAHundredThousandWaiting_delaysAnotherByOneTurn() {
        add(inbox, BUSY, 100_000);
        for (int i = 0; i < 5; i++) {
            inbox.take(0, false);
        }
        Call<?> late = call(OTHER);
        inbox.add(late);
        assertThat(inbox.take(0, false).indexOf(late)).isBetween(0, 2 * (int) FairInbox.QUANTUM);
    }

    @Test
    void take_whenAnotherOwnerHasSeveral_alternatesBetweenThem() {
        add(inbox, BUSY, 100_000);
        List<Call<?>> few = add(inbox, OTHER, 100);
        List<Call<?>> group = inbox.take(0, false);
        assertThat(group.indexOf(few.get(99))).isBetween(100, 100 + 8 * (int) FairInbox.QUANTUM);
    }

    @Test
    void take_whenThereAreManyOwners_givesEachItsTurn() {
        add(inbox, BUSY, 100_000);
        List<Call<?>> firsts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            firsts.add(add(inbox, new Owner("o" + i), 1000).getFirst());
        }
        assertThat(inbox.take(0, false)).containsAll(firsts);
    }

    @Test
    void take_untilEmpty_givesEachCallOnceAndKeepsTheOrderOfEachOwner() {
        Map<Owner, List<Call<?>>> added = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            Owner owner = new Owner("o" + i);
            added.put(owner, add(inbox, owner, 100 * i + 1));
        }
        List<Call<?>> taken = all(inbox);
        assertThat(taken).doesNotHaveDuplicates();
        added.forEach((owner, calls) -> assertThat(taken).filteredOn(call -> call.owner.equals(owner))
                .containsExactlyElementsOf(calls));
    }

    @Test
    void take_whenCallsCostDifferently_givesOwnersTheSameShareOfOperations() {
        for (int i = 0; i < 1000; i++) {
            inbox.add(call(BUSY, 100, 0));
        }
        add(inbox, OTHER, 20_000);
        Map<Owner, Integer> operations = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            inbox.take(0, false).forEach(call -> operations.merge(call.owner, call.cost.operations(), Integer::sum));
        }
        assertThat(operations.get(BUSY)).isCloseTo(operations.get(OTHER), within(200));
    }

    @Test
    void take_whenManyWait_keepsToTheCaps() {
        FairInbox small = inbox(10, 1000);
        for (int i = 0; i < 50; i++) {
            small.add(call(BUSY, 3, 1));
            small.add(call(OTHER, 1, 400));
        }
        Set<Call<?>> taken = new HashSet<>();
        for (List<Call<?>> group = small.take(0, false); !group.isEmpty(); group = small.take(0, false)) {
            assertThat(group.stream().mapToInt(call -> call.cost.operations()).sum()).isLessThanOrEqualTo(10);
            assertThat(group.stream().mapToLong(call -> call.cost.bytes()).sum()).isLessThanOrEqualTo(1000);
            taken.addAll(group);
        }
        assertThat(taken).hasSize(100);
    }

    @Test
    void take_whenCallsCostMoreThanAWholeGroup_givesEachAloneAndOthersBetweenThem() {
        List<Call<?>> huge = List.of(call(BUSY, Integer.MAX_VALUE, 0), call(BUSY, 1, Long.MAX_VALUE),
                call(BUSY, Integer.MAX_VALUE, Long.MAX_VALUE), call(BUSY, 1025, 1));
        huge.forEach(inbox::add);
        List<Call<?>> small = add(inbox, OTHER, 10);
        List<List<Call<?>>> groups = new ArrayList<>();
        for (List<Call<?>> group = inbox.take(0, false); !group.isEmpty(); group = inbox.take(0, false)) {
            groups.add(group);
        }
        assertThat(groups.getFirst()).containsAll(small);
        assertThat(groups.stream().flatMap(List::stream).filter(huge::contains)).containsExactlyElementsOf(huge);
        assertThat(groups).filteredOn(group -> group.contains(huge.get(1)) || group.contains(huge.get(2)))
                .allSatisfy(group -> assertThat(group).hasSize(1));
    }

    @Test
    void take_whenAHeavyCallWaitsAmongManyBusyOwners_comesToIt() {
        for (int i = 0; i < 100; i++) {
            add(inbox, new Owner("o" + i), 10_000);
        }
        Call<?> heavy = call(OTHER, 1000, 0);
        inbox.add(heavy);
        int groups = 1;
        while (!inbox.take(0, false).contains(heavy)) {
            groups++;
        }
        // Its share is a hundredth of 1024 operations in each group.
        assertThat(groups).isLessThan(120);
    }

    @Test
    void giveBack_whenGroupsRunOutOfTime_losesNothingRunsNothingTwiceAndKeepsTheOrder() {
        List<Call<?>> added = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            added.addAll(add(inbox, new Owner("o" + i), 50));
        }
        List<Call<?>> ran = new ArrayList<>();
        for (List<Call<?>> group = inbox.take(0, false); !group.isEmpty(); group = inbox.take(0, false)) {
            int n = Math.min(group.size(), 1 + ran.size() % 5);
            ran.addAll(group.subList(0, n));
            inbox.giveBack(group.subList(n, group.size()), group.subList(0, n));
        }
        assertThat(ran).doesNotHaveDuplicates().hasSameSizeAs(added);
        for (int i = 0; i < 7; i++) {
            Owner owner = new Owner("o" + i);
            assertThat(ran).filteredOn(call -> call.owner.equals(owner))
                    .containsExactlyElementsOf(added.stream().filter(call -> call.owner.equals(owner)).toList());
        }
    }

    @Test
    void giveBack_whenEachGroupHasTimeForOneCall_everyOwnerHasItsTurnInEachRound() {
        add(inbox, BUSY, 10_000);
        for (int i = 0; i < 9; i++) {
            add(inbox, new Owner("o" + i), 100);
        }
        for (int round = 0; round < 20; round++) {
            Set<Owner> ran = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                List<Call<?>> group = inbox.take(0, false);
                ran.add(group.getFirst().owner);
                inbox.giveBack(group.subList(1, group.size()), group.subList(0, 1));
            }
            assertThat(ran).hasSize(10);
        }
    }

    @Test
    void giveBack_whenANewOwnerComes_itDoesNotWaitForAllThatWasGivenBack() {
        add(inbox, BUSY, 10_000);
        for (int i = 0; i < 3; i++) {
            List<Call<?>> group = inbox.take(0, false);
            inbox.giveBack(group.subList(1, group.size()), group.subList(0, 1));
        }
        Call<?> late = call(OTHER);
        inbox.add(late);
        for (int i = 0; i < 3; i++) {
            List<Call<?>> group = inbox.take(0, false);
            if (group.getFirst() == late) {
                return;
            }
            inbox.giveBack(group.subList(1, group.size()), group.subList(0, 1));
        }
        throw new AssertionError("the new owner did not get its turn");
    }

    @Test
    void drain_whenCallsAreEverywhere_givesThemAll() {
        List<Call<?>> calls = add(inbox, BUSY, 2000);
        List<Call<?>> group = inbox.take(0, false);
        inbox.giveBack(group.subList(10, group.size()), group.subList(0, 10));
        calls.removeAll(group.subList(0, 10));
        calls.addAll(add(inbox, OTHER, 5));
        assertThat(inbox.drain()).containsExactlyInAnyOrderElementsOf(calls);
        assertThat(inbox.take(0, false)).isEmpty();
    }

    @Test
    void take_whenNothingWaits_isWokenByTheFirstCall() {
        Crowd<List<Call<?>>> taker = taker(inbox);
        Call<?> call = call(BUSY);
        inbox.add(call);
        assertThat(taker.results().getFirst()).containsExactly(call);
    }

    private static Crowd<List<Call<?>>> taker(FairInbox from) {
        Crowd<List<Call<?>>> taker = new Crowd<>();
        taker.start(() -> {
            from.takenBy(Thread.currentThread());
            return from.take(NEVER, false);
        });
        return taker.awaitWaiting();
    }

    @Test
    void take_whenNudged_returnsEvenIfThatWasBefore() {
        inbox.nudge();
        assertThat(inbox.take(NEVER, false)).isEmpty();
        Crowd<List<Call<?>>> taker = taker(inbox);
        inbox.nudge();
        assertThat(taker.results().getFirst()).isEmpty();
    }

    @Test
    void take_whenTheLastGroupWasLarger_waitsForAsManyAgain() {
        FairInbox sociable = sociable(Duration.ofDays(1));
        add(sociable, BUSY, 3);
        assertThat(sociable.take(0, false)).hasSize(3);
        add(sociable, BUSY, 1);
        Crowd<List<Call<?>>> taker = taker(sociable);
        add(sociable, OTHER, 1);
        taker.awaitWaiting();
        add(sociable, BUSY, 1);
        assertThat(taker.results().getFirst()).hasSize(3);
    }

    @Test
    void take_whenCompanyDoesNotCome_goesWithoutIt() {
        FairInbox sociable = sociable(Duration.ofNanos(1000));
        add(sociable, BUSY, 3);
        assertThat(sociable.take(0, false)).hasSize(3);
        add(sociable, BUSY, 1);
        assertThat(sociable.take(0, false)).hasSize(1);
    }

    @Test
    void take_whenMoreCanBeTakenLater_beginsWithHalfOfTheCompany() {
        FairInbox sociable = sociable(Duration.ofDays(1));
        add(sociable, BUSY, 5);
        assertThat(sociable.take(0, true)).hasSize(5);
        List<Call<?>> first = add(sociable, BUSY, 3);
        assertThat(sociable.take(0, true)).isEqualTo(first);
        List<Call<?>> second = add(sociable, OTHER, 2);
        assertThat(sociable.more()).isEqualTo(second);
        add(sociable, BUSY, 3);
        assertThat(sociable.take(0, true)).as("of a company of 5 again").hasSize(3);
    }

    @Test
    void more_whenManyHaveCome_keepsToTheCapsOfTheGroup() {
        FairInbox small = inbox(10, 1000);
        add(small, BUSY, 4);
        assertThat(small.take(0, true)).hasSize(4);
        add(small, OTHER, 20);
        assertThat(small.more()).hasSize(6);
        assertThat(small.more()).isEmpty();
        assertThat(small.take(0, true)).hasSize(10);
    }

    @Test
    void more_whenNobodyElseIsExpected_doesNotWait() {
        FairInbox sociable = sociable(Duration.ofDays(1));
        add(sociable, BUSY, 1);
        assertThat(sociable.take(0, true)).hasSize(1);
        assertThat(sociable.more()).isEmpty();
    }
}

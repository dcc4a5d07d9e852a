package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.entrepot.lab.Crowd;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemState;
import io.entrepot.queue.NumberNotReservedException;
import io.entrepot.queue.NumberTakenException;
import io.entrepot.queue.Placed;
import io.entrepot.queue.QueueCounts;
import io.entrepot.queue.Queues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Numbers that are taken before there is an item. */
abstract class NumberContract extends QueueContract {

    NumberContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    private static ItemId id(long number) {
        return new ItemId(Q.owner(), number);
    }

    private void assertTaken(long number) {
        QueueCounts before = counts(Q);
        assertThatExceptionOfType(NumberTakenException.class)
                .isThrownBy(() -> queues.put(item(Q, "again").withNumber(number)))
                .withMessageContaining("number " + number + " ")
                .satisfies(e -> assertThat(e.code()).isEqualTo("queue.number-taken"));
        assertThat(counts(Q)).isEqualTo(before);
        assertSound();
    }

    @Test
    void reserve_whenOthersPutAndReserve_isNobodyElses() {
        long before = put(Q, "x").number();
        long first = queues.reserve(Q.owner(), 10);
        assertThat(first).isEqualTo(before + 1);
        assertThat(queues.reserve(OTHER.owner(), 1)).isEqualTo(first + 10);
        assertThat(put(OTHER, "y").number()).isEqualTo(first + 11);
        assertThat(put(item(Q, "z").withNumber(first + 9))).isEqualTo(id(first + 9));
    }

    @Test
    void reserve_whenRestarted_isStillReserved() {
        long first = queues.reserve(Q.owner(), 1000);
        open();
        assertThat(put(Q, "x").number()).isEqualTo(first + 1000);
        assertThat(put(item(Q, "y").withNumber(first))).isEqualTo(id(first));
    }

    @Test
    void reserve_whenManyDoItAtOnce_nobodyGetsTheSame() {
        List<Long> firsts = Crowd.run(32, caller -> caller % 4 == 0
                ? put(Q, "x").number() - 4
                : queues.reserve(caller % 2 == 0 ? Q.owner() : OTHER.owner(), 5));
        Set<Long> all = new HashSet<>();
        for (int caller = 0; caller < 32; caller++) {
            for (long n = caller % 4 == 0 ? 4 : 0; n < 5; n++) {
                assertThat(all.add(firsts.get(caller) + n)).isTrue();
            }
        }
    }

    @Test
    void reserve_whenNoneOrTooMany_isRefused() {
        for (int n : List.of(0, -1, Queues.MOST_RESERVED + 1)) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues.reserve(Q.owner(), n))
                    .withMessageContaining("not " + n);
        }
        for (long number : List.of(0L, -1L, Queues.HIGHEST_RESERVED + 1)) {
            assertThatIllegalArgumentException().isThrownBy(() -> queues.reserveUpTo(Q.owner(), number))
                    .withMessageContaining("not " + number);
        }
    }

    @Test
    void reserveUpTo_whenHigherThanWhatWas_laterNumbersAreGreater() {
        long used = put(Q, "x").number();
        queues.reserveUpTo(Q.owner(), 5000);
        assertThat(put(Q, "y").number()).isEqualTo(5001);
        queues.reserveUpTo(Q.owner(), 5001);
        queues.reserveUpTo(Q.owner(), 17);
        assertThat(queues.reserve(Q.owner(), 1)).isEqualTo(5002);
        open();
        assertThat(put(Q, "z").number()).isEqualTo(5003);
        // What was lost is put again, but not over what is there.
        assertThat(put(item(Q, "lost").withNumber(4000))).isEqualTo(id(4000));
        assertTaken(used);
    }

    @Test
    void reserveUpTo_whenToTheHighest_itemsLiveAndGoAsEver() {
        queues.reserveUpTo(Q.owner(), Queues.HIGHEST_RESERVED);
        ItemId item = put(Q, "x");
        assertThat(item.number()).isEqualTo(Queues.HIGHEST_RESERVED + 1);
        queues.finish(claim(Q).lease());
        assertThat(queues.history(item)).hasSize(3);
    }

    @Test
    void put_whenUnderAReservedNumber_isAnItemLikeAnyOther() {
        long first = queues.reserve(Q.owner(), 3);
        put(item(Q, "later").withNumber(first + 2).withAvailableAt(now().plusSeconds(5)));
        put(Q, "first");
        put(item(Q, "second").withNumber(first + 1).withPriority(0));
        assertThat(state(id(first + 2))).isEqualTo(ItemState.DELAYED);
        clocks.pass(Duration.ofSeconds(5));
        queues.tick();
        // Put at the same time, they go by their numbers.
        assertThat(order(Q)).containsExactly("second", "first", "later");
        queues.endAll(claim(Q, 3).stream().map(claimed -> claimed.lease()).toList(), EndContract.FINISH);
        assertThat(queues.history(id(first + 1))).isNotEmpty();
    }

    @Test
    void put_whenTheNumberIsOfAnItem_isRefusedAndChangesNothing() {
        ItemId item = put(Q, "x");
        assertTaken(item.number());
        assertTaken(put(OTHER, "y").number());
        queues.keep(claim(Q).lease());
        assertTaken(item.number());
    }

    @Test
    void put_whenTheNumberIsOfAnItemThatIsGone_isRefusedAsLongAsItIsRemembered() {
        ItemId item = put(Q, "x");
        queues.finish(claim(Q).lease());
        assertTaken(item.number());
        passAndTick(config.memory());
        assertTaken(item.number());
        passAndTick(Duration.ofDays(1));
        assertThat(queues.history(item)).isEmpty();
        assertThat(put(item(Q, "anew").withNumber(item.number()))).isEqualTo(item);
        queues.finish(claim(Q).lease());
    }

    @Test
    void put_whenTheNumberIsGivenTwiceInOneTransaction_isRefused() {
        long number = queues.reserve(Q.owner(), 1);
        assertThatExceptionOfType(NumberTakenException.class).isThrownBy(() -> store().write(Q.owner(),
                tx -> queues.put(tx, List.of(item(Q, "x").withNumber(number), item(Q, "y").withNumber(number)))));
        assertThatExceptionOfType(NumberTakenException.class).isThrownBy(() -> store().write(Q.owner(), tx -> {
            queues.put(tx, item(Q, "x").withNumber(number));
            return queues.put(tx, item(Q, "y").withNumber(number));
        }));
        assertThat(queues.status(Q)).isEmpty();
        assertThat(put(item(Q, "z").withNumber(number)).number()).isEqualTo(number);
    }

    @Test
    void put_whenManyUseOneNumber_oneOfThemHasIt() {
        long number = queues.reserve(Q.owner(), 1);
        Crowd<Placed> crowd = Crowd.start(16, caller -> queues.put(item(Q, "by " + caller).withNumber(number)));
        assertThat(crowd.failures().stream().filter(Optional::isEmpty)).hasSize(1);
        assertThat(crowd.failures().stream().flatMap(Optional::stream))
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(NumberTakenException.class));
        assertThat(counts(Q).total()).isOne();
    }

    @Test
    void put_whenNobodyReservedTheNumber_isRefused() {
        long last = put(Q, "x").number();
        assertThatExceptionOfType(NumberNotReservedException.class)
                .isThrownBy(() -> queues.put(item(Q, "y").withNumber(last + 1)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("queue.number-not-reserved"));
        assertThat(put(Q, "z").number()).isEqualTo(last + 1);
    }

    @Test
    void put_whenTheKeyNamesAnEarlierItem_theNumberStaysUnused() {
        long number = queues.reserve(Q.owner(), 1);
        ItemId item = put(item(Q, "x").withKey("k"));
        assertThat(queues.put(item(Q, "x").withKey("k").withNumber(number))).isEqualTo(new Placed(item, false));
        // Not even looked at, so that a repeated call may name the number that it had.
        assertThat(queues.put(item(Q, "x").withKey("k").withNumber(item.number()))).isEqualTo(new Placed(item, false));
        assertThat(queues.find(id(number))).isEmpty();
        assertThat(put(item(Q, "y").withKey("l").withNumber(number)).number()).isEqualTo(number);
        assertThat(queues.put(item(Q, "y").withKey("l"))).isEqualTo(new Placed(id(number), false));
    }
}

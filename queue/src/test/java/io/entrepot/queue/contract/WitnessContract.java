package io.entrepot.queue.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.ItemState;
import io.entrepot.store.Event;
import io.entrepot.store.Faults;
import io.entrepot.store.NotDoneException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases that run out are told of in the same commit. */
abstract class WitnessContract extends QueueContract {
    /** Longer than it takes until what failed is tried again. */
    private static final Duration A_WHILE = Duration.ofSeconds(1);

    private final Set<ItemId> refused = ConcurrentHashMap.newKeySet();

    WitnessContract(Function<Path, QueuesFixture> kind) {
        super(kind);
    }

    @BeforeEach
    void openWithWitness() {
        witness = (tx, item, kind, to, note) -> {
            if (refused.contains(item)) {
                throw new ArithmeticException("the witness' own");
            }
            tx.publish(item.owner(), kind.name(), item.toString(), to + ": " + note);
        };
        open();
    }

    private List<String> told() {
        return store().events().after(0, 1000).stream().map(WitnessContract::text).toList();
    }

    private static String text(Event event) {
        return event.type() + " " + event.subject() + " " + event.body();
    }

    private static String expired(ItemLease lease) {
        return "EXPIRED " + lease.item() + " READY: the lease ran out";
    }

    @Test
    void witness_whenALeaseRunsOut_isToldWithIt() {
        ItemLease lease = putAndClaim(Q);
        passAndTick(TERM.minusMillis(1));
        assertThat(told()).isEmpty();
        passAndTick(Duration.ofMillis(1));
        assertThat(told()).containsExactly(expired(lease));
        assertThat(store().events().after(0, 1).getFirst().owner()).isEqualTo(Q.owner());
        passAndTick(TERM);
        assertThat(told()).hasSize(1);
    }

    @Test
    void witness_whenAnItemIsDeadOfIt_isToldThat() {
        config = config.withMaxDeliveries(2);
        open();
        ItemLease lease = putAndClaim(Q);
        expireAll();
        claim(Q);
        expireAll();
        assertThat(state(lease.item())).isEqualTo(ItemState.DEAD);
        assertThat(told()).hasSize(2).last().asString().startsWith(
                "EXPIRED " + lease.item() + " DEAD: its lease ran out 2 times");
    }

    @Test
    void witness_whenTheLeaseIsFromBeforeARestart_isToldAsWell() {
        ItemLease lease = putAndClaim(Q);
        open();
        expireAll();
        assertThat(told()).containsExactly(expired(lease));
    }

    @Test
    void witness_whenSomebodyEndsTheLease_isNotTold() {
        for (var ending : List.of(EndContract.FINISH, EndContract.RELEASE, EndContract.KILL)) {
            put(Q, "x");
            queues.end(claim(Q).lease(), ending);
        }
        queues.fail(claim(Q).lease(), "e");
        queues.reset(putAndClaim(R).item());
        ItemId removed = claim(R).item();
        store().write(R.owner(), tx -> queues.remove(tx, removed, EnumSet.allOf(ItemState.class), ""));
        passAndTick(TERM);
        queues.retryDead(Q);
        queues.purge(Q, ItemState.DEAD, now());
        assertThat(told()).isEmpty();
    }

    @Test
    void witness_whenManyRunOutAtOnce_isToldOfEach() {
        putMany(Q, 700);
        List<String> expected = claim(Q, 700).stream().map(claimed -> expired(claimed.lease())).toList();
        expireAll();
        assertThat(told()).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** The item keeps its holder until the witness can be told; others are not kept waiting. */
    @Test
    void witness_whenItThrows_theLeaseEndsLaterAndTheOthersNow() {
        ItemLease one = putAndClaim(Q);
        ItemLease other = putAndClaim(R);
        refused.add(one.item());
        clocks.pass(TERM);
        assertThatExceptionOfType(ArithmeticException.class).isThrownBy(queues::tick);
        assertThat(state(one.item())).isEqualTo(ItemState.HELD);
        assertThat(state(other.item())).isEqualTo(ItemState.READY);
        assertThat(told()).containsExactly(expired(other));
        refused.clear();
        passAndTick(A_WHILE);
        assertThat(view(one.item()).deliveries()).isOne();
        assertThat(told()).containsExactly(expired(other), expired(one));
    }

    @Test
    void witness_whenTheCommitFails_hasToldNothing() {
        ItemLease lease = putAndClaim(Q);
        clocks.pass(TERM);
        faults = point -> {
            if (point == Faults.Point.BEGUN) {
                throw NotDoneException.diskFull("the disk is full", null);
            }
        };
        assertThatExceptionOfType(NotDoneException.class).isThrownBy(queues::tick);
        faults = Faults.NONE;
        assertThat(told()).isEmpty();
        passAndTick(A_WHILE);
        assertThat(told()).containsExactly(expired(lease));
    }

    /** The queue's part is written when the witness is told, so it may look at the item, and go on with it. */
    @Test
    void witness_whenItUsesTheTransactionForTheQueue_bothAreDone() {
        ItemLease lease = putAndClaim(Q);
        witness = (tx, item, _, to, _) -> {
            assertThat(queues.find(tx, List.of(item)).get(item).state()).isEqualTo(to);
            queues.remove(tx, item, Set.of(to), "nobody seems to want it");
            queues.put(tx, item(R, "look at " + item));
        };
        open();
        expireAll();
        assertThat(queues.find(lease.item())).isEmpty();
        assertThat(order(R)).containsExactly("look at " + lease.item());
    }

    @Test
    void witness_whenThereAreShortAndLongTerms_isToldInTheirTime() {
        put(Q, "x");
        put(Q, "y");
        ItemLease longer = claim(ClaimRequest.of(Q, "w", TERM.multipliedBy(2))).getFirst().lease();
        ItemLease shorter = claim(Q).lease();
        expireAll();
        assertThat(told()).containsExactly(expired(shorter));
        expireAll();
        assertThat(told()).containsExactly(expired(shorter), expired(longer));
    }
}

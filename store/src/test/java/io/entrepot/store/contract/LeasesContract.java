package io.entrepot.store.contract;

import static io.entrepot.lease.Protection.FENCED;
import static io.entrepot.lease.Protection.UNFENCED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.Lease;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.lease.Protection;
import io.entrepot.lease.Renewal;
import io.entrepot.lease.Renewal.Lost;
import io.entrepot.lease.Renewal.Reason;
import io.entrepot.lease.Renewal.Renewed;
import io.entrepot.lease.Verdict;
import io.entrepot.lease.Verdict.Granted;
import io.entrepot.lease.Verdict.Refused;
import io.entrepot.store.Faults.Point;
import io.entrepot.store.Owner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases whose epochs are durable and whose terms are not. */
abstract class LeasesContract extends StoreContract {
    private static final String NAME = "view/port";
    private static final Duration TERM = Duration.ofSeconds(6);

    LeasesContract(Function<Path, StoreFixture> implementation) {
        super(implementation);
    }

    @BeforeEach
    void manualClocks() {
        reopen(clocks.in(config()));
    }

    private Verdict request(String holder, Protection protection) {
        return store.leases().request(NAME, holder, TERM, protection);
    }

    Lease grant(String holder, Protection protection) {
        return ((Granted) request(holder, protection)).lease();
    }

    Renewal renew(Lease lease) {
        return store.leases().renew(NAME, lease.fence());
    }

    @ParameterizedTest
    @EnumSource
    void request_whenHeld_isRefusedUntilTheTermIsOver(Protection protection) {
        Lease a = grant("a", protection);
        assertThat(store.leases().current(NAME)).contains(a);
        clocks.pass(Duration.ofSeconds(2));
        assertThat(request("b", protection)).isEqualTo(new Refused(a, Duration.ofSeconds(4)));
        assertThat(renew(a)).isEqualTo(new Renewed(a));
        assertThat(request("b", protection)).isEqualTo(new Refused(a, TERM));
        clocks.pass(TERM);
        Lease b = grant("b", protection);
        assertThat(b.fence().epoch()).isEqualTo(a.fence().epoch().next());
        assertThat(renew(a)).isEqualTo(new Lost(Reason.TAKEN));
        assertThat(store.leases().release(NAME, a.fence())).isFalse();
        assertThat(store.leases().current(NAME)).contains(b);
    }

    @Test
    void release_whenHeld_frees() {
        Lease a = grant("a", UNFENCED);
        assertThat(store.leases().release(NAME, a.fence())).isTrue();
        assertThat(store.leases().release(NAME, a.fence())).isFalse();
        assertThat(store.leases().current(NAME)).isEmpty();
        assertThat(renew(a)).isEqualTo(new Lost(Reason.ENDED));
        assertThat(grant("b", UNFENCED).fence().epoch()).isEqualTo(new Epoch(2));
    }

    @Test
    void gone_whenFenced_allowsTheNextGrantAtOnce() {
        Lease a = grant("a", FENCED);
        assertThat(store.leases().gone(NAME, a.fence())).isTrue();
        Lease b = grant("b", FENCED);
        assertThat(store.leases().gone(NAME, a.fence())).isFalse();
        assertThat(renew(a)).isEqualTo(new Lost(Reason.TAKEN));
        assertThat(renew(b)).isEqualTo(new Renewed(b));
    }

    @Test
    void gone_whenUnfencedOrUnknownOrRenewedSince_changesNothing() {
        Lease a = grant("a", UNFENCED);
        assertThat(store.leases().gone(NAME, a.fence())).isTrue();
        assertThat(request("b", UNFENCED)).isInstanceOf(Refused.class);
        assertThat(store.leases().gone("never heard of", a.fence())).isFalse();
        assertThat(store.leases().current("never heard of")).isEmpty();
        store.leases().release(NAME, a.fence());
        Lease c = grant("c", FENCED);
        store.leases().gone(NAME, c.fence());
        assertThat(renew(c)).isEqualTo(new Renewed(c));
        assertThat(request("b", FENCED)).isInstanceOf(Refused.class);
    }

    @Test
    void renew_whenNameIsUnknown_isLost() {
        assertThat(store.leases().renew("never heard of", new Fence(new Epoch(3), 3)))
                .isEqualTo(new Lost(Reason.UNKNOWN));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lease_whenTheStoreRestarts_isHeldForAFreshFullTermAndItsEpochGoesOn(boolean inGoodOrder) {
        Lease a = grant("a", UNFENCED);
        clocks.pass(Duration.ofSeconds(5));
        restart(inGoodOrder);
        assertThat(store.leases().current(NAME)).contains(a);
        clocks.pass(Duration.ofSeconds(5));
        assertThat(request("b", UNFENCED)).isEqualTo(new Refused(a, Duration.ofSeconds(1)));
        assertThat(renew(a)).isEqualTo(new Renewed(a));
        clocks.pass(TERM);
        Lease b = grant("b", UNFENCED);
        assertThat(b.fence().epoch()).isEqualTo(new Epoch(2));
        store.leases().release(NAME, b.fence());
        restart(inGoodOrder);
        assertThat(store.leases().current(NAME)).isEmpty();
        assertThat(grant("c", UNFENCED).fence().epoch()).isEqualTo(new Epoch(3));
    }

    private void restart(boolean inGoodOrder) {
        if (inGoodOrder) {
            reopen(clocks.in(config()));
        } else {
            crash(clocks.in(config()));
        }
    }

    /** Both are decided before either is committed: the lease is one party's or the other's, not both parties'. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void renewAndRequest_whenInOneGroupAndTheLeaseIsOver_onlyTheFirstSucceeds(boolean renewFirst) {
        Lease a = grant("a", UNFENCED);
        clocks.pass(TERM);
        Crowd<Object> crowd = new Crowd<>();
        try (Gate gate = Gate.shut(store)) {
            for (boolean renewing : new boolean[]{renewFirst, !renewFirst}) {
                crowd.start(() -> renewing ? renew(a) : request("b", UNFENCED));
                crowd.awaitWaiting();
            }
            gate.open();
        }
        List<Object> answers = crowd.results();
        if (renewFirst) {
            assertThat(answers.get(0)).isEqualTo(new Renewed(a));
            assertThat(answers.get(1)).isEqualTo(new Refused(a, TERM));
        } else {
            assertThat(answers.get(0)).isInstanceOf(Granted.class);
            assertThat(answers.get(1)).isEqualTo(new Lost(Reason.TAKEN));
        }
    }

    @Test
    void request_whenSeveralInOneGroup_isGrantedToTheFirst() {
        Crowd<Verdict> crowd;
        try (Gate gate = Gate.shut(store)) {
            crowd = Crowd.start(10, caller -> request("holder-" + caller, UNFENCED));
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.results()).filteredOn(Granted.class::isInstance).hasSize(1);
    }

    /** From when the holder knows of its lease to when it stops, as it counts itself: from when it last sent a renewal. */
    private record Term(long epoch, long from, long until) {}

    /**
     * Holders renew, get late, let go and ask again, while time goes on and commits take theirs. By each holder's own
     * count no two of them ever act at the same time.
     */
    @Test
    void unfencedLease_whenManyAskRenewAndRelease_hasOneHolderAtATime() {
        ConcurrentLinkedQueue<Term> terms = new ConcurrentLinkedQueue<>();
        AtomicBoolean done = new AtomicBoolean();
        Crowd<Integer> time = Crowd.start(1, _ -> {
            while (!done.get()) {
                clocks.pass(Duration.ofMillis(100));
                LockSupport.parkNanos(1000);
            }
            return 0;
        });
        Crowd<Integer> holders = Crowd.start(12, caller -> {
            for (int i = 0; i < 60 || terms.size() < 40; i++) {
                actAs("holder-" + caller, (caller + i) % 5, terms);
            }
            return 0;
        });
        holders.outcomes();
        done.set(true);
        time.results();
        holders.results();
        List<Term> ordered = new ArrayList<>(terms);
        ordered.sort(Comparator.comparingLong(Term::epoch));
        assertThat(ordered).extracting(Term::epoch).doesNotHaveDuplicates();
        for (int i = 1; i < ordered.size(); i++) {
            assertThat(ordered.get(i).from).describedAs("%s", ordered.subList(i - 1, i + 1))
                    .isGreaterThanOrEqualTo(ordered.get(i - 1).until);
        }
    }

    private void actAs(String holder, int renewals, ConcurrentLinkedQueue<Term> terms) {
        long sent = clocks.ticker.nanos();
        if (!(request(holder, UNFENCED) instanceof Granted granted)) {
            return;
        }
        Lease lease = granted.lease();
        long from = clocks.ticker.nanos();
        long until = sent + TERM.toNanos();
        for (int i = 0; i < renewals; i++) {
            sent = clocks.ticker.nanos();
            if (!(renew(lease) instanceof Renewed)) {
                break;
            }
            until = sent + TERM.toNanos();
        }
        if (renewals == 3) {
            until = Math.min(until, clocks.ticker.nanos()); // it has stopped before it lets go
            store.leases().release(NAME, lease.fence());
        }
        terms.add(new Term(lease.fence().epoch().value(), from, until));
    }

    @Test
    void require_whenFenceIsOld_refusesTheStepItIsIn() {
        Lease a = grant("a", FENCED);
        store.leases().gone(NAME, a.fence());
        Lease b = grant("b", FENCED);
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> step(a.fence(), 1));
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> step(new Fence(b.fence().epoch(), b.fence().nonce() + 1), 2));
        step(b.fence(), 3);
        store.leases().release(NAME, b.fence());
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> step(b.fence(), 4));
        assertThat(ids()).containsExactly(3L);
    }

    private int step(Fence fence, long id) {
        return store.write(ACME, tx -> {
            insert(tx, id);
            store.leases().require(tx, NAME, fence);
            return 0;
        });
    }

    @Test
    void require_whenLeaseIsTakenInTheSameGroup_refusesWhatComesAfter() {
        Lease a = grant("a", FENCED);
        store.leases().gone(NAME, a.fence());
        Crowd<Object> crowd = new Crowd<>();
        try (Gate gate = Gate.shut(store)) {
            crowd.start(() -> request("b", FENCED));
            crowd.awaitWaiting();
            crowd.start(() -> store.write(Owner.SYSTEM, tx -> {
                store.leases().require(tx, NAME, a.fence());
                return insert(tx, 1);
            }));
            crowd.awaitWaiting();
            gate.open();
        }
        assertThat(crowd.outcomes().get(0).value()).isInstanceOf(Granted.class);
        assertThat(crowd.outcomes().get(1).failure()).isInstanceOf(LeaseLostException.class);
        assertThat(ids()).isEmpty();
    }

    @Test
    void request_whenItsGroupIsGivenUp_leavesTheLeaseAsItWas() {
        Lease a = grant("a", UNFENCED);
        clocks.pass(TERM);
        faults = point -> {
            if (point == Point.BEGUN) {
                throw new IllegalStateException("no");
            }
        };
        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> request("b", UNFENCED));
        faults = _ -> {};
        assertThat(store.leases().current(NAME)).contains(a);
        assertThat(renew(a)).isEqualTo(new Renewed(a));
        step(a.fence(), 1);
    }
}

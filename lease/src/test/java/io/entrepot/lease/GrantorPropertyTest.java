package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Verdict.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Arbitrary callers, with any fence that was ever granted, on a grantor that is restarted now and then. */
class GrantorPropertyTest {
    private static final List<String> NAMES = List.of("x", "y");

    enum Kind {
        REQUEST, RENEW, RELEASE, GONE, EXPIRE, PASS, RESTART
    }

    /** {@code pick} chooses one of the fences granted so far, counted from the newest. */
    record Op(Kind kind, String name, Protection protection, int millis, int pick) {}

    @Provide
    Arbitrary<List<Op>> ops() {
        return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.of(NAMES), Arbitraries.of(Protection.class),
                Arbitraries.integers().between(1, 50), Arbitraries.integers().between(0, 3)).as(Op::new).list()
                .ofMaxSize(60);
    }

    @Property
    void epochsOnlyGrow_whateverHappens(@ForAll("ops") List<Op> ops) {
        Books books = new Books();
        for (Op op : ops) {
            books.apply(op);
            for (List<Lease> granted : books.granted.values()) {
                assertThat(granted).extracting(lease -> lease.fence().epoch().value())
                        .isSorted().doesNotHaveDuplicates();
            }
        }
    }

    @Property
    void oldFenceIsNeverAccepted_afterANewGrant(@ForAll("ops") List<Op> ops) {
        Books books = new Books();
        for (Op op : ops) {
            books.apply(op);
            books.granted.forEach((name, granted) -> {
                for (Lease old : granted.subList(0, granted.size() - 1)) {
                    assertThat(books.grantor.holds(name, old.fence())).isFalse();
                    assertThat(books.grantor.renew(name, old.fence())).isInstanceOf(Renewal.Lost.class);
                    assertThat(books.grantor.release(name, old.fence())).isFalse();
                    assertThat(books.grantor.gone(name, old.fence())).isFalse();
                    assertThat(books.grantor.expire(name, old.fence())).isFalse();
                }
                boolean current = books.held.containsKey(name);
                assertThat(books.grantor.holds(name, granted.getLast().fence())).isEqualTo(current);
            });
        }
    }

    /** A grantor, what a durable store would know of its leases, and all it ever granted. */
    private static final class Books {
        final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1_000_000_000);
        final Nonces nonces = Nonces.seeded(1);
        final Map<String, List<Lease>> granted = new HashMap<>();
        final Map<String, Lease> held = new HashMap<>();
        final Map<String, Epoch> free = new HashMap<>();
        Grantor grantor = new Grantor(ticker, nonces);

        void apply(Op op) {
            switch (op.kind()) {
                case REQUEST -> request(op);
                case PASS -> ticker.advance(Duration.ofMillis(op.millis()));
                case RESTART -> restart();
                case RENEW, RELEASE, GONE, EXPIRE -> {
                    List<Lease> past = granted.getOrDefault(op.name(), List.of());
                    if (op.pick() < past.size()) {
                        step(op, past.get(past.size() - 1 - op.pick()).fence());
                    }
                }
            }
        }

        private void request(Op op) {
            Verdict verdict = grantor.request(op.name(), "somebody", Duration.ofMillis(op.millis()), op.protection());
            if (verdict instanceof Granted(Lease lease)) {
                granted.computeIfAbsent(op.name(), _ -> new ArrayList<>()).add(lease);
                held.put(op.name(), lease);
                free.remove(op.name());
            }
        }

        private void step(Op op, Fence fence) {
            switch (op.kind()) {
                case RENEW -> grantor.renew(op.name(), fence);
                case GONE -> grantor.gone(op.name(), fence);
                case RELEASE -> ended(op.name(), fence, grantor.release(op.name(), fence));
                default -> ended(op.name(), fence, grantor.expire(op.name(), fence));
            }
        }

        private void ended(String name, Fence fence, boolean wasCurrent) {
            if (wasCurrent) {
                held.remove(name);
                free.put(name, fence.epoch());
            }
        }

        private void restart() {
            grantor = new Grantor(ticker, nonces);
            held.values().forEach(grantor::adopt);
            free.forEach(grantor::remember);
        }
    }
}

package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Renewal.Renewed;
import io.entrepot.lease.Verdict.Granted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/**
 * Holders and a grantor with clocks of different speeds, on a network that delays and loses. Every clock runs within 6 % of
 * real time, so that any two differ by less than the margin of 1/8.
 */
class TenurePropertyTest {
    private static final String NAME = "skill/print";
    private static final Duration TERM = Duration.ofSeconds(1);

    enum Kind {
        ASK, RENEW, RELEASE, GONE, RESTART
    }

    /** After a pause a holder does something; the message there and the one back take their time or get lost. */
    record Move(Kind kind, int holder, int pause, int there, int back, boolean lost) {}

    @Provide
    Arbitrary<List<Move>> moves() {
        Arbitrary<Integer> millis = Arbitraries.frequencyOf(Tuple.of(1, Arbitraries.just(0)),
                Tuple.of(3, Arbitraries.integers().between(0, 1500)));
        Arbitrary<Kind> kinds = Arbitraries.frequency(Tuple.of(6, Kind.ASK),
                Tuple.of(6, Kind.RENEW), Tuple.of(1, Kind.RELEASE),
                Tuple.of(1, Kind.GONE), Tuple.of(1, Kind.RESTART));
        return Combinators.combine(kinds, Arbitraries.integers().between(0, 2), millis, millis, millis,
                Arbitraries.of(false, false, false, true)).as(Move::new).list().ofMaxSize(60);
    }

    @Property
    void atMostOneHolderMayAct_whenUnfenced(@ForAll("moves") List<Move> moves,
            @ForAll @Size(4) List<@IntRange(min = 940, max = 1060) Integer> speeds) {
        new Play(speeds).run(moves);
    }

    @Test
    void mayAct_whenClocksDifferByLessThanTheMargin_endsBeforeTheGrantorCouldGrantAnew() {
        assertThat(mayActWhenOver(876, 1000)).isFalse();
        assertThat(mayActWhenOver(1000, 1142)).isFalse();
    }

    @Test
    void mayAct_whenClocksDifferByMoreThanTheMargin_lastsTooLong() {
        assertThat(mayActWhenOver(874, 1000)).isTrue();
    }

    private static boolean mayActWhenOver(int holderSpeed, int grantorSpeed) {
        World world = new World(() -> {});
        Ticker ticker = world.ticker(holderSpeed, 0);
        Grantor grantor = new Grantor(world.ticker(grantorSpeed, 0), Nonces.seeded(1));
        Lease lease = ((Granted) grantor.request(NAME, "a", TERM, Protection.UNFENCED)).lease();
        Tenure tenure = new Tenure(lease, ticker, ticker.nanos());
        world.run(World.real(TERM, grantorSpeed));
        assertThat(grantor.expired()).containsExactly(lease);
        return tenure.mayAct();
    }

    /** One run. A restart of the grantor loses nothing but the ends, as with a durable store. */
    private static final class Play {
        private final World world = new World(this::check);
        private final List<Ticker> tickers = new ArrayList<>();
        private final List<Tenure> tenures = new ArrayList<>();
        private final List<Integer> owners = new ArrayList<>();
        private final int grantorSpeed;
        private final Nonces nonces = Nonces.seeded(1);
        private Grantor grantor;
        private Epoch last = Epoch.NONE;

        Play(List<Integer> speeds) {
            for (int i = 0; i < 3; i++) {
                tickers.add(world.ticker(speeds.get(i), Long.MAX_VALUE - i * 7_000_000_000L));
            }
            this.grantorSpeed = speeds.get(3);
            this.grantor = new Grantor(world.ticker(grantorSpeed, -5), nonces);
        }

        void run(List<Move> moves) {
            Duration at = Duration.ZERO;
            for (Move move : moves) {
                at = at.plusMillis(move.pause());
                world.after(at, () -> begin(move));
            }
            world.run(at.plusSeconds(10));
        }

        private void begin(Move move) {
            long sentAt = tickers.get(move.holder()).nanos();
            switch (move.kind()) {
                case ASK -> there(move, () -> {
                    if (grantor.request(NAME, "h" + move.holder(), TERM,
                            Protection.UNFENCED) instanceof Granted(Lease lease)) {
                        last = lease.fence().epoch();
                        watchEnd();
                        back(move, () -> take(move.holder(), lease, sentAt));
                    }
                });
                case RENEW -> newest(move.holder(), tenure -> there(move, () -> {
                    if (grantor.renew(NAME, tenure.lease().fence()) instanceof Renewed(Lease lease)) {
                        watchEnd();
                        back(move, () -> tenure.renewed(lease, sentAt));
                    }
                }));
                case RELEASE -> newest(move.holder(), tenure -> {
                    tenure.stop();
                    there(move, () -> grantor.release(NAME, tenure.lease().fence()));
                });
                case GONE -> grantor.current(NAME).ifPresent(lease -> grantor.gone(NAME, lease.fence()));
                case RESTART -> restart();
            }
        }

        private void take(int holder, Lease lease, long sentAt) {
            tenures.add(new Tenure(lease, tickers.get(holder), sentAt));
            owners.add(holder);
        }

        private void newest(int holder, Consumer<Tenure> what) {
            int last = owners.lastIndexOf(holder);
            if (last >= 0) {
                what.accept(tenures.get(last));
            }
        }

        private void there(Move move, Runnable what) {
            if (!move.lost() || move.there() % 2 == 0) {
                world.after(Duration.ofMillis(move.there()), what);
            }
        }

        private void back(Move move, Runnable what) {
            if (!move.lost()) {
                world.after(Duration.ofMillis(move.back()), what);
            }
        }

        /** Makes something happen, and so be checked, at the very moment the grantor's term ends. */
        private void watchEnd() {
            world.after(World.real(TERM, grantorSpeed), () -> {});
        }

        private void restart() {
            Grantor restarted = new Grantor(world.ticker(grantorSpeed, 3), nonces);
            grantor.current(NAME).ifPresentOrElse(restarted::adopt, () -> restarted.remember(NAME, last));
            grantor = restarted;
            watchEnd();
        }

        private void check() {
            List<Lease> acting = tenures.stream().filter(Tenure::mayAct).map(Tenure::lease).toList();
            assertThat(acting).hasSizeLessThanOrEqualTo(1);
            for (Lease lease : acting) {
                assertThat(grantor.current(NAME)).contains(lease);
                assertThat(grantor.expired()).isEmpty();
            }
        }
    }
}

package io.entrepot.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Renewal.Lost;
import io.entrepot.lease.Renewal.Renewed;
import io.entrepot.lease.Step.Ask;
import io.entrepot.lease.Step.Done;
import io.entrepot.lease.Step.Lead;
import io.entrepot.lease.Step.Release;
import io.entrepot.lease.Step.Renew;
import io.entrepot.lease.Step.StepDown;
import io.entrepot.lease.Step.Wait;
import io.entrepot.lease.Verdict.Granted;
import io.entrepot.lease.Verdict.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Three candidates and a grantor with clocks of different speeds, on a network that delays, loses and repeats messages;
 * after a time the network gets well, and then there must be one leader who stays.
 */
class LeadershipPropertyTest {
    private static final String NAME = "view/docs";
    private static final Duration TERM = Duration.ofSeconds(1);
    private static final Duration RETRY = Duration.ofMillis(80);

    @Property
    void atMostOneLeads_andOneDoesWhenTheNetworkIsWell(@ForAll long seed,
            @ForAll @Size(4) List<@IntRange(min = 940, max = 1060) Integer> speeds,
            @ForAll @IntRange(max = 60) int lossPercent, @ForAll @IntRange(min = 1, max = 1500) int slowestMillis) {
        Play play = new Play(new Random(seed), speeds);
        play.weather(lossPercent, slowestMillis);
        play.world.run(Duration.ofSeconds(20));

        play.weather(0, 20);
        play.world.run(Duration.ofSeconds(5));
        Optional<Lease> leader = play.grantor.current(NAME);
        assertThat(play.leaders()).isEqualTo(leader.stream().toList()).hasSize(1);

        play.world.run(Duration.ofSeconds(5));
        assertThat(play.grantor.current(NAME)).isEqualTo(leader);

        play.withdrawLeader();
        // Who asked just before is told no, waits up to twice RETRY by a slow clock, and asks anew: that and four messages take 250 ms.
        play.world.run(Duration.ofMillis(300));
        assertThat(play.leaders()).hasSize(1).isNotEqualTo(leader.stream().toList());
    }

    private static final class Play {
        final World world = new World(this::check);
        final Grantor grantor;
        private final List<Candidate> candidates = new ArrayList<>();
        private final Random random;
        private int lossPercent;
        private int slowestMillis = 1;

        Play(Random random, List<Integer> speeds) {
            this.random = random;
            this.grantor = new Grantor(world.ticker(speeds.get(3), -5), Nonces.seeded(random.nextLong()));
            for (int i = 0; i < 3; i++) {
                Candidate candidate = new Candidate("candidate-" + i, speeds.get(i));
                candidates.add(candidate);
                world.after(Duration.ZERO, candidate::drive);
            }
        }

        void weather(int loss, int slowest) {
            lossPercent = loss;
            slowestMillis = slowest;
        }

        List<Lease> leaders() {
            List<Lease> leaders = new ArrayList<>(1);
            for (Candidate candidate : candidates) {
                if (candidate.leadership.leads()) {
                    leaders.add(candidate.leading.orElseThrow());
                }
            }
            return leaders;
        }

        void withdrawLeader() {
            for (Candidate candidate : candidates) {
                if (candidate.leadership.leads()) {
                    candidate.leadership.withdraw();
                    candidate.drive();
                }
            }
        }

        private void check() {
            List<Lease> acting = leaders();
            assertThat(acting.size()).isLessThanOrEqualTo(1);
            for (Lease lease : acting) {
                assertThat(grantor.holds(NAME, lease.fence()) && grantor.expired().isEmpty()).isTrue();
            }
        }

        /** Delivers never, once or twice, each time after a delay. */
        private void send(Runnable message) {
            if (random.nextInt(100) < lossPercent) {
                return;
            }
            world.after(Duration.ofMillis(random.nextInt(slowestMillis)), message);
            if (random.nextInt(100) < lossPercent) {
                world.after(Duration.ofMillis(random.nextInt(slowestMillis * 2)), message);
            }
        }

        /** A driver as an agent has one: does what it is told, in order, and reports the answers. */
        private final class Candidate {
            final String name;
            final int speed;
            final Leadership leadership;
            Optional<Lease> leading = Optional.empty();
            long waits;

            Candidate(String name, int speed) {
                this.name = name;
                this.speed = speed;
                this.leadership = new Leadership(world.ticker(speed, Long.MAX_VALUE - 3_000_000_000L), RETRY, random);
            }

            void drive() {
                while (true) {
                    switch (leadership.next()) {
                        case Ask ask -> send(() -> answer(ask));
                        case Renew renew -> send(() -> answer(renew));
                        case Lead(Tenure tenure) -> {
                            assertThat(leading).isEmpty();
                            leading = Optional.of(tenure.lease());
                        }
                        case StepDown(Lease lease, _) -> {
                            assertThat(leading).contains(lease);
                            leading = Optional.empty();
                        }
                        case Release(Lease lease) -> send(() -> release(lease));
                        case Wait(Duration time) -> {
                            long wait = ++waits;
                            world.after(World.real(time, speed), () -> wake(wait));
                            return;
                        }
                        case Done() -> {
                            return;
                        }
                    }
                }
            }

            /** Goes on after a wait, unless an answer came before. */
            private void wake(long wait) {
                if (wait == waits) {
                    drive();
                }
            }

            private void answer(Ask ask) {
                switch (grantor.request(NAME, name, TERM, Protection.UNFENCED)) {
                    case Granted(Lease lease) -> reply(() -> leadership.granted(ask, lease));
                    case Refused(_, Duration retryAfter) -> reply(() -> leadership.refused(ask, retryAfter));
                }
            }

            private void answer(Renew renew) {
                switch (grantor.renew(NAME, renew.lease().fence())) {
                    case Renewed(Lease lease) -> reply(() -> leadership.renewed(renew, lease));
                    case Lost _ -> reply(() -> leadership.lost(renew.lease().fence()));
                }
            }

            private void release(Lease lease) {
                if (grantor.release(NAME, lease.fence())) {
                    for (Candidate other : candidates) {
                        other.reply(other.leadership::vacant);
                    }
                }
            }

            private void reply(Runnable report) {
                send(() -> {
                    report.run();
                    drive();
                });
            }
        }
    }
}

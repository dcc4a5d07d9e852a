package io.entrepot.queue.model;

import io.entrepot.queue.ItemState;
import io.entrepot.queue.contract.QueuesFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/**
 * Whatever is done in whatever order, with clocks that jump and restarts in between: the queues do what the model does.
 * For each kind of store there is a class that extends this one.
 */
abstract class ModelProperties {

    abstract QueuesFixture fixture(Path directory);

    @Property(tries = 50, edgeCases = EdgeCasesMode.NONE)
    void queues_whateverIsDone_areAsTheModelSays(@ForAll("steps") List<Step> steps) throws Exception {
        Path directory = Files.createTempDirectory("model");
        try (QueuesFixture fixture = fixture(directory)) {
            Run run = new Run(fixture);
            for (int i = 0; i < steps.size(); i++) {
                run.take(steps.get(i));
                if (i % 50 == 49 || steps.get(i) instanceof Step.Reopen) {
                    run.compareAll();
                } else if (i % 5 == 4) {
                    run.compareCounts();
                }
            }
            run.compareAll();
        } finally {
            delete(directory);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        return step().list().ofMinSize(1).ofMaxSize(250).withSizeDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<Integer> upTo(int most) {
        return Arbitraries.integers().between(0, most).withDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<Step> step() {
        Arbitrary<Integer> queue = Arbitraries.of(0, 0, 0, 0, 1, 2);
        // The number of a lease or item counts from the youngest.
        Arbitrary<Integer> one = Arbitraries.frequencyOf(Tuple.of(4, upTo(3)), Tuple.of(1, upTo(100)));
        Arbitrary<Step.How> how = Arbitraries.of(Step.How.class);
        Arbitrary<Integer> delay = Arbitraries.of(-1, -1, -1, -1, -1, 0, 1, 5_000, 100_000);
        Arbitrary<Integer> key = Arbitraries.of(-1, -1, -1, 0, 1);
        Arbitrary<Integer> number = Arbitraries.of(-1, -1, -1, 0, 0, 1, 2, 5);
        Arbitrary<Long> time = Arbitraries.of(0L, 1L, 999L, 1000L, 1000L, 5_000L, 30_000L, 30_000L, 100_000L,
                21 * 3_600_000L, 27 * 3_600_000L);
        return Arbitraries.frequencyOf(
                Tuple.of(12, Combinators.combine(queue, upTo(1), Arbitraries.integers().between(-2, 2), delay, key,
                        number).as(Step.Put::new)),
                Tuple.of(2, Arbitraries.of(1, 2, 3).map(Step.Reserve::new)),
                Tuple.of(4, Combinators.combine(one, Arbitraries.of(1000, 30_000)).as(Step.ClaimOne::new)),
                Tuple.of(12, Combinators.combine(queue.list().ofMinSize(1).ofMaxSize(3),
                        Arbitraries.of(1, 1, 2, 5), Arbitraries.of(1000, 30_000)).as(Step.Claim::new)),
                Tuple.of(3, one.map(Step.Renew::new)),
                Tuple.of(16, Combinators.combine(one, how).as(Step.End::new)),
                Tuple.of(2, Combinators.combine(one.list().ofMaxSize(4), how).as(Step.EndAll::new)),
                Tuple.of(4, Combinators.combine(one, Arbitraries.of(Step.Wrong.class), how).as(Step.Forge::new)),
                Tuple.of(3, one.map(Step.Reset::new)),
                Tuple.of(2, one.map(Step.RetryNow::new)),
                Tuple.of(2, Combinators.combine(one, Arbitraries.of(ItemState.class).set()).as(Step.Remove::new)),
                Tuple.of(1, queue.map(Step.RetryDead::new)),
                Tuple.of(2, Combinators.combine(queue, Arbitraries.of(ItemState.KEPT, ItemState.DEAD),
                        Arbitraries.of(0, 0, -1, 60_000)).as(Step.Purge::new)),
                Tuple.of(2, Combinators.combine(queue, Arbitraries.of(true, false, false)).as(Step.Pause::new)),
                Tuple.of(12, Combinators.combine(time, Arbitraries.of(true, true, false)).as(Step.Pass::new)),
                Tuple.of(1, Arbitraries.of(-600, -1, 1, 600).map(Step.SetWall::new)),
                Tuple.of(1, Arbitraries.just(new Step.Reopen())));
    }
}

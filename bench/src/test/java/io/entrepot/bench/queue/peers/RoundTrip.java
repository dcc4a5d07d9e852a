package io.entrepot.bench.queue.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.bench.queue.PairLoad;
import io.entrepot.bench.queue.PairQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What must be true of every peer whose workers claim for themselves. */
final class RoundTrip {

    private static final int WORKERS = 8;

    private RoundTrip() {}

    /** Writes down what passes through. */
    private record Watched(Line line, Queue<Long> claimed, Queue<Long> finished) implements PairQueue<Long> {

        @Override
        public List<Long> claim(int tenant, int count) throws Exception {
            List<Long> ids = line.claim(tenant, count);
            claimed.addAll(ids);
            return ids;
        }

        @Override
        public void finish(int tenant, List<Long> ids) throws Exception {
            line.finish(tenant, ids);
            finished.addAll(ids);
        }
    }

    /** From a full queue: every item is handed out once and finished, and then there are none. */
    static void empties(Line.Opening opening, int batch, int items) throws Exception {
        Queue<Long> claimed = new ConcurrentLinkedQueue<>();
        Queue<Long> finished = new ConcurrentLinkedQueue<>();
        List<Line> lines = new ArrayList<>();
        try {
            for (int worker = 0; worker < WORKERS; worker++) {
                lines.add(opening.open());
            }
            new PairLoad(WORKERS, 1, batch, items)
                    .run(lines.stream().map(line -> new Watched(line, claimed, finished)).toList());
            assertThat(claimed).hasSize(items).doesNotHaveDuplicates();
            assertThat(finished).containsExactlyInAnyOrderElementsOf(claimed);
            assertThat(lines.getFirst().claim(0, batch)).isEmpty();
        } finally {
            for (Line line : lines) {
                line.close();
            }
        }
    }
}

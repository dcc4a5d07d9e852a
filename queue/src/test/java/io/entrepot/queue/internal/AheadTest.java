package io.entrepot.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.ManualTicker;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemId;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** When the clockwork looks after what was claimed ahead: in time, and without being woken for each. */
class AheadTest {
    private static final QueueName Q = QueueName.of("acme", "files");
    private static final Duration TERM = Duration.ofMinutes(1);
    private static final Ahead.Wish WISH = new Ahead.Wish(1, "worker", TERM.toMillis());
    private static final Duration PATIENCE = Duration.ofNanos(Ahead.PATIENCE_NANOS);

    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger nudges = new AtomicInteger();
    private final Ahead ahead = new Ahead(ticker, false, nudges::incrementAndGet);

    private void offer(long item) {
        ItemLease lease = new ItemLease(new ItemId(Q.owner(), item), new Fence(new Epoch(1), item));
        Claimed claimed = new Claimed(lease, Q, new byte[0], 0, 0, 0, Instant.EPOCH, Optional.empty(), TERM, false);
        ahead.offer(List.of(new Ahead.Entry(WISH, claimed, item, ahead.now())), ahead.pauses());
    }

    private void offerAndTake(long item) {
        offer(item);
        assertThat(ahead.asked(WISH)).isPresent();
    }

    @Test
    void offer_whenTheClockworkSleepsLong_wakesItToLookInTime() {
        assertThat(ahead.nanosToNext()).isEmpty();
        offer(1);
        assertThat(nudges).hasValue(1);
        ticker.advance(PATIENCE.minusMillis(1));
        assertThat(ahead.nanosToNext()).hasValue(1_000_000);
        ticker.advance(Duration.ofMillis(1));
        assertThat(ahead.recallStale()).hasSize(1);
    }

    @Test
    void offer_asLongAsClaimsAreMadeAhead_doesNotWakeTheClockworkWhichLooksInTime() {
        assertThat(ahead.nanosToNext()).isEmpty();
        for (long item = 1; item <= 100; item += 2) {
            offerAndTake(item);
            offerAndTake(item + 1);
            assertThat(ahead.nanosToNext()).hasValue(PATIENCE.toNanos());
            ticker.advance(PATIENCE);
        }
        assertThat(nudges).hasValue(1);
    }

    @Test
    void clockwork_whenNoMoreClaimsAreMadeAhead_sleepsLongAgain() {
        offerAndTake(1);
        assertThat(ahead.nanosToNext()).hasValue(PATIENCE.toNanos());
        assertThat(ahead.nanosToNext()).isEmpty();
        offerAndTake(2);
        assertThat(nudges).hasValue(2);
    }
}

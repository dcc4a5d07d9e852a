package io.entrepot.chaos.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entrepot.chaos.ChaosRuns;
import io.entrepot.chaos.history.Answer;
import io.entrepot.chaos.history.Call;
import io.entrepot.chaos.history.Ending;
import io.entrepot.chaos.history.Grant;
import io.entrepot.chaos.history.History;
import io.entrepot.chaos.history.Recorder;
import io.entrepot.lab.LabDisk;
import io.entrepot.lease.Epoch;
import io.entrepot.lease.Fence;
import io.entrepot.lease.LeaseLostException;
import io.entrepot.queue.ClaimRequest;
import io.entrepot.queue.Claimed;
import io.entrepot.queue.ItemLease;
import io.entrepot.queue.NewItem;
import io.entrepot.queue.QueueConfig;
import io.entrepot.queue.Queues;
import io.entrepot.store.DataDirectory;
import io.entrepot.store.Owner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chaos is worth something only if it finds the bugs it is there for. Here they are, one at a time. That it finds nothing where nothing
 * is wrong is what {@code .ci/run} asks of {@code ./entrepot chaos queue --short}.
 */
class SeededBugsTest {
    private static final Duration LONG = Duration.ofHours(1);

    @TempDir
    Path directory;

    private final History history = new History();
    private final Recorder recorder = history.recorder("test");

    @Test
    void powerCuts_whenCommitsDoNotSync_areFoundOut() throws Exception {
        assumeTrue(LabDisk.obstacle().isEmpty(), () -> LabDisk.obstacle().orElse(""));
        Predicate<String> isIt = text -> text.contains("NOTHING_LOST");
        assertThat(ChaosRuns.search(isIt, 24, run -> new CrashRounds(run, false).run())).anyMatch(isIt);
    }

    @Test
    void finish_whenItIgnoresTheFence_isFoundOut() throws Exception {
        Path data = directory.resolve("data");
        try (DataDirectory open = DataDirectory.open(data, Site.CONFIG);
                Queues queues = Queues.open(open, Site.CONFIG, QueueConfig.DEFAULT)) {
            put(queues, "item");
            Claimed late = claim(queues, "late");
            queues.reset(late.item()); // takes it away from its holder, as a lease that runs out does
            claim(queues, "current");
            finishWithoutFence(open, queues, late);
        }
        assertThat(violations(data)).anyMatch(text -> text.contains("ONE_HOLDER"));
    }

    @Test
    void finish_whenItIsFenced_isNotAccused() throws Exception {
        Path data = directory.resolve("data");
        try (DataDirectory open = DataDirectory.open(data, Site.CONFIG);
                Queues queues = Queues.open(open, Site.CONFIG, QueueConfig.DEFAULT)) {
            put(queues, "item");
            Claimed late = claim(queues, "late");
            queues.reset(late.item());
            claim(queues, "current");
            long number = recorder.began("late", new Call.Step(Call.Step.Kind.FINISH, grant(late)));
            try {
                queues.finish(late.lease());
            } catch (LeaseLostException e) {
                recorder.ended(number, new Answer.Refused(e.code()));
            }
        }
        assertThat(violations(data)).isEmpty();
    }

    @Test
    void finishedItem_whenItComesBack_isFoundOut() throws Exception {
        Path data = directory.resolve("data");
        try (DataDirectory open = DataDirectory.open(data, Site.CONFIG);
                Queues queues = Queues.open(open, Site.CONFIG, QueueConfig.DEFAULT)) {
            put(queues, "item");
            Claimed claimed = claim(queues, "worker");
            finish(queues, claimed, claimed.lease());
            put(queues, "item", false); // as if the row had not been deleted; nobody was told of a put
        }
        assertThat(violations(data)).anyMatch(text -> text.contains("FINISHED_STAYS_FINISHED"));
    }

    /** The bug: whoever says that an item is done is believed, whatever lease is the current one. */
    private void finishWithoutFence(DataDirectory open, Queues queues, Claimed claimed) {
        Fence current = open.main().write(Owner.SYSTEM, tx -> tx.first("SELECT epoch, nonce FROM held WHERE id = ?",
                row -> new Fence(new Epoch(row.getLong(1)), row.getLong(2)), claimed.item().number()).orElseThrow());
        finish(queues, claimed, new ItemLease(claimed.item(), current));
    }

    private void finish(Queues queues, Claimed claimed, ItemLease lease) {
        long number = recorder.began("worker", new Call.Step(Call.Step.Kind.FINISH, grant(claimed)));
        recorder.ended(number, new Answer.Ended(Ending.valueOf(queues.finish(lease).kind().name()), false));
    }

    private void put(Queues queues, String item) {
        put(queues, item, true);
    }

    private void put(Queues queues, String item, boolean told) {
        NewItem wanted = NewItem.of(Site.LANES.getFirst(), item.getBytes(StandardCharsets.UTF_8));
        if (!told) {
            queues.put(wanted);
            return;
        }
        long number = recorder.began("worker", new Call.Put(item, Optional.empty()));
        recorder.ended(number, new Answer.Stored(queues.put(wanted).item().toString()));
    }

    private Claimed claim(Queues queues, String worker) throws InterruptedException {
        long number = recorder.began(worker, new Call.Claim());
        Claimed claimed = queues.claim(ClaimRequest.of(Site.LANES.getFirst(), worker, LONG)).getFirst();
        recorder.ended(number, new Answer.Granted(List.of(grant(claimed))));
        return claimed;
    }

    private static Grant grant(Claimed claimed) {
        return new Grant(new String(claimed.payload(), StandardCharsets.UTF_8), claimed.lease().fence().epoch().value(),
                Long.toHexString(claimed.lease().fence().nonce()));
    }

    private List<String> violations(Path data) throws Exception {
        return ChaosRuns.run(1, run -> new Site(data).inspect(history, run, "a seeded bug"));
    }
}

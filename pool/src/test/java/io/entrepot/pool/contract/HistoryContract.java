package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.NewFile;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What became of a file can be told, also when it is gone. */
abstract class HistoryContract extends PoolContract {

    HistoryContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void history_ofAWholeLife_tellsEachStepWithWhoAndWhy() throws Exception {
        FileKey key = write(ACME, NewFile.named("a.txt").from("a mail"), "content");
        clocks.pass(Duration.ofSeconds(1));
        ClaimedFile first = pool.work().claim(ACME, "worker-1").orElseThrow();
        clocks.pass(Duration.ofSeconds(1));
        pool.work().fail(first.lease(), "the printer is on fire");
        clocks.pass(Duration.ofMinutes(10));
        pool.tick();
        ClaimedFile second = pool.work().claim(ACME, "worker-2").orElseThrow();
        clocks.pass(Duration.ofSeconds(1));
        pool.work().complete(second.lease());

        FileHistory history = pool.history(ACME, key);

        assertThat(history.entries()).extracting(HistoryEntry::what).containsExactly("written", "claimed", "failed",
                "claimed", "completed");
        List<HistoryEntry> entries = history.entries();
        assertThat(entries.get(0).note()).contains("from a mail");
        assertThat(entries.get(0).at()).isEqualTo(history.created());
        assertThat(entries.get(1).worker()).contains("worker-1");
        assertThat(entries.get(2).note()).contains("the printer is on fire");
        assertThat(entries.get(3).worker()).contains("worker-2");
        assertThat(entries.get(3).epoch()).isGreaterThan(entries.get(1).epoch());
        assertThat(history.file()).isEmpty();
        assertThat(history.gone()).isPresent();
        assertThat(pool.explain(ACME, key).getFirst()).contains("\"a.txt\"", "acme", "7 bytes");
        assertThat(String.join("\n", pool.explain(ACME, key))).contains("it was written, from a mail.",
                "worker-1 claimed it", "worker-1 failed, to be tried again: the printer is on fire.",
                "worker-2 completed it.", "It is gone since ");
    }

    @Test
    void explain_whateverItsState_saysWhatIsNow() throws Exception {
        FileKey key = write(ACME, "content");
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits for a worker.").contains("volume main");
        ClaimedFile claimed = claim(ACME);
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now worker has it");
        pool.work().fail(claimed.lease(), "no");
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits until");
        pool.files().delete(ACME, key, "nobody wants it");
        assertThat(pool.explain(ACME, key).getLast()).contains("It is gone since", "nobody wants it");
    }

    @Test
    void history_ofAnotherTenantsFile_isNotFound() throws Exception {
        FileKey key = write(ACME, "content");

        assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.history(OTHER, key));
        assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.explain(OTHER, key));
    }
}

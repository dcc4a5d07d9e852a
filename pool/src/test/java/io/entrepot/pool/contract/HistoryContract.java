package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileHistory;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileNotFoundException;
import io.entrepot.pool.HistoryEntry;
import io.entrepot.pool.NewFile;
import io.entrepot.pool.TenantDisabledException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void explain_whenItsTenantMayNotHaveItHandedOut_saysWhoItWaitsFor() throws Exception {
        FileKey key = write(ACME, "content");
        pool.tenants().setPaused(ACME, true);
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits for its tenant.")
                .contains("Its tenant is paused: nothing of it is handed out until it is resumed.");
        pool.tenants().suspend(ACME);
        assertThat(pool.explain(ACME, key).getLast()).contains(
                "Its tenant is suspended: nothing of it is handed out until it is enabled.", "Its tenant is paused");
        pool.tenants().setPaused(ACME, false);
        assertThat(pool.explain(ACME, key).getLast()).contains("is suspended").doesNotContain("paused");
        pool.tenants().disable(ACME);
        assertRefused(TenantDisabledException.class, "pool.tenant-disabled", () -> pool.explain(ACME, key));
        pool.tenants().enable(ACME);
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits for a worker.");
        ClaimedFile claimed = claim(ACME);
        pool.tenants().setPaused(ACME, true);
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now worker has it").doesNotContain("paused");
        pool.work().fail(claimed.lease(), "no");
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits until").contains("is paused");
    }

    @Test
    void explain_whenItsVolumeIsNotThere_saysThatItCannotBeReadAndWhy() throws Exception {
        FileKey key = write(ACME, "content");
        pool.volumes().sync();
        assertThat(pool.explain(ACME, key).getLast()).doesNotContain("cannot be read");
        Path files = directory.resolve("files");
        Path away = Files.move(files, directory.resolve("away"));
        pool.volumes().probe();

        String problem = pool.volumes().get("main").problem().orElseThrow();
        String failed = "They cannot be read now: volume main has failed: " + problem + ".";
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits for a worker. Its bytes are on volume"
                + " main").endsWith(failed).contains("not mounted or not a volume");
        reopen();
        assertThat(pool.explain(ACME, key).getLast()).contains("volume main has failed: ", "is not there");

        Files.move(away, files);
        pool.volumes().probe();
        assertThat(pool.explain(ACME, key).getLast()).doesNotContain("cannot be read");
        assertThat(read(ACME, key)).isEqualTo("content");
    }

    @Test
    void explain_whenItIsToComeLater_saysWhyItDoes() throws Exception {
        FileKey delayed = write(ACME, NewFile.unnamed().availableAt(clocks.instant().plusSeconds(60)), "later");
        assertThat(pool.explain(ACME, delayed).getLast()).startsWith("Now it waits until").contains(
                "(60 s): it was written with a delay, and is not handed out before.").doesNotContain("again");
        clocks.pass(Duration.ofMinutes(2));
        pool.tick();
        assertThat(pool.explain(ACME, delayed).getLast()).startsWith("Now it waits for a worker.");

        pool.work().putOff(claim(ACME).lease(), "the printer is away");
        assertThat(pool.explain(ACME, delayed).getLast()).startsWith("Now it waits until").contains(
                " to be tried again: it was put off.");
        clocks.pass(Duration.ofMinutes(2));
        pool.tick();
        pool.work().fail(claim(ACME).lease(), "no");
        assertThat(pool.explain(ACME, delayed).getLast()).startsWith("Now it waits until").contains(
                " to be tried again, after 1 failed attempt.");
        clocks.pass(Duration.ofMinutes(2));
        pool.tick();
        pool.work().fail(claim(ACME).lease(), "no");
        assertThat(pool.explain(ACME, delayed).getLast()).contains(" to be tried again, after 2 failed attempts.");
        pool.work().retryNow(ACME, delayed);
        assertThat(pool.explain(ACME, delayed)).anyMatch(line -> line.endsWith(
                "somebody saw to it that it need not wait any longer."));
    }

    @Test
    void history_whenAScrubFindsDamage_saysSoOnceAndWhenItIsOver() throws Exception {
        FileKey key = write(ACME, "content");
        pool.volumes().sync();
        Path path = pool.files().get(ACME, key).path().orElseThrow();
        Files.writeString(path, "CONTENT");
        clocks.pass(Duration.ofSeconds(1));

        pool.cleanup().scrub().await();
        pool.cleanup().scrub().await();

        assertThat(pool.history(ACME, key).entries()).extracting(HistoryEntry::what).containsExactly("written",
                "damaged");
        assertThat(pool.history(ACME, key).entries().getLast().note()).contains(
                "on volume main: its bytes are not those that were written");
        assertThat(pool.explain(ACME, key)).anyMatch(line -> line.endsWith(
                ": a scrub found it damaged on volume main: its bytes are not those that were written."));
        assertThat(pool.explain(ACME, key).getLast()).startsWith("Now it waits for a worker.").contains(
                "Its bytes are damaged: on volume main: its bytes are not those that were written.");

        Files.writeString(path, "content");
        pool.cleanup().scrub().await();
        pool.cleanup().scrub().await();

        assertThat(pool.history(ACME, key).entries()).extracting(HistoryEntry::what).containsExactly("written",
                "damaged", "sound");
        assertThat(pool.explain(ACME, key).getLast()).doesNotContain("damaged");
    }

    @Test
    void history_ofAnotherTenantsFile_isNotFound() throws Exception {
        FileKey key = write(ACME, "content");

        assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.history(OTHER, key));
        assertRefused(FileNotFoundException.class, "pool.file-not-found", () -> pool.explain(OTHER, key));
    }
}

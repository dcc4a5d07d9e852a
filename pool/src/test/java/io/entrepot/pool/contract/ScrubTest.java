package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolConfig;
import io.entrepot.pool.ScrubReport;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantLimits;
import io.entrepot.pool.job.JobHandle;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.JobState;
import io.entrepot.store.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** All files are read now and then, and damage is told. */
class ScrubTest extends PoolContract {
    private static final JobName SCRUB = new JobName("scrub");

    ScrubTest() {
        super(PoolFixture.SQLITE);
    }

    private Path path(TenantId tenant, FileKey key) {
        return pool.files().get(tenant, key).path().orElseThrow();
    }

    @Test
    void scrub_whenFilesAreDamaged_tellsWhichAndHow() throws Exception {
        TenantId apart = new TenantId("apart");
        pool.tenants().createWithShard(apart, TenantLimits.NONE);
        FileKey good = write(ACME, "x".repeat(3_000_000));
        FileKey changed = write(ACME, "changed");
        FileKey shorter = write(apart, "shorter");
        FileKey gone = write(OTHER, "gone");
        assertThat(pool.cleanup().scrub().await().damaged()).isZero();
        Files.writeString(path(ACME, changed), "CHANGED");
        Files.writeString(path(apart, shorter), "short");
        Files.delete(path(OTHER, gone));

        ScrubReport report = pool.cleanup().scrub().await();

        assertThat(report.files()).isEqualTo(4);
        assertThat(report.bytes()).isEqualTo(3_000_000 + 7 + 5);
        assertThat(report.complete()).isTrue();
        assertThat(report.damage()).containsExactlyInAnyOrder(
                new ScrubReport.Damage(ACME, changed, "main", "its bytes are not those that were written"),
                new ScrubReport.Damage(OTHER, gone, "main", "its bytes are gone"),
                new ScrubReport.Damage(apart, shorter, "main", "it has 5 of 7 bytes"));
        assertThat(pool.cleanup().lastScrub()).contains(report);
        assertThat(pool.events().after(0, 1000)).filteredOn(event -> event.type().equals("file.damaged"))
                .extracting(Event::subject).containsExactly(changed.toString(), gone.toString());
        assertThat(pool.jobs().get(SCRUB).lastResult()).contains("4 files with 3000012 bytes were read, 3 are damaged");
        assertThat(pool.files().find(ACME, good)).isPresent();
    }

    @Test
    void scrub_whenItIsSlow_canBeStopped() throws Exception {
        pool.close();
        config = config.withCleanup(CleanupConfig.DEFAULT.withScrub(Optional.empty(), 1));
        pool = Pool.open(config);
        write(ACME, "first");
        write(ACME, "second");

        JobHandle scrub = pool.cleanup().scrub().job();
        eventually(() -> pool.jobs().get(SCRUB).state() == JobState.RUNNING);
        scrub.cancel();

        assertThat(DrainContract.ended(scrub).state()).isEqualTo(JobState.CANCELLED);
        assertThat(pool.cleanup().lastScrub().orElseThrow().complete()).isFalse();
    }

    @Test
    void scrub_whenItIsCutShort_isGoneOnWithAfterARestart() throws Exception {
        pool.close();
        PoolConfig quick = config;
        config = config.withCleanup(CleanupConfig.DEFAULT.withScrub(Optional.empty(), 20));
        pool = Pool.open(config);
        FileKey first = write(ACME, "1");
        write(ACME, "2".repeat(5000));
        write(OTHER, "3");
        eventually(() -> pool.backlog().redo() == 0);
        Instant started = clocks.instant();
        JobHandle scrub = pool.cleanup().scrub().job();
        eventually(() -> scrub.report().progress().done() == 1); // and now it reads the second one, slowly
        Path gone = path(ACME, first);
        pool.close();
        Files.delete(gone);
        clocks.pass(Duration.ofDays(1));
        config = quick;
        pool = Pool.open(config);

        ScrubReport rest = pool.cleanup().resumeScrub().await();

        assertThat(rest.files()).isEqualTo(3);
        assertThat(rest.damaged()).isZero(); // the first one was read before
        assertThat(rest.started()).isEqualTo(started);
        assertThat(rest.complete()).isTrue();
        assertThat(pool.cleanup().resumeScrub().await().damaged()).isEqualTo(1); // from the first one on again
    }

    @Test
    void scrub_byHand_beginsAnewAlthoughOneWasCutShort() throws Exception {
        pool.close();
        PoolConfig quick = config;
        config = config.withCleanup(CleanupConfig.DEFAULT.withScrub(Optional.empty(), 20));
        pool = Pool.open(config);
        write(ACME, "1");
        write(ACME, "2".repeat(5000));
        JobHandle scrub = pool.cleanup().scrub().job();
        eventually(() -> scrub.report().progress().done() == 1);
        scrub.cancel();
        DrainContract.ended(scrub);
        config = quick;
        reopen();

        ScrubReport report = pool.cleanup().scrub().await();

        assertThat(report.files()).isEqualTo(2);
        assertThat(report.bytes()).isEqualTo(5001);
        assertThat(report.complete()).isTrue();
    }

    @Test
    void scrub_whenItIsDue_runsByItself() throws Exception {
        write(ACME, "x");
        clocks.pass(Duration.ofDays(30));
        pool.tick();

        eventually(() -> pool.jobs().get(SCRUB).state() == JobState.DONE);

        assertThat(pool.cleanup().lastScrub().orElseThrow().files()).isEqualTo(1);
    }
}

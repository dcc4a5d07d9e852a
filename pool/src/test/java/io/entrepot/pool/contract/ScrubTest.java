package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.Pool;
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
    void scrub_whenItIsDue_runsByItself() throws Exception {
        write(ACME, "x");
        clocks.pass(Duration.ofDays(30));
        pool.tick();

        eventually(() -> pool.jobs().get(SCRUB).state() == JobState.DONE);

        assertThat(pool.cleanup().lastScrub().orElseThrow().files()).isEqualTo(1);
    }
}

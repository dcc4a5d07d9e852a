package io.entrepot.pool.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.pool.CleanupConfig;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.Placement;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantNotFoundException;
import io.entrepot.pool.job.JobName;
import io.entrepot.pool.job.Schedule;
import io.entrepot.queue.RetryPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What can be changed while a pool is open. */
class ChangeTest extends PoolContract {

    ChangeTest() {
        super(PoolFixture.SQLITE);
    }

    @Test
    void change_ofTheRetryRule_countsForTheNextFailure() throws Exception {
        write(ACME, "one");
        write(ACME, "two");
        assertThat(pool.work().fail(claim(ACME).lease(), "no").kind()).isEqualTo(FileOutcome.Kind.RETRYING);
        pool.change(config.withRetry(new RetryPolicy(Duration.ZERO, Duration.ZERO, 1, false)));
        assertThat(pool.work().fail(claim(ACME).lease(), "no").kind()).isEqualTo(FileOutcome.Kind.PERMANENTLY_FAILED);
    }

    @Test
    void change_ofTheClaimTerm_countsForTheNextClaim() throws Exception {
        write(ACME, "one");
        write(ACME, "two");
        pool.change(config.withClaimTerm(Duration.ofMinutes(5)));
        assertThat(claim(ACME).term()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void change_toTenantsThatMakeThemselves_countsForTheNextFile() throws Exception {
        TenantId fresh = new TenantId("fresh");
        assertThatThrownBy(() -> write(fresh, "one")).isInstanceOf(TenantNotFoundException.class);
        pool.change(config.withAutoCreateTenants(true));
        write(fresh, "one");
        assertThat(fileCount(fresh)).isEqualTo(1);
    }

    @Test
    void change_ofIntervals_countsForTheJobs() {
        CleanupConfig often = config.cleanup().withEvery(Optional.of(Duration.ofMinutes(7)))
                .withScrub(Optional.empty(), 1000);
        pool.change(config.withCleanup(often).withProbeEvery(Duration.ofSeconds(3)));
        assertThat(schedule("cleanup")).isEqualTo(Schedule.every(Duration.ofMinutes(7)));
        assertThat(schedule("scrub")).isEqualTo(Schedule.byHand());
        assertThat(schedule("probe-volumes")).isEqualTo(Schedule.every(Duration.ofSeconds(3)));
    }

    /** A job that is not to run otherwise keeps its turn: else one that is reloaded every hour would never come to it. */
    @Test
    void change_ofSomethingElse_leavesTheTurnsOfJobs() {
        var before = pool.jobs().get(new JobName("cleanup")).next();
        clocks.pass(Duration.ofMinutes(1));
        pool.change(config.withClaimTerm(Duration.ofMinutes(5)));
        assertThat(pool.jobs().get(new JobName("cleanup")).next()).isEqualTo(before);
    }

    private Schedule schedule(String job) {
        return pool.jobs().get(new JobName(job)).schedule();
    }

    @Test
    void change_ofWhatItWasOpenedWith_isLeftOut() throws Exception {
        write(ACME, "one");
        pool.change(config.withHistory(Duration.ofDays(1)).withRedoLimit(0).withPlacement(Placement.ROUND_ROBIN)
                .withCleanup(config.cleanup().withProtectedDirectories(List.of("acme")))
                .withVolumes(List.of(io.entrepot.pool.VolumeSpec.of("more", Path.of("/nowhere")))));
        assertThat(pool.volumes().list()).hasSize(1);
        write(ACME, "two");
        assertThat(fileCount(ACME)).isEqualTo(2);
    }
}

package io.entrepot.pool.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.entrepot.lab.Crowd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs that somebody starts, looks at and stops. */
class JobsRunTest {
    private static final JobName NAME = new JobName("scrub");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final Clocks clocks = new Clocks();
    private final Jobs jobs = Jobs.manual(clocks.ticker, clocks, Duration.ofSeconds(30));
    private final Puppet puppet = new Puppet();

    @AfterEach
    void close() {
        jobs.close();
    }

    private RunReport end(JobHandle handle) throws InterruptedException {
        return handle.await(LONG).orElseThrow();
    }

    @Test
    void trigger_whenIdle_runsWithWhatWasAskedFor() throws InterruptedException {
        JobRequest request = new JobRequest(true, Map.of("volume", "fast"));
        jobs.register(NAME, Schedule.byHand(), Task.withDryRun(_ -> new JobResult("the real thing"),
                run -> new JobResult(run.job() + " " + run.isDryRun() + " " + run.parameters())));
        Triggered triggered = jobs.trigger(NAME, request);
        assertThat(triggered.started()).isTrue();
        assertThat(triggered.handle().job()).isEqualTo(NAME);
        assertThat(end(triggered.handle())).isEqualTo(new RunReport(JobState.DONE, request, Clocks.START,
                Optional.of(Clocks.START), Progress.NONE, false, Optional.of("scrub true {volume=fast}"),
                Optional.empty()));
        assertThat(jobs.get(NAME).run()).contains(triggered.handle().report());
    }

    @Test
    void trigger_whenADryRunIsAskedForAndThereIsNone_isRefusedAndDoesNothing() throws InterruptedException {
        AtomicInteger runs = new AtomicInteger();
        Task task = _ -> new JobResult("run " + runs.incrementAndGet());
        jobs.register(NAME, Schedule.byHand(), task);

        JobException e = catchThrowableOfType(JobException.class, () -> jobs.trigger(NAME, JobRequest.DRY_RUN));
        assertThat(e).isInstanceOf(NoDryRunException.class).hasMessageContaining("scrub");
        assertThat(e.code()).isEqualTo("pool.no-dry-run");
        assertThatThrownBy(() -> jobs.start(new JobName("once"), task, JobRequest.DRY_RUN))
                .isInstanceOf(NoDryRunException.class);

        assertThat(runs).hasValue(0);
        assertThat(jobs.list()).extracting(JobStatus::name, JobStatus::runs).containsExactly(tuple(NAME, 0L));
        assertThat(end(jobs.trigger(NAME).handle()).result()).contains("run 1");
    }

    @Test
    void trigger_whenRunning_saysSoAndStartsNothing() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), Task.withDryRun(puppet, puppet));
        Triggered first = jobs.trigger(NAME);
        puppet.awaitBegun();
        Triggered second = jobs.trigger(NAME, JobRequest.DRY_RUN);
        assertThat(second.started()).isFalse();
        assertThat(second.handle().report().request()).isEqualTo(JobRequest.PLAIN);
        puppet.letGo();
        assertThat(end(second.handle())).isEqualTo(end(first.handle()));
        assertThat(jobs.get(NAME).runs()).isEqualTo(1);
        puppet.letGo();
        assertThat(end(jobs.trigger(NAME).handle()).result()).contains("run 2");
    }

    @Test
    void trigger_byManyAtOnce_startsOne() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), puppet);
        List<Triggered> all = Crowd.run(32, _ -> jobs.trigger(NAME));
        assertThat(all).filteredOn(Triggered::started).hasSize(1);
        puppet.letGo();
        for (Triggered one : all) {
            end(one.handle());
        }
        assertThat(puppet.runs).hasSize(1);
    }

    @Test
    void progress_whenReported_isSeen() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), puppet);
        jobs.trigger(NAME);
        puppet.awaitBegun();
        puppet.runs.getFirst().progress(3, "looking");
        assertThat(jobs.get(NAME).run().orElseThrow().progress())
                .isEqualTo(new Progress(3, OptionalLong.empty(), "looking"));
        puppet.runs.getFirst().progress(4, 9, "checking");
        RunReport running = jobs.get(NAME).run().orElseThrow();
        assertThat(running.progress()).isEqualTo(new Progress(4, OptionalLong.of(9), "checking"));
        assertThat(running.state()).isEqualTo(JobState.RUNNING);
        assertThat(running.ended()).isEmpty();
        assertThatThrownBy(() -> puppet.runs.getFirst().progress(-1, "no")).hasMessageContaining("-1");
    }

    @Test
    void cancel_whenRunning_stopsAtTheNextCheckpoint() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), puppet);
        JobHandle handle = jobs.trigger(NAME).handle();
        puppet.awaitBegun();
        clocks.pass(Duration.ofSeconds(7));
        assertThat(jobs.cancel(NAME)).isTrue();
        RunReport report = end(handle);
        assertThat(report.state()).isEqualTo(JobState.CANCELLED);
        assertThat(report.cancelled()).isTrue();
        assertThat(report.ended()).contains(Clocks.START.plusSeconds(7));
        JobStatus status = jobs.get(NAME);
        assertThat(status.state()).isEqualTo(JobState.CANCELLED);
        assertThat(status.failures()).isZero();
        assertThat(status.lastResult()).isEmpty();
        assertThat(jobs.cancel(NAME)).isFalse();
    }

    @Test
    void cancel_byTheHandle_stopsThatRunOnly() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), puppet);
        JobHandle first = jobs.trigger(NAME).handle();
        first.cancel();
        assertThat(end(first).state()).isEqualTo(JobState.CANCELLED);
        JobHandle second = jobs.trigger(NAME).handle();
        first.cancel();
        puppet.letGo();
        assertThat(end(second).state()).isEqualTo(JobState.DONE);
    }

    @Test
    void cancel_whenTheTaskIsThroughAnyway_isDone() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), run -> {
            jobs.cancel(NAME);
            return new JobResult("all " + run.isCancelled());
        });
        RunReport report = end(jobs.trigger(NAME).handle());
        assertThat(report.state()).isEqualTo(JobState.DONE);
        assertThat(report.result()).contains("all true");
        assertThat(report.cancelled()).isTrue();
    }

    @Test
    void cancel_whenItFailsWhileStopping_isFailed() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), _ -> {
            jobs.cancel(NAME);
            throw new IllegalStateException("cannot even stop");
        });
        assertThat(end(jobs.trigger(NAME).handle()).state()).isEqualTo(JobState.FAILED);
        assertThat(jobs.get(NAME).lastError()).contains("cannot even stop");
    }

    @Test
    void await_whenItTakesLonger_givesNothing() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), puppet);
        assertThat(jobs.trigger(NAME).handle().await(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void start_whenNew_runsOnceAndStaysVisible() throws InterruptedException {
        Triggered first = jobs.start(NAME, Task.withDryRun(puppet, puppet), JobRequest.DRY_RUN);
        assertThat(first.started()).isTrue();
        puppet.awaitBegun();
        assertThat(jobs.start(NAME, _ -> new JobResult("another")).started()).isFalse();
        puppet.letGo();
        end(first.handle());
        assertThat(jobs.list()).extracting(JobStatus::name, JobStatus::state, status -> status.schedule().toString())
                .containsExactly(tuple(NAME, JobState.DONE, "by hand"));
        puppet.letGo();
        assertThat(end(jobs.trigger(NAME).handle()).result()).contains("run 2");
        assertThat(end(jobs.start(NAME, _ -> new JobResult("another")).handle()).result()).contains("another");
        assertThat(jobs.get(NAME).runs()).isEqualTo(1);
    }

    @Test
    void start_whenManyHaveEnded_forgetsTheOldest() throws InterruptedException {
        jobs.register(NAME, Schedule.byHand(), _ -> new JobResult(""));
        jobs.start(new JobName("long"), puppet);
        for (int i = 0; i < 103; i++) {
            end(jobs.start(new JobName("one-" + i), _ -> new JobResult("")).handle());
            end(jobs.start(new JobName("one-0"), _ -> new JobResult("again")).handle());
        }
        assertThat(jobs.list()).hasSize(102).extracting(status -> status.name().name())
                .contains("scrub", "long", "one-0", "one-4", "one-102").doesNotContain("one-1", "one-2", "one-3");
    }

    @Test
    void register_whenTheNameIsTaken_isRefused() {
        jobs.register(NAME, Schedule.byHand(), puppet);
        JobException e = catchThrowableOfType(JobException.class,
                () -> jobs.register(NAME, Schedule.byHand(), puppet));
        assertThat(e).isInstanceOf(JobExistsException.class);
        assertThat(e.code()).isEqualTo("pool.job-exists");
        assertThatThrownBy(() -> jobs.start(NAME, puppet)).isInstanceOf(JobExistsException.class);
    }

    @Test
    void get_whenUnknown_saysWhatThereIs() {
        JobException nothing = catchThrowableOfType(JobException.class, () -> jobs.get(NAME));
        assertThat(nothing).hasMessage("there is no job scrub, nor any other");
        jobs.register(new JobName("b"), Schedule.byHand(), puppet);
        jobs.register(new JobName("a"), Schedule.byHand(), puppet);
        JobException e = catchThrowableOfType(JobException.class, () -> jobs.trigger(NAME));
        assertThat(e).hasMessage("there is no job scrub; there are a, b").isInstanceOf(NoSuchJobException.class);
        assertThat(e.code()).isEqualTo("pool.no-such-job");
        assertThatThrownBy(() -> jobs.cancel(NAME)).isInstanceOf(NoSuchJobException.class);
        assertThatThrownBy(() -> jobs.pause(NAME)).isInstanceOf(NoSuchJobException.class);
        assertThatThrownBy(() -> jobs.resume(NAME)).isInstanceOf(NoSuchJobException.class);
        assertThatThrownBy(() -> jobs.reschedule(NAME, Schedule.byHand())).isInstanceOf(NoSuchJobException.class);
    }

    @Test
    void jobName_whenOdd_isRefused() {
        for (String odd : List.of("", "A", "-a", "a b", "ä", "a".repeat(128))) {
            assertThatThrownBy(() -> new JobName(odd)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

package io.entrepot.pool.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When jobs run by themselves. */
class JobsScheduleTest {
    private static final JobName NAME = new JobName("cleanup");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Clocks clocks = new Clocks();
    private final Jobs jobs = Jobs.manual(clocks.ticker, clocks, Duration.ofSeconds(30));
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        jobs.close();
    }

    private JobResult count(JobRun run) {
        assertThat(run.isDryRun()).isFalse();
        return new JobResult("run " + runs.incrementAndGet());
    }

    private JobStatus pass(Duration time) {
        clocks.pass(time);
        jobs.tick();
        await().until(() -> jobs.get(NAME).state() != JobState.RUNNING);
        return jobs.get(NAME);
    }

    private static Instant at(Duration sinceStart) {
        return Clocks.START.plus(sinceStart);
    }

    @Test
    void register_whenScheduled_waitsForTheFirstRun() {
        jobs.register(NAME, Schedule.every(HOUR, MINUTE), this::count);
        jobs.tick();
        JobStatus status = jobs.get(NAME);
        assertThat(status.state()).isEqualTo(JobState.WAITING);
        assertThat(status.next()).contains(at(MINUTE));
        assertThat(status.run()).isEmpty();
        assertThat(pass(Duration.ofSeconds(59)).runs()).isZero();
    }

    @Test
    void register_whenByHand_isIdle() {
        jobs.register(NAME, Schedule.byHand(), this::count);
        JobStatus status = pass(Duration.ofDays(1000));
        assertThat(status.state()).isEqualTo(JobState.IDLE);
        assertThat(status.next()).isEmpty();
        assertThat(status.runs()).isZero();
    }

    @Test
    void tick_whenDue_runsAndSaysWhenNext() {
        jobs.register(NAME, Schedule.every(HOUR, MINUTE), this::count);
        JobStatus first = pass(MINUTE);
        assertThat(first.state()).isEqualTo(JobState.DONE);
        assertThat(first.lastResult()).contains("run 1");
        assertThat(first.next()).contains(at(MINUTE.plus(HOUR)));
        assertThat(first.run().orElseThrow().started()).isEqualTo(at(MINUTE));
        assertThat(first.run().orElseThrow().ended()).contains(at(MINUTE));
        assertThat(pass(HOUR.minusNanos(1)).runs()).isEqualTo(1);
        assertThat(pass(Duration.ofNanos(1)).runs()).isEqualTo(2);
    }

    @Test
    void tick_whenMuchTimeHasPassed_runsOnceAndKeepsItsTimes() {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        JobStatus status = pass(HOUR.multipliedBy(50).plusMinutes(10));
        assertThat(status.runs()).isEqualTo(1);
        assertThat(status.next()).contains(at(HOUR.multipliedBy(51)));
    }

    @Test
    void tick_whenItStillRuns_leavesThatRunOut() throws InterruptedException {
        Puppet puppet = new Puppet();
        jobs.register(NAME, Schedule.every(HOUR), puppet);
        clocks.pass(HOUR);
        jobs.tick();
        puppet.awaitBegun();
        clocks.pass(HOUR.plusMinutes(1));
        jobs.tick();
        assertThat(jobs.get(NAME).runs()).isEqualTo(1);
        assertThat(jobs.get(NAME).next()).contains(at(HOUR.multipliedBy(3)));
        puppet.letGo();
        assertThat(pass(Duration.ZERO).runs()).isEqualTo(1);
        puppet.letGo();
        assertThat(pass(HOUR).runs()).isEqualTo(2);
    }

    @Test
    void tick_whenARunFails_theScheduleAndOthersGoOn() {
        JobName other = new JobName("other");
        AtomicInteger failing = new AtomicInteger(2);
        jobs.register(other, Schedule.every(HOUR), this::count);
        jobs.register(NAME, Schedule.every(HOUR), run -> switch (failing.getAndDecrement()) {
            case 2 -> throw new IllegalStateException("the disk is full");
            case 1 -> throw new AssertionError();
            default -> new JobResult("well again");
        });
        JobStatus first = pass(HOUR);
        assertThat(first.state()).isEqualTo(JobState.FAILED);
        assertThat(first.lastError()).contains("the disk is full");
        assertThat(first.run().orElseThrow().error()).contains("the disk is full");
        assertThat(first.next()).contains(at(HOUR.multipliedBy(2)));
        assertThat(pass(HOUR).lastError()).contains("java.lang.AssertionError");
        JobStatus third = pass(HOUR);
        assertThat(third.state()).isEqualTo(JobState.DONE);
        assertThat(third.failures()).isEqualTo(2);
        assertThat(third.runs()).isEqualTo(3);
        assertThat(third.lastResult()).contains("well again");
        assertThat(third.lastError()).contains("java.lang.AssertionError");
        await().until(() -> runs.get() == 3);
    }

    @Test
    void pause_whenScheduled_leavesRunsOutUntilResumed() {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        jobs.pause(NAME);
        JobStatus paused = pass(HOUR.plusMinutes(10));
        assertThat(paused.paused()).isTrue();
        assertThat(paused.state()).isEqualTo(JobState.IDLE);
        assertThat(paused.next()).isEmpty();
        jobs.resume(NAME);
        JobStatus resumed = pass(Duration.ZERO);
        assertThat(resumed.paused()).isFalse();
        assertThat(resumed.runs()).isZero();
        assertThat(resumed.next()).contains(at(HOUR.multipliedBy(2)));
        assertThat(pass(Duration.ofMinutes(50)).runs()).isEqualTo(1);
    }

    @Test
    void resume_whenNotPaused_takesNoRunAway() {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        clocks.pass(HOUR);
        jobs.resume(NAME);
        assertThat(pass(Duration.ZERO).runs()).isEqualTo(1);
    }

    @Test
    void trigger_whenPaused_runs() throws InterruptedException {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        jobs.pause(NAME);
        assertThat(jobs.trigger(NAME).handle().await(Duration.ofMinutes(1))).isPresent();
    }

    @Test
    void trigger_whenScheduled_doesNotMoveTheSchedule() throws InterruptedException {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        clocks.pass(Duration.ofMinutes(30));
        jobs.trigger(NAME).handle().await(Duration.ofMinutes(1));
        assertThat(jobs.get(NAME).next()).contains(at(HOUR));
        assertThat(pass(Duration.ofMinutes(30)).runs()).isEqualTo(2);
    }

    @Test
    void reschedule_whenItHasOtherTimes_beginsNow() {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        clocks.pass(MINUTE);
        jobs.reschedule(NAME, Schedule.every(MINUTE));
        assertThat(jobs.get(NAME).next()).contains(at(MINUTE.multipliedBy(2)));
        assertThat(jobs.get(NAME).schedule()).isEqualTo(Schedule.every(MINUTE));
        assertThat(pass(MINUTE).runs()).isEqualTo(1);
        jobs.reschedule(NAME, Schedule.byHand());
        JobStatus byHand = pass(HOUR);
        assertThat(byHand.runs()).isEqualTo(1);
        assertThat(byHand.next()).isEmpty();
    }

    /** As a run does that plans the next one: it may take its time to end. */
    @Test
    void reschedule_byTheRunOfNow_isNotMissedHoweverLateThatEnds() throws InterruptedException {
        Puppet puppet = new Puppet();
        jobs.register(NAME, Schedule.every(HOUR), puppet);
        clocks.pass(HOUR);
        jobs.tick();
        puppet.awaitBegun();
        jobs.reschedule(NAME, Schedule.every(HOUR, MINUTE));
        clocks.pass(MINUTE);
        jobs.tick();
        assertThat(jobs.get(NAME).runs()).isEqualTo(1);
        puppet.letGo();
        await().until(() -> jobs.get(NAME).state() == JobState.DONE);
        jobs.tick();
        puppet.awaitBegun();
        assertThat(jobs.get(NAME).runs()).isEqualTo(2);
        assertThat(jobs.get(NAME).next()).contains(at(HOUR.multipliedBy(2).plus(MINUTE)));
        puppet.letGo();
    }

    @Test
    void tick_whenTheWallClockIsSet_doesNotMind() {
        jobs.register(NAME, Schedule.every(HOUR), this::count);
        clocks.setWall(Duration.ofDays(-1));
        jobs.tick();
        assertThat(jobs.get(NAME).next()).contains(at(HOUR.minusDays(1)));
        clocks.setWall(Duration.ofDays(2));
        assertThat(pass(Duration.ZERO).runs()).isZero();
        assertThat(pass(HOUR).runs()).isEqualTo(1);
    }

    @Test
    void every_whenTooShortOrLong_isRefused() {
        assertThatThrownBy(() -> Schedule.every(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Schedule.every(Duration.ofDays(10_000))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Schedule.every(HOUR, MINUTE.negated())).isInstanceOf(IllegalArgumentException.class);
    }
}

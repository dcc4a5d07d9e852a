package io.entrepot.pool.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.entrepot.lab.Crowd;
import io.entrepot.lease.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock in the background, and that closing leaves nothing behind. */
class JobsCloseTest {
    private static final JobName NAME = new JobName("drain");
    private static final Duration PATIENT = Duration.ofMinutes(1);
    private static final Duration IMPATIENT = Duration.ofMillis(20);

    private final Clocks clocks = new Clocks();

    @Test
    void close_whenRunsStop_waitsForThem() throws InterruptedException {
        Puppet puppet = new Puppet();
        Jobs jobs = Jobs.manual(clocks.ticker, clocks, PATIENT);
        jobs.start(NAME, puppet);
        jobs.start(new JobName("other"), puppet);
        puppet.awaitBegun();
        puppet.awaitBegun();
        jobs.close();
        assertThat(jobs.list()).extracting(JobStatus::state).containsOnly(JobState.CANCELLED);
        assertThat(puppet.threads).hasSize(2).noneMatch(Thread::isAlive);
    }

    @Test
    void close_whenARunDoesNotLook_interruptsIt() throws InterruptedException {
        Jobs jobs = Jobs.manual(clocks.ticker, clocks, IMPATIENT);
        CountDownLatch begun = new CountDownLatch(1);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        jobs.start(NAME, _ -> {
            threads.add(Thread.currentThread());
            begun.countDown();
            new CountDownLatch(1).await();
            return new JobResult("never");
        });
        begun.await();
        jobs.close();
        await().until(() -> !threads.getFirst().isAlive());
        assertThat(jobs.get(NAME).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void close_whenARunMindsNothing_comesBackAllTheSame() throws InterruptedException {
        Jobs jobs = Jobs.manual(clocks.ticker, clocks, IMPATIENT);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        JobHandle handle = jobs.start(NAME, _ -> {
            begun.countDown();
            while (letGo.getCount() > 0) {
                try {
                    letGo.await();
                } catch (InterruptedException e) {
                    // as a call would do that hangs in the kernel
                }
            }
            return new JobResult("at last");
        }).handle();
        begun.await();
        jobs.close();
        assertThat(jobs.get(NAME).state()).isEqualTo(JobState.RUNNING);
        letGo.countDown();
        assertThat(handle.await(PATIENT).orElseThrow().result()).contains("at last");
    }

    @Test
    void close_whenItsCallerIsInterrupted_interruptsRunsAndComesBack() throws InterruptedException {
        Jobs jobs = Jobs.manual(clocks.ticker, clocks, PATIENT);
        CountDownLatch begun = new CountDownLatch(1);
        JobHandle handle = jobs.start(NAME, _ -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return new JobResult("never");
        }).handle();
        begun.await();
        Crowd<Boolean> closer = new Crowd<>();
        Thread thread = closer.start(() -> {
            jobs.close();
            return Thread.currentThread().isInterrupted();
        });
        closer.awaitWaiting();
        thread.interrupt();
        assertThat(closer.results()).containsExactly(true);
        assertThat(handle.await(PATIENT).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void afterClose_nothingIsStarted() {
        Puppet puppet = new Puppet();
        Jobs jobs = Jobs.manual(clocks.ticker, clocks, PATIENT);
        jobs.register(NAME, Schedule.every(Duration.ofHours(1)), puppet);
        jobs.close();
        clocks.pass(Duration.ofHours(2));
        jobs.tick();
        jobs.close();
        assertThat(jobs.get(NAME).runs()).isZero();
        assertThat(jobs.get(NAME).next()).isEmpty();
        JobException e = catchThrowableOfType(JobException.class, () -> jobs.trigger(NAME));
        assertThat(e).isInstanceOf(JobsClosedException.class);
        assertThat(e.code()).isEqualTo("pool.jobs-closed");
        catchThrowableOfType(JobsClosedException.class, () -> jobs.start(new JobName("x"), puppet)).code();
        catchThrowableOfType(JobsClosedException.class,
                () -> jobs.register(new JobName("x"), Schedule.byHand(), puppet)).code();
    }

    /** Tells the threads that have looked at it, and fails now and then. */
    private static final class Watched implements Ticker {
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        private final AtomicInteger failing = new AtomicInteger();

        @Override
        public long nanos() {
            threads.add(Thread.currentThread());
            if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("no time");
            }
            return Ticker.system().nanos();
        }
    }

    @Test
    void open_runsWhatIsDueByItself_andCloseEndsThat() {
        Watched ticker = new Watched();
        AtomicInteger runs = new AtomicInteger();
        try (Jobs jobs = Jobs.open(ticker, clocks, PATIENT)) {
            jobs.register(NAME, Schedule.every(Duration.ofMillis(1)),
                    _ -> new JobResult("run " + runs.incrementAndGet()));
            await().until(() -> runs.get() >= 3);
        }
        ticker.threads.remove(Thread.currentThread());
        assertThat(ticker.threads).isNotEmpty().noneMatch(Thread::isAlive);
    }

    /** It looks once a second anyway: so the fortieth run is in time only if it was woken for most of them. */
    @Test
    @Timeout(20)
    void open_whenSomethingBecomesDueSooner_wakesUp() {
        AtomicInteger runs = new AtomicInteger();
        try (Jobs jobs = Jobs.open(Ticker.system(), clocks, PATIENT)) {
            jobs.register(NAME, Schedule.every(Duration.ofDays(1)), _ -> new JobResult("" + runs.incrementAndGet()));
            for (int i = 1; i <= 40; i++) {
                int wanted = i;
                await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1))
                        .until(() -> jobs.get(NAME).state() != JobState.RUNNING);
                jobs.reschedule(NAME, Schedule.every(Duration.ofDays(1), Duration.ZERO));
                await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> runs.get() == wanted);
            }
        }
    }

    @Test
    void open_whenTheClockFails_goesOn() {
        Watched ticker = new Watched();
        AtomicInteger runs = new AtomicInteger();
        try (Jobs jobs = Jobs.open(ticker, clocks, PATIENT)) {
            jobs.register(NAME, Schedule.every(Duration.ofMillis(1)),
                    _ -> new JobResult("run " + runs.incrementAndGet()));
            ticker.failing.set(2);
            await().until(() -> ticker.failing.get() == 0);
            int before = runs.get();
            await().until(() -> runs.get() > before);
        }
    }
}

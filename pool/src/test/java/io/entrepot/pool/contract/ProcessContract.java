package io.entrepot.pool.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entrepot.lab.Crowd;
import io.entrepot.pool.FileContent;
import io.entrepot.pool.FileInfo;
import io.entrepot.pool.FileKey;
import io.entrepot.pool.FileStatus;
import io.entrepot.pool.InvalidSettingException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.process.FileTask;
import io.entrepot.pool.process.GiveUpException;
import io.entrepot.pool.process.ProcessOptions;
import io.entrepot.pool.process.Processing;
import io.entrepot.pool.process.ProcessingStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Files are processed in this process: claimed, renewed, completed or failed, and it stops cleanly. */
abstract class ProcessContract extends PoolContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    ProcessContract(PoolFixture fixture) {
        super(fixture);
    }

    @Test
    void process_whenManyFilesAndHandlers_eachIsHandledOnceAndGone() throws Exception {
        int files = 600;
        Set<FileKey> written = ConcurrentHashMap.newKeySet();
        Crowd<Boolean> writers = Crowd.start(4, _ -> {
            for (int i = 0; i < files / 4; i++) {
                written.add(write(i % 2 == 0 ? ACME : OTHER, "x"));
            }
            return true;
        });
        Map<FileKey, AtomicInteger> handled = new ConcurrentHashMap<>();
        List<Processing> both = new ArrayList<>();
        for (int ahead : new int[]{0, 20}) {
            both.add(pool.process(ProcessOptions.of(ACME, 16).withTenants(List.of(ACME, OTHER)).withAhead(ahead),
                    task -> {
                        try (FileContent content = task.open()) {
                            assertThat(content.stream().readAllBytes()).isEqualTo("x".getBytes(UTF_8));
                        }
                        handled.computeIfAbsent(task.file().key(), _ -> new AtomicInteger()).incrementAndGet();
                    }));
        }
        writers.results();

        eventually(() -> both.stream().mapToLong(one -> one.status().completed()).sum() == files);
        both.forEach(Processing::close);

        assertThat(handled.keySet()).isEqualTo(written);
        assertThat(handled.values()).allMatch(times -> times.get() == 1);
        assertThat(pool.tenants().usage(ACME).files() + pool.tenants().usage(OTHER).files()).isZero();
        assertThat(both).allSatisfy(one -> {
            assertThat(one.status().lastError()).isEmpty();
            assertThat(one.status().state()).isEqualTo(ProcessingStatus.State.CLOSED);
        });
    }

    @Test
    void process_whenHandlersFail_filesAreFailedWithTheirMessages() throws Exception {
        FileKey again = write(ACME, "again");
        FileKey never = write(ACME, "never");
        FileKey killed = write(ACME, "killed");
        Processing processing = pool.process(ACME, 4, task -> {
            if (task.file().key().equals(again)) {
                throw new java.io.IOException("the printer is off");
            }
            if (task.file().key().equals(never)) {
                throw new GiveUpException("not a PDF");
            }
            throw new StackOverflowError();
        });

        assertThat(processing.awaitIdle(LONG)).isTrue();

        assertThat(processing.status().failed()).isEqualTo(3);
        FileInfo waiting = pool.files().get(ACME, again);
        assertThat(waiting.status()).isEqualTo(FileStatus.PENDING);
        assertThat(waiting.attempts()).isEqualTo(1);
        assertThat(waiting.lastError()).contains("the printer is off");
        assertThat(pool.files().get(ACME, never).status()).isEqualTo(FileStatus.PERMANENTLY_FAILED);
        assertThat(pool.files().get(ACME, never).lastError()).contains("not a PDF");
        assertThat(pool.files().get(ACME, killed).lastError()).contains("java.lang.StackOverflowError");
        clocks.pass(Duration.ofSeconds(5));
        pool.tick();
        eventually(() -> processing.status().failed() == 5);
        assertThat(pool.files().get(ACME, again).attempts()).isEqualTo(2);
    }

    @Test
    void process_whenHandlersTakeLong_leasesAreRenewed() throws Exception {
        FileKey key = write(ACME, "x");
        AtomicReference<FileTask> task = new AtomicReference<>();
        CountDownLatch go = new CountDownLatch(1);
        Processing processing = pool.process(ACME, 1, given -> {
            task.set(given);
            go.await();
        });
        eventually(() -> task.get() != null);

        for (int i = 0; i < 6; i++) {
            clocks.pass(Duration.ofSeconds(25));
            eventually(() -> task.get().remaining().compareTo(Duration.ofSeconds(50)) > 0);
            pool.tick();
        }

        task.get().checkLease();
        assertThat(pool.files().get(ACME, key).deliveries()).isZero();
        go.countDown();
        eventually(() -> processing.status().completed() == 1);
    }

    @Test
    void process_whenTheLeaseIsLost_theHandlerIsInterruptedAndItsResultRefused() throws Exception {
        FileKey key = write(ACME, "x");
        List<FileTask> tasks = java.util.Collections.synchronizedList(new ArrayList<>());
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Processing processing = pool.process(ACME, 1, task -> {
            tasks.add(task);
            if (tasks.size() == 1) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    assertThat(task.isLost()).isTrue();
                    seen.set(e);
                    throw e;
                }
            }
        });
        eventually(() -> tasks.size() == 1);

        pool.work().reset(ACME, key);
        clocks.pass(Duration.ofSeconds(25));

        eventually(() -> processing.status().completed() == 1);
        assertThat(seen.get()).isInstanceOf(InterruptedException.class);
        assertThat(processing.status().lost()).isEqualTo(1);
        assertThat(processing.status().failed()).isZero();
        assertThat(processing.status().lastError().orElseThrow()).contains(tasks.getFirst().lease().toString());
        assertThatThrownBy(tasks.getFirst()::checkLease).hasMessageContaining("not, or no longer, the current one");
        assertThat(tasks.get(1).lease().fence().epoch()).isGreaterThan(tasks.getFirst().lease().fence().epoch());
        assertThat(pool.files().find(ACME, key)).isEmpty();
    }

    @Test
    void process_whenALostHandlerReturnsAllTheSame_itsResultIsRefused() throws Exception {
        FileKey key = write(ACME, "x");
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Processing processing = pool.process(ACME, 1, _ -> {
            begun.incrementAndGet();
            go.await();
        });
        eventually(() -> begun.get() == 1);
        pool.work().reset(ACME, key);
        pool.tenants().setPaused(ACME, true);

        go.countDown();

        eventually(() -> processing.status().lost() == 1);
        assertThat(processing.status().completed()).isZero();
        assertThat(pool.files().get(ACME, key).status()).isEqualTo(FileStatus.PENDING);
    }

    @Test
    void process_whenAHandlersThreadIsInterruptedByOthers_theFileIsFailedAndOthersGoOn() throws Exception {
        FileKey key = write(ACME, "x");
        AtomicReference<Thread> victim = new AtomicReference<>();
        Processing processing = pool.process(ACME, 1, task -> {
            if (task.file().key().equals(key)) {
                victim.set(Thread.currentThread());
                new CountDownLatch(1).await();
            }
        });
        eventually(() -> victim.get() != null);
        victim.get().interrupt();
        write(ACME, "y");

        eventually(() -> processing.status().completed() == 1);
        assertThat(processing.status().failed()).isEqualTo(1);
        assertThat(pool.files().get(ACME, key).attempts()).isEqualTo(1);
    }

    @Test
    void awaitIdle_whenAFileWasJustWritten_waitsForIt() throws Exception {
        Processing processing = pool.process(ACME, 2, _ -> {});
        for (int i = 1; i <= 30; i++) {
            write(ACME, "x");

            assertThat(processing.awaitIdle(LONG)).isTrue();
            assertThat(processing.status().completed()).isEqualTo(i);
        }
        pool.tenants().setPaused(ACME, true);
        write(ACME, "x");
        assertThat(processing.awaitIdle(LONG)).isTrue();
        processing.close();
        assertThat(processing.awaitIdle(LONG)).isFalse();
    }

    @Test
    void process_whenKeeping_completedFilesStay() throws Exception {
        FileKey key = write(ACME, "x");
        Processing processing = pool.process(ProcessOptions.of(ACME, 1).keepingCompleted(), _ -> {});

        assertThat(processing.awaitIdle(LONG)).isTrue();

        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.COMPLETED);
    }

    @Test
    void close_whileHandlersRun_waitsForThemAndClaimsNothingMore() throws Exception {
        write(ACME, "1");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Processing processing = pool.process(ACME, 1, _ -> {
            begun.countDown();
            go.await();
        });
        begun.await();
        FileKey second = write(ACME, "2");
        Crowd<Boolean> closing = Crowd.start(1, _ -> {
            processing.close();
            return true;
        });
        eventually(() -> processing.status().state() == ProcessingStatus.State.CLOSING);
        closing.awaitWaiting();
        assertThat(processing.status().running()).hasSize(1);

        go.countDown();
        closing.results();

        assertThat(processing.status().completed()).isEqualTo(1);
        assertThat(processing.status().running()).isEmpty();
        assertThat(pool.work().status(ACME, second)).isEqualTo(FileStatus.PENDING);
    }

    @Test
    void close_whenAHandlerTakesTooLong_breaksItOffAndGivesTheFileBack() throws Exception {
        FileKey key = write(ACME, "x");
        CountDownLatch begun = new CountDownLatch(1);
        Processing processing = pool.process(ProcessOptions.of(ACME, 1).withPatience(Duration.ofMillis(30)), task -> {
            task.report("half way");
            begun.countDown();
            new CountDownLatch(1).await();
        });
        begun.await();
        assertThat(processing.status().running()).singleElement()
                .satisfies(file -> assertThat(file.progress()).isEqualTo("half way"));

        processing.close();
        processing.close();

        FileInfo file = pool.files().get(ACME, key);
        assertThat(file.status()).isEqualTo(FileStatus.PENDING);
        assertThat(file.attempts()).isZero();
        assertThat(processing.status().released()).isEqualTo(1);
        assertThat(claim(ACME).key()).isEqualTo(key);
    }

    @Test
    void close_whenAHandlerHeedsNothing_leavesItBehind() throws Exception {
        FileKey key = write(ACME, "x");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Processing processing = pool.process(ProcessOptions.of(ACME, 1).withPatience(Duration.ofMillis(20)), _ -> {
            begun.countDown();
            boolean gone = false;
            while (!gone) {
                try {
                    go.await();
                    gone = true;
                } catch (InterruptedException e) {
                    // and that is the point
                }
            }
        });
        begun.await();

        processing.close();

        assertThat(processing.status().state()).isEqualTo(ProcessingStatus.State.CLOSED);
        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.PROCESSING);
        clocks.pass(ProcessOptions.DEFAULT_TERM);
        pool.tick();
        assertThat(claim(ACME).key()).isEqualTo(key);
        go.countDown();
        eventually(() -> processing.status().lost() == 1);
    }

    @Test
    void close_whenFilesWereClaimedAhead_givesThemBackInTheirPlaces() throws Exception {
        List<FileKey> written = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            written.add(write(ACME, "x"));
        }
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Processing processing = pool.process(ProcessOptions.of(ACME, 1).withAhead(3), _ -> {
            begun.countDown();
            go.await();
        });
        begun.await();
        eventually(() -> processing.status().ahead() == 3);

        processing.stop();

        assertThat(processing.status().released()).isEqualTo(3);
        assertThat(claim(ACME).key()).isEqualTo(written.get(1));
        go.countDown();
        processing.close();
        assertThat(processing.status().completed()).isEqualTo(1);
    }

    @Test
    void close_ofThePool_closesWhatProcesses() throws Exception {
        write(ACME, "x");
        CountDownLatch begun = new CountDownLatch(1);
        AtomicReference<Processing> self = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        Processing processing = pool.process(ACME, 1, _ -> {
            begun.countDown();
            known.await();
            self.get().close(); // by a handler: only stops
        });
        self.set(processing);
        begun.await();
        known.countDown();

        reopen();

        assertThat(processing.status().state()).isEqualTo(ProcessingStatus.State.CLOSED);
        assertThat(processing.status().completed()).isEqualTo(1);
        assertThat(pool.tenants().usage(ACME).files()).isZero();
    }

    @Test
    void process_whenATenantIsDisabled_itsResultsAreRefusedAndOthersGoOn() throws Exception {
        FileKey key = write(ACME, "x");
        Set<TenantId> done = ConcurrentHashMap.newKeySet();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch broken = new CountDownLatch(1);
        Processing processing = pool.process(ProcessOptions.of(ACME, 1).withTenants(List.of(ACME, OTHER)), task -> {
            if (begun.getCount() > 0) {
                begun.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    broken.countDown();
                }
            }
            done.add(task.file().tenant());
        });
        begun.await();

        pool.tenants().disable(ACME);
        clocks.pass(ProcessOptions.DEFAULT_TERM);
        pool.tick();
        broken.await();
        write(OTHER, "y");

        eventually(() -> processing.status().completed() == 1);
        assertThat(done).containsExactly(OTHER);
        assertThat(processing.status().lost()).isEqualTo(1);
        pool.tenants().enable(ACME);
        eventually(() -> processing.status().completed() == 2);
        assertThat(pool.files().find(ACME, key)).isEmpty();
        assertThat(new HashSet<>(done)).containsExactlyInAnyOrder(ACME, OTHER);
    }

    @Test
    void process_whenNoTenantIsOpen_backsOffAndGoesOnByItself() throws Exception {
        pool.tenants().suspend(ACME);
        Processing processing = pool.process(ACME, 1, _ -> {});
        eventually(() -> processing.status().state() == ProcessingStatus.State.BACKING_OFF);
        assertThat(processing.status().lastError().orElseThrow()).contains("[acme]");

        pool.tenants().enable(ACME);
        write(ACME, "x");

        eventually(() -> processing.status().completed() == 1);
        assertThat(processing.status().state()).isEqualTo(ProcessingStatus.State.RUNNING);
    }

    @Test
    void process_whenTheVolumeIsAway_filesArePutOffUntilItIsBack() throws Exception {
        FileKey key = write(ACME, "x");
        Path volume = directory.resolve("files");
        Path away = directory.resolve("away");
        reopen();
        pool.close();
        Files.move(volume, away);
        pool = io.entrepot.pool.Pool.open(config);
        Processing processing = pool.process(ACME, 1, task -> task.open().close());

        for (int i = 0; i < 6; i++) { // more often than a failed file is tried
            int tries = i + 1;
            eventually(() -> processing.status().released() == tries);
            clocks.pass(Duration.ofMinutes(1));
            pool.tick();
        }
        FileInfo waiting = pool.files().get(ACME, key);
        assertThat(waiting.attempts()).isZero();
        assertThat(waiting.deliveries()).isZero();
        assertThat(waiting.lastError().orElseThrow()).contains("has failed");
        assertThat(pool.explain(ACME, key)).anyMatch(sentence -> sentence.contains(" put it off: "));
        assertThat(events()).contains("file.put-off").doesNotContain("file.failed-permanently");
        pool.volumes().list().forEach(info -> assertThat(info.health())
                .isEqualTo(io.entrepot.pool.VolumeHealth.FAILED));
        Files.move(away, volume);
        pool.volumes().probe();
        eventually(() -> { // it may be put off once more, from now on
            clocks.pass(Duration.ofMinutes(1));
            pool.tick();
            return processing.status().completed() == 1;
        });
    }

    /** Whatever the handler makes of it. */
    @Test
    void process_whenTheVolumeGoesAwayInTheMiddleOfARead_costsNoAttempt() throws Exception {
        FileKey key = write(ACME, "x");
        Path volume = directory.resolve("files");
        Path away = directory.resolve("away");
        AtomicInteger calls = new AtomicInteger();
        Processing processing = pool.process(ACME, 1, task -> {
            if (calls.incrementAndGet() > 2) {
                return;
            }
            try (FileContent content = task.open()) {
                assertThat(content.stream().read()).isEqualTo('x');
                Files.move(volume, away);
                throw calls.get() == 1 ? new GiveUpException("cut short") : new IllegalStateException("cut short");
            }
        });
        for (int tries = 1; tries <= 2; tries++) {
            int soFar = tries;
            eventually(() -> processing.status().released() == soFar);
            Files.move(away, volume);
            pool.volumes().probe();
            clocks.pass(Duration.ofMinutes(1));
            assertThat(pool.files().get(ACME, key).attempts()).isZero();
            pool.tick();
        }
        eventually(() -> processing.status().completed() == 1);
        assertThat(processing.status().failed()).isZero();
    }

    @Test
    void process_whenTheFileIsDamaged_failsForGood() throws Exception {
        FileKey key = write(ACME, "hello");
        Files.delete(pool.files().get(ACME, key).path().orElseThrow());
        Processing processing = pool.process(ACME, 1, task -> task.open().close());

        assertThat(processing.awaitIdle(LONG)).isTrue();

        assertThat(pool.work().status(ACME, key)).isEqualTo(FileStatus.PERMANENTLY_FAILED);
    }

    @Test
    void options_whenTheyMakeNoSense_areRefused() {
        ProcessOptions good = ProcessOptions.of(ACME, 1);
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> ProcessOptions.of(ACME, 0));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> good.withTenants(List.of()));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> good.withTerm(Duration.ZERO));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> good.withAhead(-1));
        assertRefused(InvalidSettingException.class, "pool.invalid-setting", () -> good.withWorker("a\nb"));
        assertThat(Optional.of(good.worker())).contains("process-" + ProcessHandle.current().pid());
    }
}

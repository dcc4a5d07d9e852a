package io.entrepot.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MountPoolTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Mount DEAD = new Mount(7, BytePath.of("/dead"), "nfs4", "server:/", 1);
    private static final Mount WELL = new Mount(8, BytePath.of("/well"), "ext4", "/dev/x", 2);

    private final AtomicLong now = new AtomicLong();
    private final MountPools pools = new MountPools(FileCalls.system(), 2, now::get);
    private final CountDownLatch storageIsBack = new CountDownLatch(1);

    @AfterEach
    void close() {
        storageIsBack.countDown();
        pools.close();
    }

    private String hang() {
        boolean interrupted = false;
        while (storageIsBack.getCount() > 0) {
            try {
                storageIsBack.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted ? "interrupted" : "back";
    }

    private MountHangsException hangs(Mount mount, Duration patience) {
        return catchThrowableOfType(MountHangsException.class, () -> pools.of(mount).call(this::hang, patience));
    }

    @Test
    void call_whenAnswered_givesTheAnswerFromADaemonOfThatMount() throws Exception {
        assertThat(pools.of(WELL).call(() -> Thread.currentThread().isDaemon() + " " + Thread.currentThread().getName(),
                LONG))
                .isEqualTo("true mount /well 1");
        assertThatIOException().isThrownBy(() -> pools.of(WELL).call(() -> {
            throw new IOException("no");
        }, LONG)).withMessage("no");
        assertThatIllegalStateException().isThrownBy(() -> pools.of(WELL).call(() -> {
            throw new IllegalStateException("mine");
        }, LONG)).withMessage("mine");
    }

    @Test
    void start_doesNotWait_andHangsWhenItTakesTooLong() throws Exception {
        AtomicReference<String> ended = new AtomicReference<>();
        pools.of(DEAD).start(() -> ended.set(hang()), LONG);
        pools.of(DEAD).start(() -> ended.set(hang()), LONG);
        await().until(() -> pools.of(DEAD).snapshot().running() == 2);
        assertThat(pools.of(DEAD).snapshot().hanging()).isZero();
        now.addAndGet(LONG.plusSeconds(1).toNanos());
        assertThat(pools.of(DEAD).snapshot().hanging()).isEqualTo(2);
        assertThatExceptionOfType(MountHangsException.class).isThrownBy(() -> pools.of(DEAD).start(() -> {}, LONG));
        storageIsBack.countDown();
        await().untilAtomic(ended, value -> assertThat(value).isEqualTo("back"));
        await().until(() -> pools.of(DEAD).snapshot().running() == 0);
        pools.of(DEAD).start(() -> {
            throw new IllegalStateException("nobody hears it");
        }, LONG);
        assertThat(pools.of(DEAD).call(() -> "well", LONG)).isEqualTo("well");
    }

    @Test
    void call_whenNotAnsweredInTime_saysWhatHangs() {
        MountHangsException e = hangs(DEAD, SHORT);
        assertThat(e.begun()).isTrue();
        assertThat(e.mount()).isEqualTo("/dead");
        assertThat(e.hanging()).isEqualTo(1);
        now.addAndGet(5_000_000_000L);
        assertThat(pools.snapshot())
                .containsExactly(new MountPool.Load(DEAD.point(), 2, 1, 1, 0, Duration.ofSeconds(5)));
    }

    @Test
    void call_whenAllThreadsHang_isRefusedAtOnceAndOtherMountsGoOn() throws Exception {
        hangs(DEAD, SHORT);
        hangs(DEAD, SHORT);
        now.addAndGet(3_000_000_000L);
        AtomicBoolean begun = new AtomicBoolean();
        assertThatExceptionOfType(MountHangsException.class)
                .isThrownBy(() -> pools.of(DEAD).call(() -> begun.getAndSet(true), Duration.ofDays(1)))
                .withMessageContaining("/dead takes no more calls: 2 of 2 threads hang")
                .satisfies(e -> assertThat(e.longest()).isEqualTo(Duration.ofSeconds(3)))
                .satisfies(e -> assertThat(e.begun()).isFalse());
        assertThat(begun).isFalse();
        assertThat(pools.of(WELL).call(() -> "well", LONG)).isEqualTo("well");
    }

    @Test
    void call_whenTheStorageIsBack_isServedAgainByTheSameThreads() throws Exception {
        hangs(DEAD, SHORT);
        hangs(DEAD, SHORT);
        storageIsBack.countDown();
        await().until(() -> pools.of(DEAD).snapshot().running() == 0);
        assertThat(pools.of(DEAD).call(() -> Thread.currentThread().getName(), LONG)).matches("mount /dead [12]");
        assertThat(pools.of(DEAD).snapshot().hanging()).isZero();
    }

    @Test
    void call_whenAllThreadsAreBusy_waitsForOneAndIsNeverBegunIfThatTakesTooLong() throws Exception {
        CountDownLatch started = new CountDownLatch(2);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            callers.add(Thread.ofVirtual().start(() -> callQuietly(DEAD, () -> {
                started.countDown();
                return hang();
            })));
        }
        started.await();
        AtomicBoolean begun = new AtomicBoolean();
        MountHangsException e = catchThrowableOfType(MountHangsException.class,
                () -> pools.of(DEAD).call(() -> begun.getAndSet(true), SHORT));
        assertThat(e.begun()).isFalse();
        assertThat(e.hanging()).isZero();
        storageIsBack.countDown();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(pools.of(DEAD).call(() -> "served", LONG)).isEqualTo("served");
        assertThat(begun).isFalse();
    }

    @Test
    void call_whenTheCallerIsInterrupted_endsTheWaitingOnly() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<String> ended = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                pools.of(DEAD).call(() -> {
                    started.countDown();
                    ended.set(hang());
                    return "";
                }, Duration.ofSeconds(10));
            } catch (IOException | InterruptedException e) {
                thrown.set(e);
            }
        });
        started.await();
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(pools.of(DEAD).snapshot().hanging()).isZero();
        now.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(pools.of(DEAD).snapshot().hanging()).isEqualTo(1);
        storageIsBack.countDown();
        await().untilAtomic(ended, value -> assertThat(value).isEqualTo("back"));
    }

    @Test
    void call_whenWhatItOpenedComesTooLate_closesIt() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        AutoCloseable resource = closed::countDown;
        assertThatExceptionOfType(MountHangsException.class).isThrownBy(() -> pools.of(DEAD).call(() -> {
            hang();
            return resource;
        }, SHORT));
        storageIsBack.countDown();
        closed.await();
    }

    @Test
    void call_fromManyVirtualThreads_runsEachOnceOnNoMoreThreadsThanAllowed() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            callers.add(Thread.ofVirtual().start(() -> callQuietly(WELL, () -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                done.incrementAndGet();
                return "" + running.decrementAndGet();
            })));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(done).hasValue(2_000);
        assertThat(most.get()).isBetween(1, 2);
        // The last thread says that it is done a moment after its caller has the answer.
        await().until(() -> pools.of(WELL).snapshot().running() == 0);
    }

    @Test
    void of_whenTheMountIsMountedAnew_isAPoolWithoutWhatHangs() throws Exception {
        hangs(DEAD, SHORT);
        hangs(DEAD, SHORT);
        Mount again = new Mount(9, DEAD.point(), DEAD.type(), DEAD.source(), DEAD.device());
        assertThat(pools.of(again).call(() -> "new", LONG)).isEqualTo("new");
        assertThat(pools.of(DEAD).snapshot().hanging()).isEqualTo(2);
    }

    @Test
    void of_aPath_isThePoolOfItsMount() throws Exception {
        assertThat(pools.of(BytePath.ROOT)).isSameAs(pools.of(FileCalls.system().mountOf(BytePath.ROOT)));
    }

    @Test
    void call_whenClosed_isRefused() {
        MountPool pool = pools.of(WELL);
        pools.close();
        assertThatIllegalStateException().isThrownBy(() -> pool.call(() -> "", LONG));
        assertThatIllegalStateException().isThrownBy(() -> pools.of(WELL));
    }

    private void callQuietly(Mount mount, MountCall<String> call) {
        try {
            pools.of(mount).call(call, LONG);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package io.entrepot.lab;

import io.entrepot.posix.Errno;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Which calls fail or hang, by the name of the method. Safe for use by many threads. */
final class CallFaults {
    private final Map<String, Failing> failing = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> hanging = new ConcurrentHashMap<>();
    private final AtomicInteger inHang = new AtomicInteger();

    private final Map<String, Runnable> actions = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> made = new ConcurrentHashMap<>();

    private record Failing(Errno errno, AtomicInteger times) {}

    void fail(String call, Errno errno, int times) {
        failing.put(call, new Failing(errno, new AtomicInteger(times)));
    }

    CountDownLatch hang(String call) {
        CountDownLatch latch = new CountDownLatch(1);
        hanging.put(call, latch);
        return latch;
    }

    void beforeEach(String call, Runnable action) {
        actions.put(call, action);
    }

    void heal() {
        actions.clear();
        failing.clear();
        hanging.clear();
    }

    int inHang() {
        return inHang.get();
    }

    long made(String call) {
        LongAdder count = made.get(call);
        return count == null ? 0 : count.sum();
    }

    /** Before a call: hangs if it is to hang, and says how it fails if it is to fail. */
    Optional<Errno> before(String call) {
        made.computeIfAbsent(call, _ -> new LongAdder()).increment();
        CountDownLatch latch = hanging.get(call);
        if (latch != null) {
            await(latch);
        }
        Optional.ofNullable(actions.get(call)).ifPresent(Runnable::run);
        Failing fault = failing.get(call);
        return fault == null || fault.times.getAndDecrement() <= 0 ? Optional.empty() : Optional.of(fault.errno);
    }

    void await(CountDownLatch latch) {
        inHang.incrementAndGet();
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true; // a system call would not care
            }
        }
        inHang.decrementAndGet();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

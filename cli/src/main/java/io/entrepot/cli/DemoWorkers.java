package io.entrepot.cli;

import io.entrepot.pool.ClaimOrder;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileLease;
import io.entrepot.pool.FileOutcome;
import io.entrepot.pool.Pool;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.TenantUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads that work on files until there is nothing to do; they fail with some of them. Safe for use by many threads: they
 * share counters only.
 */
final class DemoWorkers {
    private static final int PER_TENANT = 3;
    private static final Duration LOOK = Duration.ofMillis(100);
    /** Fails once. */
    private static final String SLIPPERY = "invoice-3.pdf";
    /** Fails always. */
    private static final String HOPELESS = "invoice-5.pdf";

    private final Pool pool;
    private final List<TenantId> tenants;
    private final FileLease dead;
    private final Consumer<String> say;
    private final Map<TenantId, AtomicLong> completed = new ConcurrentHashMap<>();

    /** @param dead the lease of a worker that was killed */
    DemoWorkers(Pool pool, List<TenantId> tenants, FileLease dead, Consumer<String> say) {
        this.pool = pool;
        this.tenants = tenants;
        this.dead = dead;
        this.say = say;
    }

    long completed(TenantId tenant) {
        AtomicLong count = completed.get(tenant);
        return count == null ? 0 : count.get();
    }

    /** Until nothing waits, for now or for its next attempt, and nobody has anything. */
    void run() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        for (TenantId tenant : tenants) {
            for (int i = 1; i <= PER_TENANT; i++) {
                String worker = tenant + "-worker-" + i;
                threads.add(Thread.ofVirtual().name(worker).start(() -> {
                    try {
                        work(tenant, worker);
                    } catch (InterruptedException | RuntimeException e) {
                        failure.compareAndSet(null, e);
                    }
                }));
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new Failure("demo", "a worker could not go on: " + Complaint.text(failed));
        }
    }

    private void work(TenantId tenant, String worker) throws InterruptedException {
        while (isSomethingLeft(pool.tenants().usage(tenant))) {
            for (ClaimedFile claimed : pool.work().claim(ClaimOrder.of(tenant, worker).waiting(LOOK))) {
                process(claimed, worker);
            }
        }
    }

    private static boolean isSomethingLeft(TenantUsage usage) {
        return usage.pending() + usage.processing() + usage.delayed() > 0;
    }

    private void process(ClaimedFile claimed, String worker) {
        String name = claimed.file().name().orElseThrow();
        if (claimed.key().equals(dead.key())) {
            takeOver(claimed, name, worker);
        }
        boolean slips = name.equals(SLIPPERY) && claimed.file().attempts() == 0;
        if (slips || name.equals(HOPELESS)) {
            FileOutcome outcome = pool.work().fail(claimed.lease(),
                    slips ? "connection reset" : "page 3 is unreadable");
            say.accept("   " + worker + " fails with " + name
                    + (slips ? ": connection reset; " : ": page 3 is unreadable; ")
                    + (outcome.kind() == FileOutcome.Kind.RETRYING
                            ? "it is tried again"
                            : "it is given up after 3 attempts"));
        } else {
            pool.work().complete(claimed.lease());
            completed.computeIfAbsent(claimed.file().tenant(), _ -> new AtomicLong()).incrementAndGet();
        }
    }

    private void takeOver(ClaimedFile claimed, String name, String worker) {
        say.accept("   " + worker + " gets " + name + " under epoch " + claimed.lease().fence().epoch()
                + ": the lease of the dead worker has run out");
        try {
            pool.work().complete(dead);
            throw new Failure("demo", "a lease that ran out was honoured: " + dead);
        } catch (PoolException e) {
            say.accept("   and were the dead one only asleep: its epoch " + dead.fence().epoch() + " is refused ("
                    + e.code() + ")");
        }
    }
}

package io.entrepot.pool.process;

import io.entrepot.lease.Ticker;
import io.entrepot.pool.ClaimedFile;
import io.entrepot.pool.FileLeaseLostException;
import io.entrepot.pool.PoolException;
import io.entrepot.pool.PoolFiles;
import io.entrepot.pool.TenantId;
import io.entrepot.pool.WorkQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Files being processed in this process, until it is closed: claimed, renewed, handled, and completed or failed.
 *
 * <p>One thread claims as many files as handlers are free (and those wanted ahead), so the more there is to do, the more a
 * claim brings. Each file has a thread, which also ends it: those of many share commits. Another thread
 * renews. A file whose lease is lost is taken from its handler, and counted; nothing is failed or completed then.
 *
 * <p>INVARIANT: a file is in hand from its claim until it was ended, given back or lost, and is counted once. Safe for use by
 * many threads: all state is under one lock, which is not held while the pool is called.
 */
public final class Processing implements AutoCloseable {

    /** Makes threads that are not started yet: virtual ones where there are such. */
    @FunctionalInterface
    public interface Threads {
        Thread named(String name, Runnable task);
    }

    /** Where it tells what goes wrong, beside its status. */
    public interface Log {
        void warn(String words);

        void error(String words, Throwable cause);
    }

    /**
     * What it works with: a pool in this process, or one behind a server.
     *
     * @param open those of some tenants that may be handed files now
     */
    public record Surroundings(WorkQueue work, PoolFiles files, UnaryOperator<List<TenantId>> open, Ticker ticker,
            InstantSource wall, Threads threads, Log log) {}

    private final ProcessOptions options;
    private final FileHandler handler;
    private final PoolFiles files;
    private final Claims claims;
    private final Ticker ticker;
    private final InstantSource wall;
    private final Threads threads;
    private final Log log;
    private final Consumer<Processing> whenClosed;
    private final Tally tally;
    private final Endings endings;
    private final Renewals renewals;
    private final Thread claimer;

    private final ReentrantLock lock = new ReentrantLock();
    /** A file has come or gone, a claim found nothing, or it is closed. */
    private final Condition changed = lock.newCondition();
    private final Set<Held> running = new LinkedHashSet<>();
    private final Deque<Held> ahead = new ArrayDeque<>();
    private ProcessingStatus.State state = ProcessingStatus.State.RUNNING;
    /** The last claim found nothing, and that is no old news. */
    private boolean idle;
    /** Claims that have begun. */
    private long looks;
    /** Up to this one they say nothing about now. */
    private long stale;

    private Processing(ProcessOptions options, FileHandler handler, Surroundings around,
            Consumer<Processing> whenClosed) {
        this.options = options;
        this.handler = handler;
        this.files = around.files();
        this.claims = new Claims(options, around.work(), around.open());
        this.ticker = around.ticker();
        this.wall = around.wall();
        this.threads = around.threads();
        this.log = around.log();
        this.whenClosed = whenClosed;
        this.tally = new Tally(options.worker(), wall, log);
        this.endings = new Endings(around.work(), options.keep(), tally);
        this.renewals = new Renewals(around.work(), options.term(), this::inHand, this::lost,
                e -> tally.wrong("a lease could not be renewed: " + e.getMessage()), threads);
        this.claimer = threads.named("claims of " + options.worker(), this::claim);
    }

    /** For {@link io.entrepot.pool.FilePool#process}. */
    public static Processing start(ProcessOptions options, FileHandler handler, Surroundings around,
            Consumer<Processing> whenClosed) {
        Processing processing = new Processing(options, handler, around, whenClosed);
        processing.renewals.start();
        processing.claimer.start();
        return processing;
    }

    private void claim() {
        Backoff backoff = new Backoff();
        boolean open = true;
        while (open) {
            try {
                open = claimOnce(backoff);
            } catch (InterruptedException e) {
                open = !locked(this::isClosing); // if not, somebody wants to know now whether there is anything
            }
        }
    }

    /** Says whether it is to go on. */
    private boolean claimOnce(Backoff backoff) throws InterruptedException {
        int free = awaitRoom();
        if (free == 0) {
            return false;
        }
        long sentAt = ticker.nanos();
        try {
            long look = locked(() -> ++looks);
            List<ClaimedFile> claimed = claims.next(free, locked(() -> idle));
            backoff.reset();
            take(claimed, sentAt, look);
        } catch (PoolException e) {
            tally.wrong("claiming: " + e.getMessage());
            backOff(backoff);
        } catch (RuntimeException e) { // whatever it is: without this thread nothing would be processed any more
            log.error("claiming failed, and is tried again", e);
            tally.wrong("claiming: " + e);
            backOff(backoff);
        }
        return true;
    }

    /** How many files may be claimed; 0 if it is closed. */
    private int awaitRoom() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosing()) {
                int room = options.concurrency() + options.ahead() - running.size() - ahead.size();
                if (room > 0) {
                    return room;
                }
                changed.await();
            }
            return 0;
        } finally {
            lock.unlock();
        }
    }

    private void backOff(Backoff backoff) throws InterruptedException {
        lock.lock();
        try {
            if (!isClosing()) {
                state = ProcessingStatus.State.BACKING_OFF;
                changed.signalAll();
            }
            long left = backoff.next().toNanos();
            while (!isClosing() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(List<ClaimedFile> claimed, long sentAt, long look) {
        List<Held> taken = claimed.stream()
                .map(one -> new Held(one, options.worker(), files, ticker, sentAt, wall.instant())).toList();
        // The machine may have slept while the claim waited: then little or nothing would seem to be left of the terms.
        taken.stream().filter(Held::beginRenewal).forEach(renewals::renew);
        boolean wanted = locked(() -> {
            if (isClosing()) {
                return false;
            }
            state = ProcessingStatus.State.RUNNING;
            idle = taken.isEmpty() && look > stale;
            ahead.addAll(taken);
            beginNext();
            changed.signalAll();
            return true;
        });
        if (!wanted) {
            taken.forEach(held -> endings.end(held, new Verdict.GivenBack()));
        }
    }

    /** Under the lock. */
    private void beginNext() {
        while (running.size() < options.concurrency() && !ahead.isEmpty()) {
            Held held = ahead.remove();
            running.add(held);
            threads.named("handles " + held.lease().key(), () -> handle(held)).start();
        }
    }

    private void handle(Held held) {
        try {
            endings.end(held, verdict(held));
        } catch (RuntimeException | Error e) {
            log.error("file " + held.lease() + " could not be ended; its lease runs out", e);
            tally.wrong(Verdict.text(e));
            tally.lost();
        } finally {
            locked(() -> {
                running.remove(held);
                if (!isClosing()) {
                    beginNext();
                }
                changed.signalAll();
                return true;
            });
        }
    }

    private Verdict verdict(Held held) {
        if (!held.begin()) {
            return held.isTakenAway() ? new Verdict.Lost() : new Verdict.GivenBack();
        }
        Throwable thrown = null;
        try {
            handler.handle(held);
        } catch (Throwable e) { // whatever it is, it is this file's, and others go on
            thrown = e;
        }
        Verdict verdict = held.handled(thrown);
        return verdict instanceof Verdict.Failed failed ? held.excused(failed) : verdict;
    }

    private List<Held> inHand() {
        return locked(() -> {
            List<Held> all = new ArrayList<>(running);
            all.addAll(ahead);
            return all;
        });
    }

    private void lost(Held held) {
        held.lose();
        if (locked(() -> ahead.remove(held))) {
            endings.lost(new FileLeaseLostException(held.lease()));
        }
    }

    public ProcessingStatus status() {
        return locked(() -> tally.status(state, running.stream().map(Held::running).toList(), ahead.size()));
    }

    /**
     * Waits until there is nothing to do: nothing in hand, and a claim that began after this call found nothing. Files that
     * wait for their next attempt do not count. Says whether that came in time.
     */
    public boolean awaitIdle(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            idle = false;
            stale = looks;
            claimer.interrupt();
            long left = patience.toNanos();
            while (!(idle && isIdle()) && left > 0 && !isClosing()) {
                left = changed.awaitNanos(left);
            }
            return idle && isIdle();
        } finally {
            lock.unlock();
        }
    }

    private boolean isIdle() {
        return running.isEmpty() && ahead.isEmpty();
    }

    private boolean isClosing() {
        return state == ProcessingStatus.State.CLOSING || state == ProcessingStatus.State.CLOSED;
    }

    /** Claims nothing any more, and gives back what is not begun. Handlers go on; does not wait for them. */
    public void stop() {
        List<Held> notBegun = locked(() -> {
            if (!isClosing()) {
                state = ProcessingStatus.State.CLOSING;
            }
            List<Held> all = List.copyOf(ahead);
            ahead.clear();
            changed.signalAll();
            return all;
        });
        claimer.interrupt();
        notBegun.forEach(held -> endings.end(held, new Verdict.GivenBack()));
    }

    /**
     * Stops, waits for the handlers, interrupts those that take longer than the patience, and waits once more. What was broken
     * off is given back; a handler that does not even heed the interrupt is left behind, and its lease runs out. May be called
     * again; by a handler it only {@linkplain #stop stops}.
     */
    @Override
    public void close() {
        stop();
        if (inHand().stream().anyMatch(held -> held.isHandledBy(Thread.currentThread()))) {
            return;
        }
        boolean interrupted = false;
        try {
            claimer.join(Math.max(1, options.patience().toMillis()));
            if (!awaitNoneRunning()) {
                inHand().forEach(Held::stop);
                awaitNoneRunning();
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        renewals.close();
        for (Held left : inHand()) {
            left.stop();
            log.warn(options.worker() + ": the handler of " + left.lease() + " did not stop, and is left behind");
        }
        locked(() -> {
            state = ProcessingStatus.State.CLOSED;
            changed.signalAll();
            return true;
        });
        endings.abandon();
        whenClosed.accept(this);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitNoneRunning() throws InterruptedException {
        lock.lock();
        try {
            long left = options.patience().toNanos();
            while (!running.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return running.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }
}

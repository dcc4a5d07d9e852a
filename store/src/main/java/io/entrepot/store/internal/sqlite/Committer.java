package io.entrepot.store.internal.sqlite;

import io.entrepot.lease.Ticker;
import io.entrepot.store.Faults;
import io.entrepot.store.Faults.Point;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Operation;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.StoreException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit: the one thread that writes.
 *
 * <p>It takes the calls that wait, runs them in one transaction, commits once, and answers all of them. While it
 * commits, the next group gathers. Each unit runs within a savepoint, so one that fails leaves the others alone.
 * Requests of the same {@link Operation} run as one unit; if that fails, each runs again on its own.
 *
 * <p>What a failure means depends on where it happens:
 * <ul>
 * <li>in a unit: that caller gets it, the group goes on;
 * <li>of the disk or the database before the commit: the group is rolled back, everybody in it is told "not done";
 * <li>of the commit: nobody can know. Everybody in the group is told "unknown" and the store ends here. It must be
 * opened again, which reads what is really there. Damage ends it too.
 * </ul>
 *
 * <p>INVARIANT: no caller gets a result before the commit of its group has returned.
 */
final class Committer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final Ticker REAL = Ticker.system();
    private static final long IDLE_NANOS = 1_000_000_000L;

    private final FairInbox inbox;
    private final SqliteTransaction tx;
    private final GroupLimits limits;
    private final InstantSource time;
    private final Faults faults;
    private final BetweenGroups housekeeping;

    private volatile @Nullable Supplier<StoreException> ended;
    private volatile boolean closing;

    /** What the committing thread does besides committing; it may refuse the next group by throwing. */
    interface BetweenGroups {

        /** Called before a group; throws if writing is not possible now. */
        void before() throws StoreException;

        /** Called within the group's transaction, before its commit. */
        void within(SqliteTransaction tx) throws SQLException;

        /** Called when the group is durable, before anybody is told. */
        void committed(SqliteTransaction tx);

        /** Called when the group has been answered. */
        void after(SqliteTransaction tx) throws SQLException;
    }

    Committer(FairInbox inbox, SqliteTransaction tx, GroupLimits limits, InstantSource time, Faults faults,
            BetweenGroups housekeeping) {
        this.inbox = inbox;
        this.tx = tx;
        this.limits = limits;
        this.time = time;
        this.faults = faults;
        this.housekeeping = housekeeping;
    }

    <R> R submit(Call<R> call) {
        refuseIfEnded();
        inbox.add(call);
        if (ended != null) {
            // The thread may have ended between the check and the add, and will not see this call.
            refuse(inbox.late());
        }
        return call.await();
    }

    void refuseIfEnded() {
        Supplier<StoreException> end = ended;
        if (end != null) {
            throw end.get();
        }
    }

    /** Asks the thread to finish what waits and end. */
    void close() {
        closing = true;
        inbox.nudge();
    }

    @Override
    public void run() {
        inbox.takenBy(Thread.currentThread());
        try {
            while (ended == null) {
                List<Call<?>> group = inbox.take(IDLE_NANOS);
                if (!group.isEmpty()) {
                    commit(group);
                } else if (closing) {
                    end(() -> new StoreClosedException("the store has been closed", null));
                }
                if (ended == null) {
                    housekeeping.after(tx);
                }
            }
        } catch (Throwable e) {
            LOG.error("the store has failed and is closed until it is opened again", e);
            end(() -> new StoreClosedException("the store has failed: " + e, e));
        }
        refuse(inbox.drain());
    }

    /** Ends the store: nothing it was asked to write from now on is done. */
    void fail(StoreException cause) {
        end(() -> new StoreClosedException("the store is closed: " + cause.getMessage(), cause));
        inbox.nudge();
    }

    private void end(Supplier<StoreException> reason) {
        if (ended == null) {
            ended = reason;
        }
    }

    private void refuse(List<Call<?>> calls) {
        Supplier<StoreException> end = ended;
        for (Call<?> call : calls) {
            call.fails(end == null ? new StoreClosedException("the store has been closed", null) : end.get());
            call.answer();
        }
    }

    private void commit(List<Call<?>> group) {
        List<Call<?>> done = new ArrayList<>(group.size());
        List<Call<?>> left = new ArrayList<>();
        try {
            housekeeping.before();
            tx.beginGroup(time.millis());
            faults.reach(Point.BEGUN);
            run(group, done, left);
            tx.flush();
            if (tx.changed()) {
                housekeeping.within(tx);
            }
        } catch (SQLException e) {
            abandon(group, () -> Errors.notDone(e, tx.file));
            return;
        } catch (StoreException e) {
            abandon(group, () -> again(e));
            return;
        } catch (RuntimeException e) {
            abandon(group, () -> NotDoneException.io("the group was given up: " + e, e));
            return;
        }
        inbox.giveBack(left);
        try {
            faults.reach(Point.COMMIT);
            tx.sql.execute("COMMIT");
        } catch (SQLException | RuntimeException e) {
            unknown(done, e);
            return;
        }
        faults.reach(Point.COMMITTED);
        for (Runnable effect : tx.committed()) {
            try {
                effect.run();
            } catch (RuntimeException e) {
                LOG.error("an effect of a committed unit of work failed", e);
            }
        }
        housekeeping.committed(tx);
        faults.reach(Point.ANSWER);
        done.forEach(Call::answer);
    }

    /** Runs units until all have run or the time is up; what has run goes to {@code done}, the rest to {@code left}. */
    private void run(List<Call<?>> group, List<Call<?>> done, List<Call<?>> left) throws SQLException {
        long deadline = REAL.nanos() + limits.time().toNanos();
        Map<Operation<?, ?>, List<Call.Combined<?, ?>>> combined = new LinkedHashMap<>();
        for (Call<?> call : group) {
            if (call instanceof Call.Combined<?, ?> one) {
                combined.computeIfAbsent(one.operation, _ -> new ArrayList<>()).add(one);
            }
        }
        for (List<Call.Combined<?, ?>> calls : combined.values()) {
            together(calls, done, left, deadline);
        }
        for (Call<?> call : group) {
            if (call instanceof Call.Single<?> single) {
                if (late(done, deadline)) {
                    left.add(call);
                } else {
                    alone(single);
                    done.add(call);
                }
            }
        }
    }

    private static boolean late(List<Call<?>> done, long deadline) {
        return !done.isEmpty() && REAL.nanos() - deadline > 0;
    }

    @SuppressWarnings("unchecked") // calls of one operation have its types
    private void together(List<Call.Combined<?, ?>> calls, List<Call<?>> done, List<Call<?>> left, long deadline)
            throws SQLException {
        if (late(done, deadline)) {
            left.addAll(calls);
        } else {
            combine((List<Call.Combined<Object, Object>>) (List<?>) calls);
            done.addAll(calls);
        }
    }

    private <R> void alone(Call.Single<R> call) throws SQLException {
        attempt(() -> call.succeeds(call.work.run(tx)), call::fails);
    }

    private <Q, R> void combine(List<Call.Combined<Q, R>> calls) throws SQLException {
        Operation<Q, R> operation = calls.getFirst().operation;
        boolean kept = attempt(() -> {
            List<R> results = operation.run(tx, calls.stream().map(call -> call.request).toList());
            for (int i = 0; i < calls.size(); i++) {
                calls.get(i).succeeds(results.get(i));
            }
        }, reason -> calls.getFirst().fails(reason));
        if (!kept && calls.size() > 1) {
            for (Call.Combined<Q, R> call : calls) {
                attempt(() -> call.succeeds(operation.run(tx, List.of(call.request)).getFirst()), call::fails);
            }
        }
    }

    private interface Failed {
        void because(Throwable reason);
    }

    /** Runs a unit within a savepoint; returns whether it is kept. */
    private boolean attempt(Runnable unit, Failed failed) throws SQLException {
        tx.beginUnit();
        try {
            unit.run();
            tx.keepUnit();
            return true;
        } catch (RuntimeException | Error e) {
            if (!Errors.concernsOnlyItsUnit(e)) {
                throw e;
            }
            tx.undoUnit();
            failed.because(e);
            return false;
        }
    }

    private void abandon(List<Call<?>> group, Supplier<StoreException> reason) {
        try {
            tx.rollback();
        } catch (SQLException e) {
            LOG.warn("the rollback of a failed group reported {}", e.toString());
        }
        StoreException first = reason.get();
        if (first instanceof StoreDamagedException) {
            LOG.error("the store is closed: {}", first.getMessage());
            end(() -> new StoreClosedException("the store is closed because it is damaged: " + first.getMessage(),
                    first));
        }
        for (Call<?> call : group) {
            call.fails(reason.get());
            call.answer();
        }
    }

    private void unknown(List<Call<?>> group, Exception cause) {
        LOG.error("a commit failed; the store is closed until it is opened again", cause);
        end(() -> new StoreClosedException("the store is closed since a commit failed (" + cause.getMessage()
                + "); open it again to see what was saved", cause));
        for (Call<?> call : group) {
            if (!call.failed()) {
                call.fails(new OutcomeUnknownException("the commit failed (" + cause.getMessage()
                        + "): it may or may not have been saved", cause));
            }
            call.answer();
        }
    }

    private static StoreException again(StoreException e) {
        return switch (e) {
            case NotDoneException n -> n.again();
            case StoreDamagedException d -> new StoreDamagedException(String.valueOf(d.getMessage()), d);
            default -> e;
        };
    }
}

package io.entrepot.store.internal.jdbc;

import io.entrepot.store.Faults;
import io.entrepot.store.Faults.Point;
import io.entrepot.store.GroupLimits;
import io.entrepot.store.Meanwhile;
import io.entrepot.store.NotDoneException;
import io.entrepot.store.Operation;
import io.entrepot.store.OutcomeUnknownException;
import io.entrepot.store.Owner;
import io.entrepot.store.StoreClosedException;
import io.entrepot.store.StoreDamagedException;
import io.entrepot.store.StoreException;
import io.entrepot.store.Work;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit, on a thread of its own.
 *
 * <p>It takes the calls that wait, runs them in one transaction ({@link GroupRun}), and those that have come meanwhile if a statement
 * costs little, commits once, and answers all of them. While it commits, the next group gathers.
 *
 * <p>What a failure means depends on where it happens:
 * <ul>
 * <li>in a unit: that caller gets it, the group goes on;
 * <li>of the disk or the database before the commit: the group is rolled back, everybody in it is told "not done";
 * <li>of the commit: nobody can know, unless it is certain that it was not done, as when there was no room for it. Everybody in the group is told "unknown" and the store ends here. It must be
 * opened again, which reads what is really there. Damage ends it too;
 * <li>after the commit: it is done, and everybody is told so; but the store may have missed something and ends.
 * </ul>
 *
 * <p>INVARIANTS: no caller gets a result before the commit of its group has returned. Every call that was taken is
 * answered, whatever is thrown.
 */
public final class Committer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
    private static final int MOST_CONFLICTS = 5;
    private static final long IDLE_NANOS = 1_000_000_000L;

    private final FairInbox inbox;
    private final Vigil vigil = Vigil.onThisMachine();
    private final JdbcTransaction tx;
    private final GroupLimits limits;
    private final InstantSource time;
    private final Faults faults;
    private final BetweenGroups housekeeping;
    /** Whether a group is run in two steps: while the first half of the callers is served, the others come. */
    private final boolean inSteps;

    private volatile @Nullable Supplier<StoreException> ended;
    private volatile boolean closing;
    /** Of the thread: what it has taken and not answered yet, so that it is answered even if that is the last it does. */
    private List<Call<?>> inHand = List.of();

    /** What the committing thread does besides committing; it may refuse the next group by throwing. */
    public interface BetweenGroups {

        /** Called before a group; throws if writing is not possible now. */
        void before() throws StoreException;

        /** Called within the group's transaction, before its commit. */
        void within(JdbcTransaction tx) throws SQLException;

        /** Called right before the commit. */
        default void committing() {}

        /** Called when the commit has failed, or its effects have run. */
        default void settled() {}

        /** Called when the group is durable, before anybody is told. */
        void committed(JdbcTransaction tx);

        /** Called when the group has been answered. */
        void after(JdbcTransaction tx) throws SQLException;

        /** Called after the last group of a store that is closed in good order. */
        void closing(JdbcTransaction tx);

        /** Called by any thread when the store has ended. */
        void ended();
    }

    public Committer(JdbcTransaction tx, GroupLimits limits, InstantSource time, Faults faults,
            BetweenGroups housekeeping) {
        this.inbox = new FairInbox(limits);
        this.tx = tx;
        this.limits = limits;
        this.time = time;
        this.faults = faults;
        this.housekeeping = housekeeping;
        this.inSteps = !tx.sql().dialect().savepointsAreDear();
    }

    public <R> R write(Owner owner, Work<R> work) {
        return submit(new Call.Single<>(owner, work));
    }

    public <Q, R> R write(Owner owner, Operation<Q, R> operation, Q request) {
        return submit(new Call.Combined<>(owner, operation, request));
    }

    private <R> R submit(Call<R> call) {
        if (closing) {
            throw closed(); // or the thread would never find its inbox empty
        }
        refuseIfEnded();
        vigil.enter();
        try {
            inbox.add(call);
            if (ended != null) {
                // The thread may have ended between the check and the add, and will not see this call.
                refuse(inbox.late());
            }
            call.underWay();
            return call.await(vigil);
        } finally {
            vigil.leave();
        }
    }

    public void refuseIfEnded() {
        Supplier<StoreException> end = ended;
        if (end != null) {
            throw end.get();
        }
    }

    /** Asks the thread to finish what waits and end. */
    public void close() {
        closing = true;
        inbox.nudge();
    }

    private static StoreException closed() {
        return new StoreClosedException("the store has been closed", null);
    }

    @Override
    public void run() {
        inbox.takenBy(Thread.currentThread());
        try {
            while (ended == null) {
                boolean last = closing; // read before the inbox is: whoever was accepted before the end is in it
                List<Call<?>> group = inbox.take(last ? 0 : IDLE_NANOS, inSteps);
                if (!group.isEmpty()) {
                    commit(group);
                } else if (last) {
                    housekeeping.closing(tx);
                    end(Committer::closed);
                }
                if (ended == null) {
                    housekeeping.after(tx);
                }
            }
        } catch (Throwable e) {
            LOG.error("the store has failed and is closed until it is opened again", e);
            end(() -> new StoreClosedException("the store has failed (" + e + "); open it again", e));
        }
        refuse(inHand);
        refuse(inbox.drain());
    }

    /** Ends the store: nothing it was asked to write from now on is done. */
    public void fail(StoreException cause) {
        end(() -> new StoreClosedException("the store is closed: " + cause.getMessage(), cause));
        inbox.nudge();
    }

    private synchronized void end(Supplier<StoreException> reason) {
        if (ended == null) {
            ended = reason;
            housekeeping.ended();
        }
    }

    private void refuse(List<Call<?>> calls) {
        Supplier<StoreException> end = ended;
        for (Call<?> call : calls) {
            if (!call.isAnswered()) {
                call.fails(end == null ? closed() : end.get());
                call.answer();
            }
        }
    }

    private void commit(List<Call<?>> first) {
        List<Call<?>> group = new ArrayList<>(first);
        inHand = group;
        GroupRun run;
        try {
            housekeeping.before();
            run = ran(group);
            tx.flush();
            housekeeping.within(tx);
        } catch (Throwable e) {
            abandon(group, e);
            return;
        }
        inbox.giveBack(run.left(), run.done());
        housekeeping.committing();
        try {
            commit(run);
        } finally {
            housekeeping.settled();
        }
    }

    private void commit(GroupRun run) {
        try {
            faults.reach(Point.COMMIT);
            tx.commit();
        } catch (NotDoneException e) {
            abandon(run.done(), e);
            return;
        } catch (Throwable e) {
            unknown(run.done(), e);
            return;
        }
        List<Runnable> effects = new ArrayList<>();
        try {
            effects.addAll(tx.committed());
            effects.addAll(undone(tx.failedOthers()));
        } catch (Throwable e) {
            tx.notUndone();
            unknown(run.done(), e);
            return;
        }
        try {
            faults.reach(Point.COMMITTED);
            effects.forEach(Committer::runEffect);
            housekeeping.committed(tx);
            faults.reach(Point.ANSWER);
        } finally {
            inHand = List.of(); // some of them are answered by others
            Call.answer(run.done());
        }
    }

    /** What was committed together with something that has come to nothing is taken back before anybody learns of it. */
    private List<Runnable> undone(List<Meanwhile> failed) throws SQLException {
        if (failed.isEmpty()) {
            return List.of();
        }
        tx.beginGroup(time);
        tx.undo(failed);
        tx.flush();
        housekeeping.within(tx);
        tx.commit();
        return tx.committed();
    }

    /**
     * Where savepoints are dear most groups need none: the first try is without them. A group that has met with a conflict is
     * tried again, since nothing of it was done.
     */
    private GroupRun ran(List<Call<?>> group) throws SQLException {
        boolean careful = !tx.sql().dialect().savepointsAreDear();
        for (int conflicts = 0;;) {
            try {
                return ran(group, careful);
            } catch (JdbcTransaction.Undone e) {
                careful = true;
            } catch (StoreException e) {
                if (!tx.conflict() || ++conflicts > MOST_CONFLICTS) {
                    throw e;
                }
                LOG.debug("a group is tried again", e);
            }
            tx.rollback();
        }
    }

    /** Adds to the group those who come meanwhile. */
    private GroupRun ran(List<Call<?>> group, boolean careful) throws SQLException {
        GroupRun run = new GroupRun(tx, limits.time());
        tx.beginGroup(time, careful);
        faults.reach(Point.BEGUN);
        run.run(group);
        if (inSteps && !run.timeIsUp()) {
            List<Call<?>> more = inbox.more();
            group.addAll(more);
            if (!more.isEmpty()) {
                tx.goOn(time);
                run.run(more);
            }
        }
        return run;
    }

    private static void runEffect(Runnable effect) {
        try {
            effect.run();
        } catch (Throwable e) {
            LOG.error("an effect of a committed unit of work failed", e);
        }
    }

    /** Nothing of the group is done, and everybody in it is told why. */
    private void abandon(List<Call<?>> group, Throwable cause) {
        StoreException reason = switch (cause) {
            case SQLException e -> tx.sql().dialect().notDone(e);
            case StoreException e -> e;
            default -> NotDoneException.io("the group was given up: " + cause, cause);
        };
        if (reason instanceof StoreDamagedException) {
            LOG.error("the store is closed: {}", reason.getMessage());
            end(() -> new StoreClosedException("the store is closed because it is damaged: " + reason.getMessage(),
                    reason));
        }
        try {
            tx.rollback();
        } catch (SQLException e) {
            LOG.error("a group could not be rolled back; the store is closed until it is opened again", e);
            end(() -> new StoreClosedException("the store is closed since a rollback failed (" + e.getMessage()
                    + "); open it again", e));
        }
        for (Call<?> call : group) {
            call.fails(again(reason));
            call.answer();
        }
    }

    private void unknown(List<Call<?>> group, Throwable cause) {
        LOG.error("a commit failed; the store is closed until it is opened again", cause);
        end(() -> new StoreClosedException("the store is closed since a commit failed (" + cause.getMessage()
                + "); open it again to see what was saved", cause));
        for (Call<?> call : group) {
            if (!call.failed()) {
                call.fails(new OutcomeUnknownException("the commit failed (" + cause.getMessage()
                        + "): it may or may not have been saved; open the store again to see", cause));
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

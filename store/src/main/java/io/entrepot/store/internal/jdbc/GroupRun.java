package io.entrepot.store.internal.jdbc;

import io.entrepot.lease.Ticker;
import io.entrepot.store.Operation;
import io.entrepot.store.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs the units of one group, each within a savepoint if the transaction is careful, so that one that fails leaves the others alone. Requests of the
 * same {@link Operation} run as one unit, in the place of the first of them; if that fails, each runs again on its own.
 * No further unit is begun when the time is up. Belongs to the committing thread, for one group.
 */
final class GroupRun {
    private static final Ticker REAL = Ticker.system();

    private final JdbcTransaction tx;
    private final long deadline;
    private final List<Call<?>> done = new ArrayList<>();
    private final List<Call<?>> left = new ArrayList<>();

    GroupRun(JdbcTransaction tx, Duration time) {
        this.tx = tx;
        this.deadline = REAL.nanos() + time.toNanos();
    }

    /** The calls that have their outcome, if the group commits. */
    List<Call<?>> done() {
        return done;
    }

    /** The calls there was no time for. */
    List<Call<?>> left() {
        return left;
    }

    void run(List<Call<?>> group) throws SQLException {
        IdentityHashMap<Operation<?, ?>, List<Call<?>>> combined = new IdentityHashMap<>();
        for (Call<?> call : group) {
            if (call instanceof Call.Combined<?, ?> one) {
                combined.computeIfAbsent(one.operation, _ -> new ArrayList<>()).add(one);
            }
        }
        for (Call<?> call : group) {
            switch (call) {
                case Call.Single<?> single -> {
                    if (timeIsUp()) {
                        left.add(single);
                    } else {
                        alone(single);
                        done.add(single);
                    }
                }
                case Call.Combined<?, ?> one -> {
                    List<Call<?>> calls = combined.remove(one.operation);
                    if (calls == null) {
                        continue; // it went with the first of its kind
                    }
                    if (timeIsUp()) {
                        left.addAll(calls);
                    } else {
                        together(calls);
                        done.addAll(calls);
                    }
                }
            }
        }
    }

    /** At least one unit is run, however late it is. */
    boolean timeIsUp() {
        return !done.isEmpty() && REAL.nanos() - deadline > 0;
    }

    private <R> void alone(Call.Single<R> call) throws SQLException {
        attempt(() -> call.succeeds(call.work.run(tx)), call::fails);
    }

    @SuppressWarnings("unchecked") // calls of one operation have its types
    private void together(List<Call<?>> calls) throws SQLException {
        combine((List<Call.Combined<Object, Object>>) (List<?>) calls);
    }

    private <Q, R> void combine(List<Call.Combined<Q, R>> calls) throws SQLException {
        boolean kept = attempt(() -> answer(calls), calls.getFirst()::fails);
        if (!kept && calls.size() > 1) {
            for (Call.Combined<Q, R> call : calls) {
                attempt(() -> answer(List.of(call)), call::fails);
            }
        }
    }

    private <Q, R> void answer(List<Call.Combined<Q, R>> calls) {
        Operation<Q, R> operation = calls.getFirst().operation;
        List<R> answers = operation.run(tx, calls.stream().map(call -> call.request).toList());
        if (answers.size() != calls.size()) {
            throw new IllegalStateException(operation + " gave " + answers.size() + " answers to " + calls.size()
                    + " request(s)");
        }
        for (int i = 0; i < calls.size(); i++) {
            calls.get(i).succeeds(answers.get(i));
        }
    }

    /** Runs a unit within a savepoint; returns whether it is kept. Throws if the whole group cannot go on. */
    private boolean attempt(Runnable unit, Consumer<Throwable> failed) throws SQLException {
        tx.beginUnit();
        try {
            unit.run();
        } catch (Throwable e) {
            StoreException broken = tx.broken();
            if (broken != null) {
                throw broken;
            }
            tx.undoUnit();
            failed.accept(e);
            return false;
        }
        StoreException failure = tx.unitFailure();
        if (failure != null) {
            tx.undoUnit();
            failed.accept(failure);
            return false;
        }
        tx.keepUnit();
        return true;
    }
}

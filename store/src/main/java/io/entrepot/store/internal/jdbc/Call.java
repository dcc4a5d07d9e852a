package io.entrepot.store.internal.jdbc;

import io.entrepot.store.Cost;
import io.entrepot.store.Operation;
import io.entrepot.store.Owner;
import io.entrepot.store.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One caller's unit of work on its way through the committing thread, and the caller's wait for it. The committing
 * thread decides the outcome, then publishes it by a volatile write; the caller reads it after.
 */
abstract sealed class Call<R> {
    final Owner owner;
    final Cost cost;
    private final Thread caller = Thread.currentThread();
    private @Nullable R result;
    private @Nullable Throwable failure;
    private List<Call<?>> others = List.of();
    private volatile boolean answered;

    Call(Owner owner, Cost cost) {
        this.owner = Objects.requireNonNull(owner);
        this.cost = Objects.requireNonNull(cost);
    }

    /** A unit of its own. */
    static final class Single<R> extends Call<R> {
        final Work<R> work;

        Single(Owner owner, Work<R> work) {
            super(owner, Cost.ONE);
            this.work = work;
        }
    }

    /** A request to be combined with others of its kind. */
    static final class Combined<Q, R> extends Call<R> {
        final Operation<Q, R> operation;
        final Q request;

        Combined(Owner owner, Operation<Q, R> operation, Q request) {
            super(owner, operation.cost(request));
            this.operation = operation;
            this.request = request;
        }

        @Override
        void underWay() {
            operation.underWay(request);
        }
    }

    /** By the caller, when this waits for its turn. */
    void underWay() {}

    /** What the unit came to, if its group commits. */
    void succeeds(R value) {
        result = value;
        failure = null;
    }

    void fails(Throwable reason) {
        failure = reason;
    }

    boolean isAnswered() {
        return answered;
    }

    boolean failed() {
        return failure != null;
    }

    void answer() {
        answered = true;
        LockSupport.unpark(caller);
    }

    /**
     * Answers a group. Waking a thread takes a system call that costs as much as the unit of work did, so one is woken here; it wakes two
     * others before it goes on, and each of them two more, while the committing thread goes on with the next group. Among virtual
     * threads waking is cheap, and the first of them wakes all others.
     */
    static void answer(List<? extends Call<?>> calls) {
        List<Call<?>> virtual = new ArrayList<>(calls.size());
        List<Call<?>> platform = new ArrayList<>(calls.size());
        for (Call<?> call : calls) {
            (call.caller.isVirtual() ? virtual : platform).add(call);
        }
        if (!virtual.isEmpty()) {
            Call<?> first = virtual.getFirst();
            first.others = virtual.subList(1, virtual.size());
            first.answer();
        }
        for (int i = 0; i < platform.size(); i++) {
            int from = Math.min(2 * i + 1, platform.size());
            platform.get(i).others = platform.subList(from, Math.min(from + 2, platform.size()));
        }
        if (!platform.isEmpty()) {
            platform.getFirst().answer();
        }
    }

    @SuppressWarnings("NullAway") // R may itself be nullable; a success has always been given a result
    R await(Vigil vigil) {
        boolean interrupted = false;
        vigil.keep(() -> answered);
        while (!answered) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        others.forEach(Call::answer);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        switch (failure) {
            case null -> {
                return result;
            }
            case RuntimeException e -> throw withCaller(e);
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /** The trace of an exception is that of the committing thread; this adds where the (first) caller was. */
    private static RuntimeException withCaller(RuntimeException e) {
        if (Arrays.stream(e.getSuppressed()).noneMatch(CalledFrom.class::isInstance)) {
            e.addSuppressed(new CalledFrom());
        }
        return e;
    }

    private static final class CalledFrom extends Exception {
        CalledFrom() {
            super("called from here");
        }
    }
}

package io.entrepot.server.route;

import io.entrepot.server.problem.Code;
import io.entrepot.server.problem.ProblemException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which requests are under way, and how they come to an end when the server does: new ones are refused, those that only wait for
 * something are woken, the others are waited for. Safe for use by many threads: everything is under one lock.
 */
public final class Closing {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Thread> waiting = new HashSet<>();
    private long underWay;
    private boolean closing;

    /** @throws ProblemException if the server is shutting down */
    void enter() {
        lock.lock();
        try {
            requireOpen();
            underWay++;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            underWay--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closing) {
            throw new ProblemException(Code.SHUTTING_DOWN, "the server is shutting down; try again, or elsewhere");
        }
    }

    /** Something that waits, and may be interrupted without harm when the server is shut down. */
    public <T> T waiting(Callable<T> call) throws Exception {
        lock.lock();
        try {
            requireOpen();
            waiting.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
        try {
            return call.call();
        } finally {
            lock.lock();
            try {
                waiting.remove(Thread.currentThread());
                boolean _ = Thread.interrupted(); // it was for the wait that is over
            } finally {
                lock.unlock();
            }
        }
    }

    public boolean isClosing() {
        lock.lock();
        try {
            return closing;
        } finally {
            lock.unlock();
        }
    }

    public long underWay() {
        lock.lock();
        try {
            return underWay;
        } finally {
            lock.unlock();
        }
    }

    /** Says whether all have ended in time. */
    public boolean close(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            closing = true;
            waiting.forEach(Thread::interrupt);
            long left = patience.toNanos();
            while (underWay > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return underWay == 0;
        } finally {
            lock.unlock();
        }
    }
}

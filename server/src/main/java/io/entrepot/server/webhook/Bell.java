package io.entrepot.server.webhook;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes those who wait before their time is over. Safe for use by many threads: everything is under one lock. */
final class Bell {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private long rings;

    void ring() {
        lock.lock();
        try {
            rings++;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How often it was rung. */
    long rings() {
        lock.lock();
        try {
            return rings;
        } finally {
            lock.unlock();
        }
    }

    /** Until it is rung more often than that, or the time is over. */
    void await(long since, Duration most) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(most);
            while (rings == since && left > 0) {
                left = rung.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}

package io.entrepot.pool.job;

import java.time.Duration;

/** When a job runs by itself. */
public sealed interface Schedule {

    /**
     * At fixed intervals. A run that falls due while the one before still runs, while the job is paused, or while the machine
     * sleeps, is left out: nothing is caught up with.
     *
     * @param first how long after it was registered or rescheduled it runs first
     */
    record Every(Duration first, Duration interval) implements Schedule {
        private static final Duration LONGEST = Duration.ofDays(3650);

        public Every {
            if (first.isNegative() || first.compareTo(LONGEST) > 0 || interval.compareTo(Duration.ofMillis(1)) < 0
                    || interval.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "a job runs every 1 ms to 10 years, and first within 10 years: " + interval + ", " + first);
            }
        }

        @Override
        public String toString() {
            return "every " + interval;
        }
    }

    /** Only when somebody says so. */
    record ByHand() implements Schedule {
        @Override
        public String toString() {
            return "by hand";
        }
    }

    /** First after one interval. */
    static Schedule every(Duration interval) {
        return new Every(interval, interval);
    }

    static Schedule every(Duration interval, Duration first) {
        return new Every(first, interval);
    }

    static Schedule byHand() {
        return new ByHand();
    }
}

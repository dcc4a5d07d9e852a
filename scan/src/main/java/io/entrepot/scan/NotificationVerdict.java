package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Mount;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether changes in a directory are told by the kernel; {@link #words} for people. */
public sealed interface NotificationVerdict {

    String words();

    /** Whether there is any use in watching. */
    default boolean isUseful() {
        return !(this instanceof NotHere);
    }

    /** Whether watching alone is enough, as nobody can change anything unseen. */
    default boolean isSufficient() {
        return this instanceof Works;
    }

    /** @param latency between a change and its event, if it was measured */
    record Works(Mount mount, Optional<Duration> latency) implements NotificationVerdict {
        @Override
        public String words() {
            return "notification works here (" + mount.type() + " on " + mount.point() + ")"
                    + latency.map(time -> ", within " + millis(time)).orElse("");
        }
    }

    /** What other machines change on that storage is not told. */
    record LocalOnly(Mount mount, Optional<Duration> latency) implements NotificationVerdict {
        @Override
        public String words() {
            return "notification tells only what this machine changes (" + mount.type() + " on " + mount.point()
                    + "): poll or scan for what others do"
                    + latency.map(time -> "; measured " + millis(time)).orElse("");
        }
    }

    record NotHere(String reason) implements NotificationVerdict {
        @Override
        public String words() {
            return "notification does not work here: " + reason + "; polling takes over";
        }

        /** A change was found that nobody had told. */
        public static NotHere missed(BytePath what, Instant found, Duration grace) {
            return new NotHere(
                    "since " + found + " at the latest, as no event came for the change of " + what + " within "
                            + millis(grace));
        }
    }

    private static String millis(Duration time) {
        return time.toMillis() > 0 ? time.toMillis() + " ms" : "a millisecond";
    }
}

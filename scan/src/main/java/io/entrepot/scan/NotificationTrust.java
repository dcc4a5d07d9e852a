package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.EpochNanos;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether notification may still be believed on one mount: no more, once a scan or poll has found a change in a watched
 * directory for which no event came in time. Pure: it is told what was heard and found, and when, on our wall clock as
 * {@link EpochNanos}. Remembers a bounded number of directories. Safe for use by many threads: one at a time.
 */
public final class NotificationTrust {
    private static final int MOST = 10_000;

    private final Duration grace;
    private final Map<BytePath, Long> heard = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<BytePath, Long> eldest) {
            return size() > MOST;
        }
    };
    private final ArrayDeque<Found> waiting = new ArrayDeque<>();
    private NotificationVerdict.@Nullable NotHere distrust;

    private record Found(BytePath what, long changedAt, long foundAt) {}

    /** @param grace how long an event may take. Too short, and a busy machine loses its notification */
    public NotificationTrust(Duration grace) {
        this.grace = grace;
    }

    /** An event came about an entry. */
    public synchronized void heard(BytePath what, long now) {
        heard.remove(what);
        heard.put(what, now);
    }

    /**
     * An entry of a watched directory is not what it was, or is new, or has gone.
     *
     * @param lastLookedAt when it was last seen as it was: an event since then is the one
     */
    public synchronized void found(BytePath what, long lastLookedAt, long now) {
        if (waiting.size() < MOST) {
            waiting.add(new Found(what, lastLookedAt, now));
        }
    }

    /** Present if it is not to be believed any more; that is final. */
    public synchronized Optional<NotificationVerdict.NotHere> verdict(long now) {
        while (distrust == null && !waiting.isEmpty() && now - waiting.peek().foundAt > grace.toNanos()) {
            Found found = waiting.remove();
            Long event = heard.get(found.what);
            // If there were more events than are remembered, one that is not may have been among them.
            if (event == null ? heard.size() < MOST : event - found.changedAt < 0) {
                distrust = NotificationVerdict.NotHere.missed(found.what, EpochNanos.toInstant(found.foundAt), grace);
                waiting.clear();
                heard.clear();
            }
        }
        return Optional.ofNullable(distrust);
    }
}

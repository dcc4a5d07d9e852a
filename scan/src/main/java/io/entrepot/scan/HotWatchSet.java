package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Decides which directories of a tree are worth a watch when there are not enough for all: those where something happened last.
 * Pure: it is told the time, what a scan has seen and what is watched, and says what to change.
 * <p>
 * <b>Activity</b> of a directory is the later of its times, on our clock, or the last event in it. A time that lies in the
 * future says nothing; then the moment at which we first saw it counts, so it wins once and grows old like others. A preserved
 * modification time is overruled by the change time.
 * <p>
 * <b>Ancestors</b> of a watched directory are watched, up to the root: else it could be moved, and its events be taken for
 * those of another path. They count against the limit, so a hot directory deep down costs more; one that does not fit any
 * more is passed over for the next.
 * <p>
 * <b>Calm</b>: one that is watched stays for a while whatever happens, and then gives way only to one whose activity is later by a
 * margin. So directories that are about equally active do not take turns.
 * <p>
 * Remembers what is watched and absurd times of a bounded number of directories. Safe for use by many threads: one at a time.
 */
public final class HotWatchSet {
    private static final int MOST_ABSURD = 10_000;
    private static final long NEVER = Long.MIN_VALUE;
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    private final BytePath root;
    private final Settings settings;
    private final Map<BytePath, Watched> watched = new HashMap<>();
    private final Map<BytePath, Absurd> absurd = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<BytePath, Absurd> eldest) {
            return size() > MOST_ABSURD;
        }
    };

    private record Watched(long since, long lastEvent) {}

    private record Absurd(long mtime, long ctime, long firstSeen) {}

    private record Candidate(BytePath path, long rank) {}

    /**
     * @param margin    how much later a directory must have been active to take the place of a watched one. Too short, and
     *                  directories take turns, with a listing each time; too long, and yesterday's stay watched
     * @param residence how long one is watched at least. Too short as above; too long, and a burst of new directories waits
     */
    public record Settings(Duration margin, Duration residence) {
        public static final Settings DEFAULT = new Settings(Duration.ofMinutes(10), Duration.ofMinutes(5));
    }

    public HotWatchSet(BytePath root, Settings settings) {
        this.root = root;
        this.settings = settings;
    }

    /** How many watches to leave to other programs of the same user. */
    public static int reserve(int kernelLimit) {
        return Math.min(Math.max(1024, kernelLimit / 8), kernelLimit / 2);
    }

    /** What we may have of the kernel's watches, if we want so many. */
    public static int affordable(int wanted, int kernelLimit) {
        return Math.max(1, Math.min(wanted, kernelLimit - reserve(kernelLimit)));
    }

    /** Something happened in a watched directory. */
    public synchronized void active(BytePath directory, long now) {
        watched.computeIfPresent(directory, (_, before) -> new Watched(before.since, now));
    }

    /**
     * @param scanned       the directories of the tree
     * @param nowWatched    those that are watched
     * @param drift         of the storage's clock
     * @param now           on our wall clock, as {@link io.entrepot.posix.EpochNanos}
     * @param limit         see {@link #affordable}
     * @param kernelLimit   for the report
     * @param kernelRefused for the report
     */
    public synchronized WatchPlan plan(Iterable<DirectoryTimes> scanned, Set<BytePath> nowWatched,
            ClockDrift.Estimate drift, long now, int limit, int kernelLimit, boolean kernelRefused) {
        watched.keySet().retainAll(nowWatched);
        nowWatched.forEach(path -> watched.putIfAbsent(path, new Watched(now, NEVER)));

        // The limit is also the most that can be chosen, so no more than that need be kept of a large tree.
        PriorityQueue<Candidate> best = new PriorityQueue<>(Comparator.comparingLong(Candidate::rank)
                .thenComparing(Candidate::path, Comparator.reverseOrder()));
        int directories = 0;
        for (DirectoryTimes times : scanned) {
            directories++;
            best.add(new Candidate(times.path(), rank(times, drift, now)));
            if (best.size() > limit) {
                best.poll();
            }
        }
        List<Candidate> sorted = new ArrayList<>(best);
        sorted.sort(best.comparator().reversed());
        Set<BytePath> chosen = choose(sorted, limit);

        List<BytePath> leave = nowWatched.stream()
                .filter(path -> !chosen.contains(path) && path.parent().filter(chosen::contains).isPresent())
                .sorted().toList();
        List<BytePath> watch = chosen.stream().filter(path -> !nowWatched.contains(path))
                .sorted(Comparator.comparingInt(BytePath::depth)).toList();
        chosen.forEach(path -> watched.putIfAbsent(path, new Watched(now, NEVER)));
        return new WatchPlan(leave, watch, new WatchReport(Math.max(directories, chosen.size()), chosen.size(), limit,
                kernelLimit, kernelRefused));
    }

    private Set<BytePath> choose(List<Candidate> sorted, int limit) {
        Set<BytePath> chosen = new LinkedHashSet<>(List.of(root));
        for (Candidate candidate : sorted) {
            List<BytePath> missing = new ArrayList<>();
            Optional<BytePath> above = Optional.of(candidate.path);
            while (above.isPresent() && above.get().startsWith(root) && !chosen.contains(above.get())) {
                missing.add(above.get());
                above = above.get().parent();
            }
            if (chosen.size() + missing.size() <= limit) {
                chosen.addAll(missing);
            }
        }
        return chosen;
    }

    private long rank(DirectoryTimes times, ClockDrift.Estimate drift, long now) {
        long activity = activity(times, drift, now);
        Watched place = watched.get(times.path());
        if (place == null) {
            return activity;
        }
        if (now - place.since < settings.residence.toNanos()) {
            return Long.MAX_VALUE;
        }
        return Math.max(activity, place.lastEvent) + settings.margin.toNanos();
    }

    private long activity(DirectoryTimes times, ClockDrift.Estimate drift, long now) {
        long latest = now + TOLERANCE.plus(drift.error()).toNanos();
        long mtime = drift.toOurs(times.mtime());
        long ctime = drift.toOurs(times.ctime());
        if (ctime <= latest) {
            absurd.remove(times.path());
            return Math.min(now, mtime <= latest ? Math.max(mtime, ctime) : ctime);
        }
        Absurd before = absurd.get(times.path());
        if (before == null || before.mtime != times.mtime() || before.ctime != times.ctime()) {
            before = new Absurd(times.mtime(), times.ctime(), now);
            absurd.put(times.path(), before);
        }
        return before.firstSeen;
    }
}

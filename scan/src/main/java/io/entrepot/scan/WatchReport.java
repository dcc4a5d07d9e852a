package io.entrepot.scan;

import java.util.Locale;

/**
 * How much of a tree is watched.
 *
 * @param directories   that there are, as far as is known
 * @param watched       of them
 * @param limit         watches that we may have
 * @param kernelLimit   watches that this user may have, all programs together
 * @param kernelRefused whether it had no more to give
 */
public record WatchReport(int directories, int watched, int limit, int kernelLimit, boolean kernelRefused) {

    public int notWatched() {
        return Math.max(0, directories - watched);
    }

    /** What {@code fs.inotify.max_user_watches} would have to be to watch all, and leave as much to others as now. */
    public int kernelLimitNeeded() {
        long others = kernelRefused ? Math.max(0, kernelLimit - watched) : HotWatchSet.reserve(kernelLimit);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(kernelLimit, directories + others));
    }

    /** In words for people. */
    @Override
    public String toString() {
        if (notWatched() == 0) {
            return number(watched) + (watched == 1 ? " directory is watched" : " directories are watched")
                    + ", all of them";
        }
        String needed = kernelLimitNeeded() > kernelLimit
                ? "; to watch all: sysctl fs.inotify.max_user_watches=" + kernelLimitNeeded() + " (now " + kernelLimit
                        + ")"
                : "; to watch all, raise the limit to " + directories;
        return number(watched) + " of " + number(directories) + " directories are watched (limit " + number(limit)
                + (kernelRefused ? ", as the kernel had no more" : "") + "), " + number(notWatched())
                + " are left to scans" + needed;
    }

    private static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}

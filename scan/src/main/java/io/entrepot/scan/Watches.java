package io.entrepot.scan;

import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Inotify;
import io.entrepot.posix.PosixException;
import java.util.List;

/** Sets and ends watches within a limit, which the kernel lowers when it has no more. For one thread. */
final class Watches {
    /** Everything that changes what a listing shows. */
    private static final int MASK = Inotify.MODIFY | Inotify.ATTRIB | Inotify.CLOSE_WRITE | Inotify.MOVED_FROM
            | Inotify.MOVED_TO | Inotify.CREATE | Inotify.DELETE | Inotify.DELETE_SELF | Inotify.MOVE_SELF
            | Inotify.ONLYDIR | Inotify.EXCL_UNLINK;
    static final int REFUSED = -1;

    private final Inotify inotify;
    private final WatchMap map;
    private int wanted;
    private volatile int limit;
    private volatile boolean kernelRefused;

    Watches(Inotify inotify, WatchMap map, int limit) {
        this.inotify = inotify;
        this.map = map;
        this.wanted = limit;
        this.limit = limit;
    }

    int limit() {
        return limit;
    }

    void limit(int to) {
        wanted = to;
        tryAgain();
    }

    /** The limit is what was asked for, until the kernel refuses again: others may have ended theirs. */
    void tryAgain() {
        limit = wanted;
        kernelRefused = false;
    }

    boolean kernelRefused() {
        return kernelRefused;
    }

    /** Whether one more may be had; one that is adrift may turn out to be the one asked for. */
    boolean hasRoom() {
        return map.size() < limit || map.hasAdrift();
    }

    /**
     * @return the number of the watch, new or not; or {@link #REFUSED}
     * @throws PosixException if it cannot be watched for another reason than the limit
     */
    int add(Directory directory) throws PosixException {
        int watch;
        try {
            watch = inotify.add(directory, MASK);
        } catch (PosixException e) {
            if (e.is(Errno.ENOSPC)) {
                kernelRefused = true;
                limit = Math.max(1, Math.min(limit, map.size()));
                return REFUSED;
            }
            throw e;
        }
        if (map.get(watch) == null && map.size() >= limit) {
            inotify.remove(watch);
            return REFUSED;
        }
        return watch;
    }

    void end(List<Integer> watches) {
        for (int watch : watches) {
            try {
                inotify.remove(watch);
            } catch (PosixException e) {
                // It is one we have forgotten already: whatever it still sends is dropped.
            }
        }
    }
}

package io.entrepot.pool.watch;

import io.entrepot.posix.BytePath;
import io.entrepot.scan.Entry;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * A source that could not be imported.
 *
 * @param at   when it failed last, in the store's time
 * @param next when it is tried again; empty if it is parked
 */
record Failure(BytePath path, String tenant, long inode, long size, long mtime, long ctime, int attempts, String error,
        long at, OptionalLong next) {

    /** Whether the source is still what has failed. */
    boolean isOf(Entry entry) {
        return inode == entry.inode() && size == entry.size() && mtime == entry.mtime() && ctime == entry.ctime();
    }

    boolean isParked() {
        return next.isEmpty();
    }

    boolean isDue(long now) {
        return next.isPresent() && next.getAsLong() <= now;
    }

    ParkedImport parked() {
        return new ParkedImport(path.toString(), tenant, size, attempts, error, Instant.ofEpochMilli(at));
    }
}

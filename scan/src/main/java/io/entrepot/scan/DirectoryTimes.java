package io.entrepot.scan;

import io.entrepot.posix.BytePath;

/**
 * A directory, and when something was last made or removed in it, by the storage's clock.
 *
 * @param mtime as {@link io.entrepot.posix.EpochNanos}; users set it to anything
 * @param ctime as {@link io.entrepot.posix.EpochNanos}
 */
public record DirectoryTimes(BytePath path, long mtime, long ctime) {

    public static DirectoryTimes of(Listing listing) {
        return new DirectoryTimes(listing.directory(), listing.self().mtime(), listing.self().ctime());
    }
}

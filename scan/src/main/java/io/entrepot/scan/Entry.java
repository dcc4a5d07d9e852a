package io.entrepot.scan;

import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;

/**
 * What was seen of one entry of a directory. If it could not be looked at ({@code failure}), it is there all the same, and
 * only its name and what the listing said of its type are known.
 *
 * @param failure {@link Errno#NONE} if the rest is known
 * @param device  as {@link io.entrepot.posix.Stat#device}
 * @param mtime   as {@link io.entrepot.posix.EpochNanos}
 * @param ctime   as {@link io.entrepot.posix.EpochNanos}
 */
public record Entry(Name name, FileType type, Errno failure, long inode, long device, int links, long size, long mtime,
        long ctime) {

    public boolean isKnown() {
        return failure == Errno.NONE;
    }
}

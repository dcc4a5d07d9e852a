package io.entrepot.scan;

import io.entrepot.posix.Errno;
import io.entrepot.posix.FileType;
import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is remembered of a directory, from a listing that was read to its end. Immutable.
 * <p>
 * <b>Silence.</b> Whoever makes, removes or renames an entry makes the storage set the directory's mtime and ctime to its
 * present time. So if both are what they were at the listing, nothing of the kind has happened since, with one exception: a
 * clock has ticks, and a change right after the listing may fall into the same tick as one right before it. Therefore the
 * times are trusted only if they were well in the past when the listing began, on the storage's own clock:
 * <ul>
 * <li>ctime, which nobody but the storage sets, must be older than the listing by a margin;
 * <li>mtime, which users set to anything, must not be within the margin of the listing, before or after. One far in the
 * future does no harm: a change would bring it back.
 * </ul>
 * Both are compared, as {@code tar x} puts mtime back, and some file systems have no ctime worth the name. The inode must be
 * the same as well: another directory moved here may have the same times, if it was made in the same tick. Not the device,
 * whose number is another one each time network storage is mounted.
 * <p>
 * Silence says nothing about the <i>content</i> of files: a file written in place does not change its directory. That is
 * what {@link Rotation} is for.
 *
 * @param listedAt       when the listing began, on the storage's clock, as {@link io.entrepot.posix.EpochNanos}:
 *                       see {@link StorageClock}
 * @param subdirectories the names of all directories in it, as they are visited whether or not this one is silent
 */
public record Remembered(long inode, long mtime, long ctime, long listedAt, List<Name> subdirectories) {

    /** A time this far out could not be compared with others. */
    private static final long EDGE = Long.MAX_VALUE - Duration.ofDays(2).toNanos();

    public Remembered {
        if (Math.abs(listedAt) > EDGE || listedAt == Long.MIN_VALUE) {
            throw new IllegalArgumentException(listedAt + " is no time at which anybody listed a directory");
        }
        subdirectories = List.copyOf(subdirectories);
    }

    /**
     * None if the listing was cut short, something was left out of it, or something in it could not be looked at: such a
     * directory is to be read again.
     */
    public static Optional<Remembered> of(Listing listing, long listedAt) {
        if (!listing.isComplete()) {
            return Optional.empty();
        }
        List<Name> names = new ArrayList<>();
        for (int i = 0; i < listing.size(); i++) {
            if (listing.failure(i) != Errno.NONE) {
                return Optional.empty();
            }
            if (listing.type(i) == FileType.DIRECTORY) {
                names.add(listing.name(i));
            }
        }
        Stat self = listing.self();
        return Optional.of(new Remembered(self.inode(), self.mtime(), self.ctime(), listedAt, names));
    }

    /** Whether no entry has come, gone or been renamed since, going by what the directory is like now. */
    public boolean isSilent(Stat now, Duration margin) {
        return now.inode() == inode && now.mtime() == mtime && now.ctime() == ctime && isTrusted(margin);
    }

    private boolean isTrusted(Duration margin) {
        long before = listedAt - margin.toNanos();
        long after = listedAt + margin.toNanos();
        return ctime < before && (mtime < before || mtime > after);
    }
}

package io.entrepot.posix;

import java.util.OptionalLong;

/**
 * What a file system knows of an entry; of a symbolic link itself, not of what it leads to.
 *
 * @param mode    the permission bits, without the type
 * @param links   how many names it has
 * @param device  the device number as {@code stat} gives it
 * @param mountId which mount it was seen through, if the kernel says so (Linux 5.8)
 * @param mtime   when its content last changed, see {@link EpochNanos}; users set it to anything
 * @param ctime   when anything about it last changed; set by the file system only
 * @param birth   when it was made, if the file system keeps that
 */
public record Stat(FileType type, int mode, int links, int uid, int gid, long size, long inode, long device,
        OptionalLong mountId, long mtime, long ctime, OptionalLong birth) {

    /** In the mode of a file that is {@linkplain Directory#createInPlace being made}: the sticky bit, which means nothing else there. */
    public static final int UNFINISHED = 01000;

    /** Whether it is a file that is being made, or was when something came between. */
    public boolean isUnfinished() {
        return isUnfinished(type, mode);
    }

    public static boolean isUnfinished(FileType type, int mode) {
        return type == FileType.FILE && (mode & UNFINISHED) != 0;
    }

    /** Whether both are the same file, whatever its name. */
    public boolean isSameFile(Stat other) {
        return inode == other.inode && device == other.device;
    }
}

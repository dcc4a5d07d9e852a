package io.entrepot.pool.internal;

import io.entrepot.posix.Stat;

/**
 * A file in a watched directory, as it was when it was read. It is known by inode, birth, size and mtime: an inode's number is
 * given to another file as soon as it is free, and a name says nothing. The file system is not a part of it, as a watcher stays on
 * one, and its device number may be another after the next boot.
 *
 * @param watcher its number
 * @param path    below the watched directory, escaped
 * @param device  of the watched directory: if it is another one now, the storage may not be mounted
 * @param birth   where the file system does not keep it, the ctime it was imported with: better two imports than none
 * @param ctime   to see without a closer look that nothing has changed
 * @param several it has other names as well, so each of them is a source of its own
 * @param keep    it stays where it is
 */
public record ImportSource(long watcher, String path, long device, long inode, long birth, long size, long mtime,
        long ctime, boolean several, boolean keep) {

    public static ImportSource of(long watcher, String path, long device, Stat stat, boolean keep) {
        return new ImportSource(watcher, path, device, stat.inode(), stat.birth().orElse(stat.ctime()),
                stat.size(), stat.mtime(), stat.ctime(), stat.links() > 1, keep);
    }

    /** The same, where and as it is now. */
    public ImportSource seen(String now, long on, Stat stat) {
        return new ImportSource(watcher, now, on, inode, birth, size, mtime, stat.ctime(), several, keep);
    }

    /** Whether this is the same content of the same file, for one who finds it where it is to be: whatever its name is now. */
    public boolean isSame(Stat stat) {
        return inode == stat.inode() && birth == stat.birth().orElse(birth) && size == stat.size()
                && mtime == stat.mtime();
    }

    /**
     * The same for one who finds it anywhere. Without its birth another file may have its inode, and, as senders set it, its
     * mtime: then nobody may have touched it since.
     */
    public boolean isSameAnywhere(Stat stat) {
        return isSame(stat) && (stat.birth().isPresent() || ctime == stat.ctime());
    }

    /** The name that it is known by beside what it is; none if it has only one. */
    String alias() {
        return several ? path : "";
    }
}

package io.entrepot.posix;

/**
 * Events about changes in watched directories, as the kernel gives them. One thread reads; any may add, remove, wake and
 * close. The queue of the kernel is short (see {@link Notification.Limits}), so the reader should do nothing but read. A use
 * after closing is an {@link IllegalStateException}.
 */
public interface Inotify extends AutoCloseable {
    int ACCESS = 0x1;
    int MODIFY = 0x2;
    int ATTRIB = 0x4;
    int CLOSE_WRITE = 0x8;
    int CLOSE_NOWRITE = 0x10;
    int OPEN = 0x20;
    int MOVED_FROM = 0x40;
    int MOVED_TO = 0x80;
    int CREATE = 0x100;
    int DELETE = 0x200;
    int DELETE_SELF = 0x400;
    int MOVE_SELF = 0x800;

    /** In events only: the file system was unmounted. */
    int UNMOUNT = 0x2000;
    /** In events only, with watch -1: events were dropped. */
    int Q_OVERFLOW = 0x4000;
    /** In events only: the watch is gone, and its number means nothing any more. */
    int IGNORED = 0x8000;
    /** In events only: it is about a directory. */
    int ISDIR = 0x40000000;

    /** For adding: nothing but a directory. */
    int ONLYDIR = 0x1000000;
    /** For adding: no symbolic links. */
    int DONT_FOLLOW = 0x2000000;
    /** For adding: no events of entries after they were unlinked. */
    int EXCL_UNLINK = 0x4000000;
    /** For adding: {@link Errno#EEXIST} instead of a changed mask. */
    int MASK_CREATE = 0x10000000;
    /** For adding: together with the mask that is there. */
    int MASK_ADD = 0x20000000;

    /** How a reading ended. */
    enum Outcome {
        EVENTS, WOKEN, CLOSED
    }

    /**
     * Watches a directory (or file). Watching it twice gives the same number and, unless told otherwise, the new mask.
     *
     * @return the number that its events bear
     * @throws PosixException {@link Errno#ENOSPC} if there are too many watches for this user
     */
    int add(BytePath path, int mask) throws PosixException;

    /** Watches an open directory, whatever its path is by now. */
    int add(Directory directory, int mask) throws PosixException;

    /**
     * Ends a watch; an event {@link #IGNORED} follows.
     *
     * @return false if it was gone already
     */
    boolean remove(int watch) throws PosixException;

    /**
     * Waits for events and puts as many as fit in place of what the buffer holds.
     *
     * @return EVENTS if there are any; WOKEN after {@link #wake}; CLOSED if it is closed, also while waiting
     */
    Outcome read(InotifyEvents events) throws PosixException;

    /** Makes the current reading return, or else the next one. */
    void wake();

    /** Harmless when repeated. */
    @Override
    void close();
}

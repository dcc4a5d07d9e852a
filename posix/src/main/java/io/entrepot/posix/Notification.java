package io.entrepot.posix;

/** Where notification comes from, and how much of it there may be. */
public interface Notification {

    /** @throws PosixException {@link Errno#EMFILE} if there are too many of them for this user */
    Inotify open() throws PosixException;

    Limits limits() throws PosixException;

    /**
     * @param watches   directories that one user may watch
     * @param events    events kept for a reader that is late, before they are dropped
     * @param instances times that one user may open notification
     */
    record Limits(int watches, int events, int instances) {}
}

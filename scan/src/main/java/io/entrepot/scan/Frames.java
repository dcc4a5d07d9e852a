package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Directory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work that is left: last in, first out, so that a tree is gone through in depth and what waits are the sub-directories
 * along a few paths from the root, never all of a tree. Safe for use by many threads: everything under one lock, in which
 * no call is made on storage.
 */
final class Frames {
    /** How many directories are kept open for those below them; more are opened again when their turn comes. */
    static final int MOST_HELD = 64;

    private final List<Frame> stack = new ArrayList<>();
    /** Frames below this place are parked. */
    private int parked;
    /** How many tasks have been taken and not done. */
    private int active;
    private boolean ended;

    Frames(BytePath root) {
        stack.add(Frame.root(root));
    }

    /** The next directory to visit; waits while there is none but there may be one. None at the end. */
    synchronized Frame.@Nullable Task take() throws InterruptedException {
        while (!ended && stack.isEmpty() && active > 0) {
            wait();
        }
        if (ended || stack.isEmpty()) {
            return null;
        }
        Frame top = stack.getLast();
        Frame.Task task = top.take();
        top.users++;
        active++;
        if (!top.hasMore()) {
            stack.removeLast();
            parked = Math.min(parked, stack.size());
        }
        return task;
    }

    /** The open directory of a frame, for somebody with a task from it; none if it is parked. */
    synchronized @Nullable Directory directoryOf(Frame frame) {
        return frame.directory;
    }

    /** Gives a parked frame its directory back. Whether it was needed: if not, it is still the caller's. */
    synchronized boolean revive(Frame frame, Directory directory) {
        if (frame.directory != null || ended) {
            return false;
        }
        frame.directory = directory;
        int at = stack.lastIndexOf(frame);
        if (at >= 0) {
            parked = Math.min(parked, at);
        }
        return true;
    }

    /** The task's directory has been opened, or could not be. */
    void opened(Frame frame) {
        Directory close = null;
        synchronized (this) {
            if (--frame.users == 0 && (ended || !frame.hasMore())) {
                close = frame.directory;
                frame.directory = null;
            }
        }
        if (close != null) {
            close.close();
        }
    }

    /** More to visit. The directory of the frame belongs to it from now on. */
    void push(Frame frame) {
        Directory close = null;
        synchronized (this) {
            if (ended) {
                close = frame.directory;
            } else {
                stack.add(frame);
                close = park();
                notifyAll();
            }
        }
        if (close != null) {
            close.close();
        }
    }

    /** All that follows from a task is on the stack. */
    synchronized void done() {
        active--;
        if (active == 0 && stack.isEmpty()) {
            notifyAll();
        }
    }

    /** Nothing more is taken. */
    void end() {
        List<Directory> close = new ArrayList<>();
        synchronized (this) {
            ended = true;
            for (Frame frame : stack) {
                if (frame.users == 0 && frame.directory != null) {
                    close.add(frame.directory);
                    frame.directory = null;
                }
            }
            stack.clear();
            notifyAll();
        }
        close.forEach(Directory::close);
    }

    /** One directory to close, if too many are open: that of the lowest frame, whose turn comes last. */
    private @Nullable Directory park() {
        if (stack.size() - parked <= MOST_HELD) {
            return null;
        }
        Frame lowest = stack.get(parked++);
        if (lowest.users > 0) {
            return null; // somebody is opening something in it; it is closed after its last entry
        }
        Directory directory = lowest.directory;
        lowest.directory = null;
        return directory;
    }
}

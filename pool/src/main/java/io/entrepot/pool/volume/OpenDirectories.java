package io.entrepot.pool.volume;

import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a volume that were used last, held open, so that placing a blob is one call on its directory: 256 files
 * in a row share one. Others may remove a directory that is held here; whoever then finds nothing there {@linkplain #forget
 * forgets} it and opens it anew.
 *
 * <p>Safe for use by many threads: everything is changed under one lock, never held during a call on the storage. All calls
 * block: for the mount's threads.
 */
final class OpenDirectories {
    private final Directory top;
    private final int most;
    private final LinkedHashMap<String, Held> held = new LinkedHashMap<>(64, 0.75f, true);
    private boolean closed;

    OpenDirectories(Directory top, int most) {
        this.top = top;
        this.most = most;
    }

    /** One directory, open until whoever uses it has closed this. Many may use it at a time. */
    final class Held implements AutoCloseable {
        private final String path;
        private final Directory directory;
        private int users = 1;
        private boolean dropped;
        /** Whether its name in the directory above is durable. */
        private volatile boolean durable;

        Held(String path, Directory directory) {
            this.path = path;
            this.directory = directory;
        }

        Directory directory() {
            return directory;
        }

        @Override
        public void close() {
            boolean last;
            synchronized (held) {
                users--;
                last = dropped && users == 0;
            }
            if (last) {
                directory.close();
            }
        }
    }

    /** @throws PosixException {@link Errno#ENOENT} if it, or one above it, is not there */
    Held open(String path) throws PosixException {
        return open(path, false);
    }

    /** Makes it and those above it if they are not there. */
    Held make(String path) throws PosixException {
        return open(path, true);
    }

    private Held open(String path, boolean make) throws PosixException {
        Held known = known(path);
        if (known != null) {
            return known;
        }
        int slash = path.lastIndexOf('/');
        Name name = Name.of(path.substring(slash + 1));
        if (slash < 0) {
            return add(path, child(top, name, make));
        }
        try (Held above = open(path.substring(0, slash), make)) {
            return add(path, child(above.directory, name, make));
        }
    }

    private static Directory child(Directory parent, Name name, boolean make) throws PosixException {
        try {
            return parent.open(name);
        } catch (PosixException e) {
            if (!make || !e.is(Errno.ENOENT)) {
                throw e;
            }
        }
        try {
            parent.makeDirectory(name, VolumeRoot.DIRECTORY_MODE);
        } catch (PosixException e) {
            if (!e.is(Errno.EEXIST)) {
                throw e;
            }
        }
        return parent.open(name);
    }

    /** Makes the names of a directory and of all above it durable, as far as that is not known. */
    void makeDurable(Held directory) throws PosixException {
        if (directory.durable) {
            return;
        }
        int slash = directory.path.lastIndexOf('/');
        if (slash < 0) {
            top.sync();
        } else {
            try (Held above = open(directory.path.substring(0, slash))) {
                above.directory.sync();
                makeDurable(above);
            }
        }
        directory.durable = true;
    }

    /** Makes what was removed from it durable. If it has been removed itself since, that is what counts. */
    void sync(String path) throws PosixException {
        for (String at = path; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
            try (Held one = open(at)) {
                one.directory.sync();
                return;
            } catch (PosixException e) {
                if (!Failures.isGone(e)) {
                    throw e;
                }
            }
        }
        top.sync();
    }

    /** Somebody may remove it, and another may make it again; where a directory is only a path, it then means that one. */
    void doubt(String path) {
        synchronized (held) {
            Held known = held.get(path);
            if (known != null) {
                known.durable = false;
            }
        }
    }

    /** Closes it and those above it, when their users have left: one of them may not be what is there now. */
    void forget(String path) {
        List<Held> unused = new ArrayList<>();
        synchronized (held) {
            for (String at = path; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
                drop(held.remove(at), unused);
            }
        }
        unused.forEach(one -> one.directory.close());
    }

    void close() {
        List<Held> unused = new ArrayList<>();
        synchronized (held) {
            closed = true;
            held.values().forEach(one -> drop(one, unused));
            held.clear();
        }
        unused.forEach(one -> one.directory.close());
    }

    private @Nullable Held known(String path) {
        synchronized (held) {
            if (closed) {
                throw new IllegalStateException(top.path() + " is closed");
            }
            Held known = held.get(path);
            if (known != null) {
                known.users++;
            }
            return known;
        }
    }

    private Held add(String path, Directory directory) {
        Held added = new Held(path, directory);
        List<Held> unused = new ArrayList<>(1);
        synchronized (held) {
            if (closed) {
                added.dropped = true;
                return added;
            }
            // The one that another thread has put there meanwhile may be older than a removal.
            drop(held.put(path, added), unused);
            Iterator<Held> eldest = held.values().iterator();
            while (held.size() > most) {
                Held old = eldest.next();
                eldest.remove();
                drop(old, unused);
            }
        }
        unused.forEach(one -> one.directory.close());
        return added;
    }

    private static void drop(@Nullable Held one, List<Held> unused) {
        if (one != null) {
            one.dropped = true;
            one.durable = false;
            if (one.users == 0) {
                unused.add(one);
            }
        }
    }
}

package io.entrepot.pool.volume;

import io.entrepot.posix.Directory;
import io.entrepot.posix.Errno;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Replacing;

/**
 * Gives a file its final name, and never takes that of another. Where a rename cannot promise that, as on NFS or with plain
 * Java, the file gets the new name as a second one, which cannot replace either, and loses the first one after that. Where
 * there is neither, nothing is placed. Safe for use by many threads: that a rename cannot do it is found out once or twice.
 */
public final class NoReplace {
    private volatile boolean linking;

    /** @throws PosixException {@link Errno#EEXIST} if the name is taken */
    public void move(Directory from, Name name, Directory to, Name newName) throws PosixException {
        if (!linking) {
            try {
                from.rename(name, to, newName, Replacing.NO_REPLACE);
                return;
            } catch (PosixException e) {
                if (!e.is(Errno.ENOTSUP)) {
                    throw e;
                }
                linking = true;
            }
        }
        link(from, name, to, newName);
        try {
            from.unlink(name);
        } catch (PosixException e) {
            // It has its place. The other name is found with what was begun, and then dropped: see LocalIncoming.resume.
        }
    }

    private static void link(Directory from, Name name, Directory to, Name newName) throws PosixException {
        try {
            from.link(name, to, newName);
        } catch (PosixException e) {
            // A server that did it and whose answer was lost is asked again, and then finds our own file.
            if (!e.is(Errno.EEXIST) || !isSame(from, name, to, newName)) {
                throw e;
            }
        }
    }

    private static boolean isSame(Directory from, Name name, Directory to, Name newName) throws PosixException {
        return from.stat(name, Freshness.UNCACHED).isSameFile(to.stat(newName, Freshness.UNCACHED));
    }
}

package io.entrepot.scan;

import io.entrepot.posix.Errno;
import io.entrepot.posix.Freshness;
import io.entrepot.posix.Mount;
import io.entrepot.posix.Name;
import io.entrepot.posix.PosixException;
import io.entrepot.posix.Stat;

/** What looking at one entry comes to. */
final class Looks {

    private Looks() {}

    /** Whether there is nothing of that path, or something that is not a directory. */
    static boolean isGone(PosixException e) {
        return e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP);
    }

    static Entry entry(Name name, Stat stat) {
        return new Entry(name, stat.type(), Errno.NONE, stat.inode(), stat.device(), stat.links(), stat.size(),
                stat.mtime(), stat.ctime());
    }

    static Freshness freshness(Mount mount) {
        return mount.isRemote() ? Freshness.UNCACHED : Freshness.CACHED;
    }
}

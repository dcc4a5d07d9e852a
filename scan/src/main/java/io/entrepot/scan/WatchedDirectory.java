package io.entrepot.scan;

import io.entrepot.posix.BytePath;
import io.entrepot.posix.Name;
import io.entrepot.posix.Stat;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A directory with a watch on it, and its place among the others. Belongs to a {@link WatchMap}. */
final class WatchedDirectory {
    final int watch;
    final long inode;
    final long device;
    final Map<Name, WatchedDirectory> children = new HashMap<>(4);
    /** None for the root, and for one that is adrift. */
    @Nullable
    WatchedDirectory parent;
    @Nullable
    Name name;
    @Nullable
    BytePath path;
    long pathVersion = -1;
    /** In which walk it was last seen. */
    int walk;

    WatchedDirectory(int watch, Stat stat) {
        this.watch = watch;
        this.inode = stat.inode();
        this.device = stat.device();
    }

    boolean is(Stat stat) {
        return inode == stat.inode() && device == stat.device();
    }
}
